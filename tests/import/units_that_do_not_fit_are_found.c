// unit: one.c
int both(void) { return 1; }
extern long size;
struct s { int a; };
void take(struct s *s);
// unit: two.c
int both(void) { return 2; }
int size;
struct s { char a; };
void take(struct s *s) {}
