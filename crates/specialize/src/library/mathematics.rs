//! Functions of `<math.h>` on known numbers, as compilers compute them, too. What sets `errno`, raises an exception other
//! than inexact, or gives no number is left to the residual program.

/// The result of a function of binary64, or of its binary32 counterpart (`sinf`) on the same values.
pub(crate) fn known(name: &str, arguments: &[f64]) -> Option<f64> {
    let result = match (name, arguments) {
        // Exact, or rounded once, by IEEE 754.
        ("fabs", [x]) => x.abs(),
        ("floor", [x]) => x.floor(),
        ("ceil", [x]) => x.ceil(),
        ("trunc", [x]) => x.trunc(),
        ("round", [x]) => x.round(),
        ("sqrt", [x]) => x.sqrt(),
        ("copysign", [x, y]) => x.copysign(*y),
        // Which of two zeros is greater is not said.
        ("fmin", [x, y]) if *x != *y => x.min(*y),
        ("fmax", [x, y]) if *x != *y => x.max(*y),
        // As exact as the library that whittle runs on.
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("atan", [x]) => x.atan(),
        ("exp", [x]) => x.exp(),
        ("log", [x]) => x.ln(),
        ("log2", [x]) => x.log2(),
        ("log10", [x]) => x.log10(),
        ("atan2", [y, x]) => y.atan2(*x),
        ("pow", [x, y]) => x.powf(*y),
        ("hypot", [x, y]) => x.hypot(*y),
        _ => return None,
    };
    let is_plain = |value: f64| value == 0.0 || value.is_normal();
    let is_exact = result != 0.0 || !underflows(name, arguments);
    (is_exact && is_plain(result) && arguments.iter().all(|argument| is_plain(*argument))).then_some(result)
}

/// True where a result of zero is one that was too small, of which `errno` tells.
fn underflows(name: &str, arguments: &[f64]) -> bool {
    match (name, arguments) {
        ("exp", _) => true,
        ("pow" | "atan2", [first, _]) => *first != 0.0,
        _ => false,
    }
}

/// Those that are computed for binary32 by way of binary64: where rounding twice cannot differ from rounding once.
pub(crate) fn is_exact(name: &str) -> bool {
    matches!(name, "fabs" | "floor" | "ceil" | "trunc" | "round" | "sqrt" | "copysign" | "fmin" | "fmax")
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn what_sets_errno_is_left_alone() {
        assert_eq!(known("sqrt", &[-1.0]), None);
        assert_eq!(known("exp", &[1000.0]), None);
        assert_eq!(known("log", &[0.0]), None);
        assert_eq!(known("exp", &[-2000.0]), None);
        assert_eq!(known("pow", &[0.5, 2000.0]), None);
        assert_eq!(known("pow", &[0.0, 2.0]), Some(0.0));
        assert_eq!(known("log", &[1.0]), Some(0.0));
        assert_eq!(known("sqrt", &[16.0]), Some(4.0));
        assert_eq!(known("cos", &[-0.0]), Some(1.0));
    }
}
