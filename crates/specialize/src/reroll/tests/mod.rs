//! Rows of statements and the loops they become.

mod build;
mod copies;
mod flow;
mod interpret;
mod random;
mod straight;

use core_c::{FunctionId, Program};

use super::{Policy, Unrolling, reroll};

/// Where the tests' functions find their objects, apart from each other.
const APART: [i128; 3] = [0x10_0000, 0x20_0000, 5];
/// The buffer begins inside the array.
const OVERLAPPING: [i128; 3] = [0x20_0004, 0x20_0000, 5];

fn policy(unrolling: Unrolling) -> Policy {
    Policy { unrolling, ..Policy::default() }
}

/// Folds, proves that nothing else has changed, and gives the loops' number and the text of the function.
fn folded((mut program, id): (Program, FunctionId), policy: &Policy) -> (usize, String) {
    let before: Vec<interpret::Seen> =
        [APART, OVERLAPPING].iter().map(|arguments| interpret::run(&program, id, arguments)).collect();
    let loops = reroll(&mut program, id, policy);
    let text = core_c::dump_function(&program, &program.functions[id]);
    assert_eq!(core_c::verify_function(&program, id), [], "the result is wrong:\n{text}");
    for (arguments, before) in [APART, OVERLAPPING].iter().zip(before) {
        assert_eq!(interpret::run(&program, id, arguments), before, "it does something else:\n{text}");
    }
    (loops.len(), text.lines().skip_while(|line| !line.starts_with("b0")).map(|line| format!("{line}\n")).collect())
}

fn check(built: (Program, FunctionId), loops: usize, expected: &str) {
    let (count, text) = folded(built, &policy(Unrolling::Fold));
    assert_eq!(text, expected);
    assert_eq!(count, loops);
}
