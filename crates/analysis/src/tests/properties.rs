//! The properties that Muller, Marlet and Volanschi ask of an analysis (section 3), on their own example: each on and
//! off.

use super::Case;
use crate::{Action, BindingTime, Sensitivities, Structure};

/// The layers of Sun RPC, cut down (figures 4, 5, 8 and 9 of the report).
pub(crate) const LAYERS: &str = "
typedef struct XDR XDR;
struct ops { int (*getlong)(XDR *, long *); int (*putlong)(XDR *, const long *); };
struct XDR { int x_op; const struct ops *x_ops; char *x_private; int x_handy; };
struct pair { long int1; long int2; };
long htonl(long value) { return ((value & 255) << 24) | ((value >> 24) & 255); }
int xdrmem_putlong(XDR *xdrs, const long *lp) {
    if ((xdrs->x_handy -= sizeof(long)) < 0) return 0;
    *(long *)xdrs->x_private = htonl(*lp);
    xdrs->x_private += sizeof(long);
    return 1;
}
int xdrmem_getlong(XDR *xdrs, long *lp) {
    if ((xdrs->x_handy -= sizeof(long)) < 0) return 0;
    *lp = htonl(*(long *)xdrs->x_private);
    xdrs->x_private += sizeof(long);
    return 1;
}
const struct ops memory = { xdrmem_getlong, xdrmem_putlong };
void xdrmem_create(XDR *xdrs, char *buffer, int size, int op) {
    xdrs->x_op = op;
    xdrs->x_ops = &memory;
    xdrs->x_private = buffer;
    xdrs->x_handy = size;
}
int xdr_long(XDR *xdrs, long *lp) {
    if (xdrs->x_op == 0) return xdrs->x_ops->putlong(xdrs, lp);
    if (xdrs->x_op == 1) return xdrs->x_ops->getlong(xdrs, lp);
    if (xdrs->x_op == 2) return 1;
    return 0;
}
int xdr_pair(XDR *xdrs, struct pair *objp) {
    if (!xdr_long(xdrs, &objp->int1)) return 0;
    if (!xdr_long(xdrs, &objp->int2)) return 0;
    return 1;
}
";

pub(crate) const ENCODE: &str = "
int root(char *buffer, struct pair *args) {
    XDR xdrs;
    xdrmem_create(&xdrs, buffer, 400, 0);
    return xdr_pair(&xdrs, args);
}
";

const DISPATCH: &str = "xdrs->x_op == 0";
const OVERFLOW: &str = "(xdrs->x_handy -= sizeof(long)) < 0";
const STATUS: &str = "!xdr_long(xdrs, &objp->int2)";

fn layers(scenario: &str, sensitivities: Sensitivities) -> Case {
    Case::new(&format!("{LAYERS}{scenario}"), sensitivities)
}

fn all() -> Sensitivities {
    Sensitivities::default()
}

#[test]
fn the_direction_the_overflow_and_the_status_are_decided_and_two_stores_remain() {
    let case = layers(ENCODE, all());
    for test in [DISPATCH, OVERFLOW, STATUS] {
        assert_eq!(case.tests(test), [Action::Reduce], "{test}");
    }
    assert_eq!(case.stores("*(long *)xdrs->x_private = htonl(*lp)"), [Action::Reduce]);
    assert_eq!(case.stores("xdrs->x_private += sizeof(long)"), [Action::Evaluate]);
    assert_eq!(case.calls("xdrs->x_ops->putlong(xdrs, lp)"), [Action::Reduce]);
    assert_eq!(case.returned(case.root()), BindingTime::Static);
}

#[test]
fn a_variant_for_encoding_has_no_part_for_decoding_while_numbers_decide_tests() {
    assert!(layers(ENCODE, all()).variants("xdrmem_getlong").is_empty());
    let blind = layers(ENCODE, Sensitivities { constants: false, ..all() });
    assert!(!blind.variants("xdrmem_getlong").is_empty());
    // The test is decided all the same: that the value is known is enough.
    assert_eq!(blind.tests(DISPATCH), [Action::Reduce]);
}

#[test]
fn the_classic_analysis_decides_nothing() {
    let case = layers(ENCODE, Sensitivities::none());
    for test in [DISPATCH, OVERFLOW, STATUS] {
        assert!(!case.tests(test).contains(&Action::Reduce), "{test}");
    }
    assert_eq!(case.returned(case.root()), BindingTime::Dynamic);
}

#[test]
fn what_a_function_returns_is_static_though_its_effects_are_not() {
    let case = layers(ENCODE, all());
    assert_eq!(case.tests(STATUS), [Action::Reduce]);
    let insensitive = layers(ENCODE, Sensitivities { returns: false, ..all() });
    assert!(!insensitive.tests(STATUS).contains(&Action::Reduce));
    assert_eq!(insensitive.tests(OVERFLOW), [Action::Reduce]);
    assert_eq!(insensitive.returned(insensitive.root()), BindingTime::Dynamic);
}

/// The procedure's number is known, the argument is not; one function encodes both (section 3.3).
const CONTEXTS: &str = "
long check(long value) { if (value < 7) return value; return 0; }
long root(long argument) {
    long procedure = 3;
    long known = check(procedure);
    long unknown = check(argument);
    return known ? unknown : 2;
}
";

#[test]
fn a_function_is_looked_at_once_for_each_state_it_is_called_in() {
    let case = Case::new(CONTEXTS, all());
    assert_eq!(case.variants("check").len(), 2);
    assert_eq!(case.tests("value < 7"), [Action::Reduce, Action::Identity]);
    assert_eq!(case.tests("known ? unknown : 2"), [Action::Reduce]);
    let merged = Case::new(CONTEXTS, Sensitivities { context: false, ..all() });
    assert_eq!(merged.variants("check").len(), 1);
    assert_eq!(merged.tests("value < 7"), [Action::Identity]);
    assert_eq!(merged.tests("known ? unknown : 2"), [Action::Identity]);
}

/// After the dynamic test nothing is known, before it and in its arms everything (section 3.4).
const FLOW: &str = "
int use(int value) { if (value > 2) return 1; return 0; }
int root(int received, int other) {
    int length = 4;
    int first = use(length);
    if (received < 0) {
        length = other;
        return first;
    }
    int second = use(length);
    length = other;
    return second;
}
";

#[test]
fn a_variable_is_static_until_it_becomes_dynamic() {
    let case = Case::new(FLOW, all());
    assert_eq!(case.tests("value > 2"), [Action::Reduce]);
    let insensitive = Case::new(FLOW, Sensitivities { flow: false, ..all() });
    assert_eq!(insensitive.tests("value > 2"), [Action::Identity]);
}

/// Two objects of one type, one of them dynamic: sending and receiving (section 3.2).
const TWO_OBJECTS: &str = "
int root(char *buffer, struct pair *args, int unknown) {
    XDR sending, receiving;
    xdrmem_create(&receiving, buffer, 400, unknown);
    xdrmem_create(&sending, buffer, 400, 0);
    return xdr_pair(&sending, args);
}
";

#[test]
fn one_object_of_a_type_may_be_static_where_another_is_dynamic() {
    let each = layers(TWO_OBJECTS, all());
    assert_eq!(each.tests(DISPATCH), [Action::Reduce]);
    let by_type = layers(TWO_OBJECTS, Sensitivities { structure: Structure::PerField, ..all() });
    assert!(!by_type.tests(DISPATCH).contains(&Action::Reduce));
    // Other members are not concerned.
    assert_eq!(by_type.tests(OVERFLOW), [Action::Reduce]);
}

/// A member that depends on run time beside one that does not.
const PARTLY: &str = "
int root(char *buffer, struct pair *args, int size) {
    XDR xdrs;
    xdrmem_create(&xdrs, buffer, size, 0);
    return xdr_pair(&xdrs, args);
}
";

#[test]
fn members_of_one_object_have_binding_times_of_their_own() {
    for structure in [Structure::PerObject, Structure::PerField] {
        let case = layers(PARTLY, Sensitivities { structure, ..all() });
        assert_eq!(case.tests(DISPATCH), [Action::Reduce]);
        assert!(!case.tests(OVERFLOW).contains(&Action::Reduce));
    }
    let whole = layers(PARTLY, Sensitivities { structure: Structure::Whole, ..all() });
    assert!(!whole.tests(DISPATCH).contains(&Action::Reduce));
}

/// Two pointers in one structure, one to what is known.
const TWO_POINTERS: &str = "
struct both { int *known; int *unknown; };
int root(int value) {
    int one = 1;
    struct both both;
    both.known = &one;
    both.unknown = &value;
    return *both.known;
}
";

#[test]
fn pointers_in_different_members_are_told_apart() {
    let case = Case::new(TWO_POINTERS, all());
    assert_eq!(case.returned(case.root()), BindingTime::Static);
    let merged = Case::new(TWO_POINTERS, Sensitivities { pointer_fields: false, ..all() });
    assert_eq!(merged.returned(merged.root()), BindingTime::Dynamic);
}

/// The received length is what it should be, or it is not (the report's section 3.4).
const TRICK: &str = "
int decode(int length) { if (length < 20) return 0; return 1; }
int root(int received) {
    int result = 2;
    if (received == 24) {
        result = decode(received);
    }
    return result;
}
";

#[test]
fn what_was_found_equal_to_a_known_value_is_known() {
    assert_eq!(Case::new(TRICK, all()).tests("length < 20"), [Action::Reduce]);
    let blind = Case::new(TRICK, Sensitivities { tests: false, ..all() });
    assert_eq!(blind.tests("length < 20"), [Action::Identity]);
}

#[test]
fn a_pointer_may_be_followed_now_and_stand_in_the_residual_program_too() {
    let case = layers(ENCODE, all());
    let putlong = case.variants("xdrmem_putlong")[0];
    let xdrs = case.parameter(putlong, 0);
    assert!(xdrs.both(), "{xdrs:?}");
    assert_eq!(case.tests(OVERFLOW), [Action::Reduce]);
    let insensitive = layers(ENCODE, Sensitivities { uses: false, ..all() });
    assert!(!insensitive.tests(OVERFLOW).contains(&Action::Reduce));
}

#[test]
fn a_number_that_run_time_needs_is_written_out_and_stays_static() {
    let text = "int out; void root(int unknown) { int known = 3; known = known + 1; out = unknown + known; }";
    for uses in [true, false] {
        let case = Case::new(text, Sensitivities { uses, ..all() });
        assert_eq!(case.sets("known + 1"), [Action::Evaluate]);
        assert_eq!(case.stores("out = unknown + known"), [Action::Rebuild]);
    }
}

/// The stream chooses its operations by the alignment of the buffer (libtirpc's `xdrmem_create`).
const ALIGNED: &str = "
void whittle_scenario_fact(int holds);
int plain(void) { return 1; }
int careful(void) { return 2; }
int root(char *buffer) {
    FACT
    int (*operation)(void) = ((unsigned long)buffer & 3) ? careful : plain;
    return operation();
}
";

#[test]
fn a_fact_about_an_address_decides_what_depends_on_its_low_bits() {
    let fact = "whittle_scenario_fact(((unsigned long)buffer & 3) == 0);";
    let known = Case::new(&ALIGNED.replace("FACT", fact), all());
    assert!(known.variants("careful").is_empty());
    assert_eq!(known.variants("plain").len(), 1);
    // Without it, both ways are followed: whichever is taken, the function is known.
    let unknown = Case::new(&ALIGNED.replace("FACT", ""), all());
    assert_eq!(unknown.variants("careful").len(), 1);
    assert_eq!(unknown.tests("(unsigned long)buffer & 3"), [Action::Identity]);
    assert_eq!(unknown.calls("operation()"), [Action::Evaluate]);
    let local = ALIGNED.replace("FACT", "int aligned; buffer = (char *)&aligned;");
    assert!(Case::new(&local, all()).variants("careful").is_empty());
}

/// What a call usually gives, on the scenario's word.
const USUAL: &str = "
void whittle_scenario_returns(const char *function, long long number);
int receive(char *buffer);
int decode(int length) { if (length < 20) return 0; return 1; }
int root(char *buffer) {
    USUAL
    int length = receive(buffer);
    if (length < 0) return 2;
    return decode(length);
}
";

#[test]
fn the_usual_result_of_a_call_is_followed_beside_all_others() {
    let said = USUAL.replace("USUAL", "whittle_scenario_returns(\"receive\", 24);");
    let case = Case::new(&said, all());
    assert_eq!(case.tests("length < 20"), [Action::Reduce, Action::Identity]);
    assert_eq!(Case::new(&USUAL.replace("USUAL", ""), all()).tests("length < 20"), [Action::Identity]);
}

/// A condition that holds more often than not.
#[test]
fn a_usual_condition_is_followed_beside_its_opposite() {
    let text = "
void whittle_scenario_usually(int holds);
int decode(int length) { if (length < 20) return 0; return 1; }
int root(int length) {
    whittle_scenario_usually(length == 24);
    return decode(length);
}
";
    assert_eq!(Case::new(text, all()).tests("length < 20"), [Action::Reduce, Action::Identity]);
}
