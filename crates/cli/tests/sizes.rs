//! `--sizes` is about what the compiler makes of the routines, whatever is preferred.

use std::fs;

use filetest::oracle;
use filetest::scratch::Scratch;

const DESCRIPTION: &str = "const MOST = 100;\nenum kind { ONE = 1, TWO = 2, THREE = 3 };\ntypedef string name<MOST>;\n\
    typedef opaque handle[32];\nstruct stamp { unsigned seconds; unsigned fraction; };\n\
    struct entry { name called; handle what; stamp made; stamp changed; kind of; entry *next; };\n\
    union answer switch (kind k) { case ONE: entry found; case TWO: int error; default: void; };\n\
    struct block { handle of; opaque data<8192>; bool is_last; };\nstruct numbers { int all<MOST>; hyper sums[4]; };\n\
    struct request { handle of; numbers what; name names<10>; };\nstruct reply { answer is; block parts<>; };\n";

/// Bytes of code, constants and variables of an object file.
fn measured(folder: &Scratch) -> f64 {
    let mut size = oracle::command("size");
    let output = oracle::succeed(size.current_dir(folder.path()).args(["-A", "d_xdr.o"])).expect("sections");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sections =
        text.lines().filter(|line| [".text", ".rodata", ".data", ".bss"].iter().any(|s| line.starts_with(s)));
    sections.filter_map(|line| line.split_whitespace().nth(1)?.parse::<f64>().ok()).sum()
}

#[test]
fn sizes_are_about_what_a_compiler_makes() {
    let folder = Scratch::new("sizes").expect("a folder");
    fs::write(folder.path().join("d.x"), DESCRIPTION).expect("a file");
    let whittle = |options: &[&str]| {
        let mut whittle = std::process::Command::new(env!("CARGO_BIN_EXE_whittle"));
        let whittle = whittle.current_dir(folder.path()).args(["rpcgen", "--if-changed"]).args(options).arg("d.x");
        String::from_utf8_lossy(&oracle::succeed(whittle).expect("output").stdout).into_owned()
    };
    for prefer in ["speed", "balance", "size"] {
        let said = whittle(&["--prefer", prefer, "--sizes"]);
        let sum = said.lines().last().and_then(|line| line.split_whitespace().nth(1)).map(str::parse::<f64>);
        let Some(Ok(sum)) = sum else { panic!("{said}") };
        assert!(!folder.path().join("d_xdr.c").exists() || prefer != "speed", "nothing is written");
        whittle(&["--prefer", prefer]);
        let mut gcc = oracle::command("gcc");
        gcc.current_dir(folder.path()).args(["-O2", "-w", "-isystem", "/usr/include/tirpc", "-c", "d_xdr.c"]);
        oracle::succeed(&mut gcc).expect("an object file");
        let ratio = sum / measured(&folder);
        assert!((0.75..1.33).contains(&ratio), "--prefer {prefer}: {ratio} times\n{said}");
    }
}
