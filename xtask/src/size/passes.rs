//! Where size comes from, by pass: the corpus compiled anew with each pass of the optimizer off. In: what is measured. Out: for each
//! pass, the sum without it, and what it adds or saves.

use super::{Request, Sums, measured, ratio};
use crate::packages::making;

/// Prints a line for each pass.
pub(super) fn run(request: &Request) -> Result<(), Vec<String>> {
    let sums = |options: &[&str]| {
        let mut sums = Sums::default();
        measured(request, options).iter().flat_map(|(_, pairs)| pairs).for_each(|pair| sums.add(pair));
        sums
    };
    let all = sums(&[]);
    println!("Bytes of all object files of routines; rpcgen's: {}.", all.theirs);
    let head = ["pass off", "bytes", "of rpcgen's", "change", "CPU ms"];
    println!("{:22}{:>10}{:>12}{:>9}{:>9}", head[0], head[1], head[2], head[3], head[4]);
    let print = |name: &str, sums: &Sums| {
        let change = format!("{:+.1} %", (ratio(all.ours, sums.ours) - 1.0) * 100.0);
        println!("{name:22}{:>10}{:>11.2}x{change:>9}{:>9}", sums.ours, ratio(sums.theirs, sums.ours), sums.our_time);
    };
    print("none", &all);
    let passes = names(request)?;
    for pass in &passes {
        print(pass, &sums(&[&format!("--no-opt={pass}")]));
    }
    let every: Vec<String> = passes.iter().map(|pass| format!("--no-opt={pass}")).collect();
    print("all", &sums(&every.iter().map(String::as_str).collect::<Vec<_>>()));
    Ok(())
}

/// The command says which passes there are when it is asked for one that is not.
fn names(request: &Request) -> Result<Vec<String>, Vec<String>> {
    let mut whittle = std::process::Command::new(&request.whittle);
    let said = making::run(whittle.args(["rpcgen", "--no-opt=?", "x.x"])).err().unwrap_or_default();
    let list = said.split_once(" one of ").and_then(|(_, rest)| Some(rest.split_once(", not ")?.0)).unwrap_or_default();
    let passes: Vec<String> = list.split(", ").map(str::to_owned).collect();
    if passes.len() < 3 {
        return Err(vec![format!("size: whittle does not say which passes there are: {said}")]);
    }
    Ok(passes)
}
