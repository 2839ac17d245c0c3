//! The chain of steps from a description to C, on one screen: `whittle passes` prints it. In: the stages and the passes over PLAN.
//! Out: a line for each, with the option that shows what it makes and the one that leaves it out.

use std::fmt::Write;

use stubs::passes::{PASSES, Pass};

const BEFORE: [[&str; 3]; 3] = [
    ["read", "text to AOI: what is agreed, without C and without bytes", "--emit tokens, --emit aoi"],
    ["present", "AOI to PRES_C: what messages hold, and how C has it, in a style", "--emit mint, --emit pres"],
    ["lower", "PRES_C to PLAN: an encoding applied, a check per item", "--print-after lower"],
];

const AFTER: [[&str; 3]; 2] = [
    ["emit", "PLAN to CAST: C as a tree, with the stubs of a link around it", ""],
    ["print", "CAST to text", "--emit cast"],
];

/// All steps in their order.
pub fn passes() -> String {
    let mut text = String::new();
    let mut row = |[name, does, seen]: [&str; 3]| {
        let _ = writeln!(text, "{}", format!("{name:<21} {does:<78} {seen}").trim_end());
    };
    row(["step", "does", "seen by"]);
    BEFORE.into_iter().for_each(&mut row);
    for pass in PASSES {
        row([&format!("  {}", pass.name), pass.summary, &seen(pass)]);
    }
    AFTER.into_iter().for_each(row);
    text.push_str(
        "\n--emit plan shows the plan behind the last pass; --no-opt PASS leaves out a pass without a star.\n",
    );
    text
}

fn seen(pass: &Pass) -> String {
    format!("--print-after {}{}", pass.name, if pass.required { " *" } else { "" })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_chain_fits_a_screen() {
        let text = super::passes();
        assert!(text.lines().count() <= 24, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 136), "{text}");
        let steps = crate::every_pass();
        assert!(steps.iter().all(|step| text.contains(&format!("--print-after {step}"))), "{text}");
    }
}
