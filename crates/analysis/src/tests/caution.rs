//! What may not be called static: memory that others reach, and values that only look known.

use super::Case;
use crate::{Action, BindingTime, Entry, Member, Options, Sensitivities};

/// When the root's result is known.
fn result(text: &str) -> BindingTime {
    let case = Case::new(text, Sensitivities::default());
    case.returned(case.root())
}

const STATIC: BindingTime = BindingTime::Static;
const DYNAMIC: BindingTime = BindingTime::Dynamic;

#[test]
fn an_unknown_function_changes_what_it_can_reach_and_nothing_else() {
    assert_eq!(result("void f(int *); int root(void) { int a = 1; int b; f(&b); return a; }"), STATIC);
    assert_eq!(result("void f(int *); int root(void) { int a = 1; f(&a); return a; }"), DYNAMIC);
    // The address went out before: any later call may use it.
    let kept = "void f(int *); void g(void); int root(void) { int a; f(&a); a = 1; g(); return a; }";
    assert_eq!(result(kept), DYNAMIC);
    let inside = "struct s { int *p; }; void f(struct s *); \
                  int root(void) { int a = 1; struct s s; s.p = &a; f(&s); return a; }";
    assert_eq!(result(inside), DYNAMIC);
    assert_eq!(result("int g; void f(void); int root(void) { g = 1; f(); return g; }"), DYNAMIC);
    let hidden = "static int g; void set(int v) { g = v; } void f(void); int root(void) { g = 1; f(); return g; }";
    assert_eq!(result(hidden), DYNAMIC);
    assert_eq!(result("static int g; void f(void); int root(void) { f(); return g; }"), STATIC);
}

#[test]
fn a_pointer_from_outside_may_lead_to_what_went_outside() {
    assert_eq!(result("int root(int *p) { int a = 1; *p = 2; return a; }"), STATIC);
    assert_eq!(result("int g; int root(int *p) { g = 1; *p = 2; return g; }"), DYNAMIC);
    assert_eq!(result("static int g; int root(int *p) { g = 1; *p = 2; return g; }"), STATIC);
    assert_eq!(result("int root(int *p, int *q) { *p = 1; *q = 2; return *p; }"), DYNAMIC);
    assert_eq!(result("int root(int *p) { *p = 1; return *p; }"), STATIC);
    let two = "struct s { int a; int b; }; int root(struct s *p) { p->a = 1; p->b = 2; return p->a; }";
    assert_eq!(result(two), STATIC);
    // What p points to now is not what it pointed to then.
    let moved = "struct s { struct s *next; int a; }; \
                 int root(struct s *p, struct s **q) { p->next->a = 1; *q = p; return p->next->a; }";
    assert_eq!(result(moved), DYNAMIC);
}

#[test]
fn a_dynamic_index_reaches_all_elements_and_no_other_member() {
    let text = |result: &str| {
        format!(
            "struct s {{ int before; int a[4]; int after; }}; \
             int root(int i) {{ struct s s; s.before = 1; s.after = 1; s.a[2] = 1; s.a[i] = 1; return {result}; }}"
        )
    };
    assert_eq!(result(&text("s.before + s.after")), STATIC);
    assert_eq!(result(&text("s.a[2]")), DYNAMIC);
    assert_eq!(result("int root(int i) { int a[2]; a[0] = 1; a[1] = 1; return a[i]; }"), DYNAMIC);
}

#[test]
fn a_buffer_at_the_end_of_a_structure_leaves_the_members_before_it_alone() {
    let text = "
struct data { int size; char *at; char buffer[1]; };
void *malloc(unsigned long);
void fill(struct data *data, const char *from, int count) {
    data->at = data->buffer;
    while (count--) *data->at++ = *from++;
}
int root(struct data *data, const char *from, int count) {
    struct data own;
    own.size = 3;
    fill(&own, from, count);
    return own.size;
}";
    assert_eq!(result(text), STATIC);
}

#[test]
fn unions_and_copies_are_read_as_they_were_written() {
    assert_eq!(
        result("union u { int a; char b[4]; }; int root(int d) { union u u; u.a = d; return u.b[0]; }"),
        DYNAMIC
    );
    let copied = "struct s { int a; int b; }; int root(int d) { \
                  struct s s, t; s.a = 1; s.b = d; t = s; return RESULT; }";
    assert_eq!(result(&copied.replace("RESULT", "t.a")), STATIC);
    assert_eq!(result(&copied.replace("RESULT", "t.b")), DYNAMIC);
    let by_bytes = copied.replace("t = s", "__builtin_memcpy(&t, &s, sizeof t)");
    assert_eq!(result(&by_bytes.replace("RESULT", "t.a")), STATIC);
    assert_eq!(result(&by_bytes.replace("RESULT", "t.b")), DYNAMIC);
    assert_eq!(
        result(
            "struct s { int a; }; struct s f(struct s s) { s.a++; return s; } \
                       int root(void) { struct s s; s.a = 1; return f(s).a; }"
        ),
        STATIC
    );
}

#[test]
fn bit_fields_of_one_word_have_binding_times_of_their_own() {
    let text =
        "struct s { unsigned a : 3; unsigned b : 5; }; int root(int d) { struct s s; s.a = 1; s.b = d; return R; }";
    assert_eq!(result(&text.replace('R', "s.a")), STATIC);
    assert_eq!(result(&text.replace('R', "s.b")), DYNAMIC);
}

#[test]
fn the_number_of_an_address_is_never_known() {
    assert_eq!(result("int root(void) { int a; return (unsigned long)&a > 4096; }"), DYNAMIC);
    assert_eq!(result("int root(void) { int a[4]; return &a[3] - &a[1]; }"), STATIC);
    assert_eq!(result("int root(void) { int a = 5; long n = (long)&a; return *(int *)n; }"), STATIC);
    assert_eq!(result("int root(char *p) { return p == 0; }"), DYNAMIC);
    assert_eq!(result("int root(char *p) { char *q = p + 3; return q - p; }"), STATIC);
    assert_eq!(result("int root(void) { int a; return &a == 0; }"), STATIC);
}

#[test]
fn an_allocation_may_fail_but_what_it_gives_is_followed() {
    let text = "void *__builtin_alloca(unsigned long); int root(int d) { \
                int *p = __builtin_alloca(8); if (p == 0) return d; p[0] = 7; p[1] = d; return p[0]; }";
    let case = Case::new(text, Sensitivities::default());
    assert_eq!(case.tests("p == 0"), [Action::Identity]);
    assert_eq!(case.stores("p[0] = 7"), [Action::Evaluate]);
}

#[test]
fn volatile_objects_and_assembly_are_left_alone() {
    assert_eq!(result("int root(void) { volatile int a = 1; return a; }"), DYNAMIC);
    assert_eq!(result("int root(void) { int a = 1; __asm__(\"\" : \"+r\"(a)); return a; }"), DYNAMIC);
    assert_eq!(result("int root(void) { int a = 1; __asm__ volatile(\"\" ::: \"memory\"); return a; }"), STATIC);
}

#[test]
fn recursion_ends_and_each_activation_has_its_locals() {
    assert_eq!(result("int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int root(void) { return f(9); }"), STATIC);
    assert_eq!(result("int f(int n) { return n < 2 ? 1 : n * f(n - 1); } int root(int d) { return f(d); }"), DYNAMIC);
    let locals = "
int f(int n, int *outer) {
    int own = 1;
    if (n > 0) { *outer = n; f(n - 1, &own); }
    return own;
}
int root(int d) { int a = 1; return f(d, &a); }";
    assert_eq!(result(locals), DYNAMIC);
    let endless = "int f(int n) { return f(n + 1); } int root(int d) { if (d) f(0); return 1; }";
    assert_eq!(result(endless), STATIC);
}

#[test]
fn further_arguments_are_told_apart() {
    let text = "
int pick(int which, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, which);
    int first = __builtin_va_arg(list, int);
    int second = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return R;
}
int root(int d) { return pick(1, 5, d); }";
    assert_eq!(result(&text.replace('R', "first")), STATIC);
    assert_eq!(result(&text.replace('R', "second")), DYNAMIC);
}

#[test]
fn lists_on_the_stack_and_tables_are_followed_through_loops() {
    let text = "
struct node { struct node *next; int (*f)(int); int value; };
int twice(int a) { return a + a; }
int minus(int a) { return -a; }
int root(int d) {
    struct node last = { 0, minus, 3 }, first = { &last, twice, 2 };
    int sum = 0;
    for (struct node *n = &first; n; n = n->next) sum += n->f(n->value);
    last.value = d;
    return sum;
}";
    assert_eq!(result(text), STATIC);
    let table = "static const struct { char name; int (*f)(int); } table[] = { {'a', one}, {'b', two} };";
    let text = format!(
        "static int one(int a) {{ return a; }} static int two(int a) {{ return 2 * a; }} {table} \
         int root(int d) {{ int sum = 0; for (int i = 0; i < 2; i++) if (table[i].name == 'b') sum += table[i].f(3); \
         return sum; }}"
    );
    assert_eq!(result(&text), STATIC);
}

#[test]
fn a_scenario_may_describe_what_a_parameter_points_to() {
    let text = "struct s { int a; int b; }; int root(struct s *p, int *q) { *q = 1; return R; }";
    let described = |result: &str| {
        let members = vec![Member { offset: 0, size: 4, time: STATIC }];
        let entry = Entry::Object { otherwise: DYNAMIC, members };
        let text = text.replace('R', result);
        let case = Case::with(&text, &Options::default(), |root| root.parameters = vec![entry.clone()]);
        case.returned(case.root())
    };
    assert_eq!((described("p->a"), described("p->b")), (STATIC, DYNAMIC));
    let known = "int root(int a, int b) { return R; }";
    let root = |result: &str| {
        let options = Options::default();
        let case = Case::with(&known.replace('R', result), &options, |root| root.parameters = vec![Entry::Static]);
        case.returned(case.root())
    };
    assert_eq!((root("a"), root("b")), (STATIC, DYNAMIC));
}

#[test]
fn a_program_that_starts_here_knows_its_variables() {
    let text = "int g = 3; int root(void) { return g; }";
    let start = |starts: bool| {
        let case = Case::with(text, &Options::default(), |root| root.starts_program = starts);
        case.returned(case.root())
    };
    assert_eq!((start(true), start(false)), (STATIC, DYNAMIC));
}

#[test]
fn large_programs_are_looked_at_less_closely_and_the_analysis_ends() {
    let text = "int f(int n, int m) { int s = 0; for (int i = 0; i < n; i++) s += m > n ? f(n - 1, m) : i; return s; }
        int root(int m) { return f(1, m) + f(2, m) + f(3, m) + f(4, 1) + f(5, 2); }";
    let mut extents = Vec::new();
    for blocks_most in [10_000, 120, 5] {
        let options = crate::Options { blocks_most, ..crate::Options::default() };
        extents.push(Case::with(text, &options, |_| {}).analysis.extent());
    }
    assert_eq!(extents[0], crate::Extent::Whole);
    assert!(extents.is_sorted(), "{extents:?}");
    assert_eq!(extents[2], crate::Extent::Unfinished);
}
