struct s { int a; };
int g(struct s *);
int f(int i) {
    return g(&(struct s){ i }) + (struct s){
    4
    }
    .a;
}
