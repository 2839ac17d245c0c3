//! `cargo xtask size`: how large the object code of marshalling routines is beside rpcgen's, over the interface files that others wrote
//! and that are here (nothing is downloaded). In: names of packages or interface files, or none for all. Out: bytes for each file, their
//! sum and ratio, the worst files, and the ratio of compile times; with `--by pass`, the same without each pass of the optimizer; with
//! `--by type`, the bytes of each routine.

mod passes;
mod symbols;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::packages::making::Maker;
use crate::packages::recipe::{self, Origin, Package};
use crate::packages::{self, Pair, source};

const USAGE: &str = "size: [--by pass|type] [--whittle COMMAND] [--cc OPTION]... [PACKAGE | FILE.x]...";

/// What is measured.
pub(crate) struct Request {
    pub(crate) packages: Vec<(Package, PathBuf)>,
    pub(crate) whittle: PathBuf,
    /// More options for the compiler, such as `-Os`.
    pub(crate) cc: Vec<String>,
}

/// Sums over files that compile with both tools.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) files: u64,
    pub(crate) theirs: u64,
    pub(crate) ours: u64,
    pub(crate) their_time: u64,
    pub(crate) our_time: u64,
}

impl Sums {
    pub(crate) fn add(&mut self, pair: &Pair) {
        if pair.theirs.failure.is_some() || pair.ours.failure.is_some() {
            return;
        }
        self.files += 1;
        self.theirs += pair.theirs.size;
        self.ours += pair.ours.size;
        self.their_time += pair.theirs.milliseconds;
        self.our_time += pair.ours.milliseconds;
    }
}

/// Measures and prints.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    let mut by = "file";
    let (mut names, mut cc, mut whittle) = (Vec::new(), Vec::new(), None);
    let mut words = arguments.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| vec![USAGE.to_owned()]);
        match word {
            "--by" => by = value()?,
            "--whittle" => whittle = Some(value()?),
            "--cc" => cc.push(value()?.to_owned()),
            other if other.starts_with('-') => return Err(vec![USAGE.to_owned()]),
            name => names.push(name),
        }
    }
    let Maker::Whittle(whittle, _) = packages::command(whittle)? else { return Err(vec![USAGE.to_owned()]) };
    let request = Request { packages: chosen(&names)?, whittle, cc };
    match by {
        "file" => files(&request),
        "pass" => passes::run(&request),
        "type" => symbols::run(&request),
        _ => Err(vec![USAGE.to_owned()]),
    }
}

/// Packages that are here, and files as packages of their own.
fn chosen(names: &[&str]) -> Result<Vec<(Package, PathBuf)>, Vec<String>> {
    let (files, names): (Vec<&str>, Vec<&str>) = names.iter().partition(|name| name.ends_with(".x"));
    let mut chosen: Vec<(Package, PathBuf)> = files.iter().map(|file| alone(file)).collect::<Result<_, _>>()?;
    if !files.is_empty() && names.is_empty() {
        return Ok(chosen);
    }
    for package in recipe::chosen(&names)? {
        match source::root(&package, true) {
            Ok(root) => chosen.push((package, root)),
            Err(problem) => println!("size: {}: {problem}; `cargo xtask packages {0}` brings it", package.name),
        }
    }
    Ok(chosen)
}

/// An interface file of the user's.
fn alone(file: &str) -> Result<(Package, PathBuf), Vec<String>> {
    let path = Path::new(file).canonicalize().map_err(|problem| vec![format!("{file}: {problem}")])?;
    let (folder, name) = (path.parent().unwrap_or(Path::new("/")), path.file_name().unwrap_or_default());
    let own = |text: &str| text.to_owned();
    let package = Package {
        name: format!("alone-{}", path.file_stem().unwrap_or_default().to_string_lossy()),
        origin: Origin::Own,
        source: String::new(),
        files: vec![name.to_string_lossy().into_owned()],
        outputs: vec![(own(".h"), own("rpcgen -h -o $out $in")), (own("_xdr.c"), own("rpcgen -c -o $out $in"))],
        flags: format!("-I{}", folder.display()),
        prepare: String::new(),
        needs: Vec::new(),
        known: Vec::new(),
        is_quick: false,
        note: String::new(),
    };
    Ok((package, folder.to_owned()))
}

/// What a run of whittle with these options makes, beside rpcgen's. Packages that cannot be made are said and left out.
pub(crate) fn measured(request: &Request, options: &[&str]) -> Vec<(String, Vec<Pair>)> {
    let maker = Maker::Whittle(request.whittle.clone(), options.iter().map(|&option| option.to_owned()).collect());
    let more: Vec<&str> = ["-w"].into_iter().chain(request.cc.iter().map(String::as_str)).collect();
    let mut all = Vec::new();
    for (package, root) in &request.packages {
        match packages::compare(package, root, &maker, "size", packages::is_routines, &more) {
            Ok(pairs) => all.push((package.name.clone(), pairs)),
            Err(problem) => println!("size: {}: {problem}", package.name),
        }
    }
    all
}

fn files(request: &Request) -> Result<(), Vec<String>> {
    println!("Bytes of code, constants and variables of each object file of routines; rpcgen's, whittle's, ratio.");
    let mut total = Sums::default();
    let mut worst: Vec<(f64, String)> = Vec::new();
    let mut listing = String::from("package\tfile\trpcgen\twhittle\trpcgen ms\twhittle ms\n");
    for (package, pairs) in measured(request, &[]) {
        let mut sums = Sums::default();
        for pair in &pairs {
            total.add(pair);
            sums.add(pair);
            let name = format!("{package}: {}", pair.name);
            let failures = [("rpcgen", &pair.theirs.failure), ("whittle", &pair.ours.failure)];
            if let Some((who, problem)) = failures.iter().find_map(|(who, failure)| Some((who, failure.as_ref()?))) {
                println!("  {name:58} {who} fails: {problem}");
                continue;
            }
            println!("  {name:58} {}", line(pair.theirs.size, pair.ours.size));
            worst.push((ratio(pair.theirs.size, pair.ours.size), name.clone()));
            let _ = writeln!(
                listing,
                "{package}\t{}\t{}\t{}\t{}\t{}",
                pair.name, pair.theirs.size, pair.ours.size, pair.theirs.milliseconds, pair.ours.milliseconds
            );
        }
        println!("  {:58} {}", format!("{package}: {} files", sums.files), line(sums.theirs, sums.ours));
    }
    println!("sum of {} files: {}", total.files, line(total.theirs, total.ours).trim_start());
    println!(
        "compile time: {:.1} s, {:.1} s, {:.2}x",
        seconds(total.their_time),
        seconds(total.our_time),
        ratio(total.their_time, total.our_time)
    );
    worst.sort_by(|left, right| right.0.total_cmp(&left.0));
    println!("worst:");
    worst.iter().take(10).for_each(|(ratio, name)| println!("  {ratio:6.2}x  {name}"));
    let path = source::folder().join("size.tsv");
    std::fs::write(&path, listing).map_err(|problem| vec![format!("{}: {problem}", path.display())])?;
    println!("all numbers: target/packages/size.tsv");
    Ok(())
}

pub(crate) fn line(theirs: u64, ours: u64) -> String {
    format!("{theirs:>8} {ours:>8} {:>7.2}x", ratio(theirs, ours))
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files and times")]
pub(crate) fn ratio(theirs: u64, ours: u64) -> f64 {
    ours as f64 / theirs.max(1) as f64
}

#[expect(clippy::cast_precision_loss, reason = "times")]
fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}
