const A = 1;

  /* never closed
