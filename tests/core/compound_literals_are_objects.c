struct s { int a; };
int g(struct s *);
int f(int i) {
    return g(&(struct s){ i }) + (struct s){
    4
    }
    .a;
}
union u { int a; char *b; };
int h(union u);
int k(char *p) {
    return h((union u)p) + h((union u)3);
}
