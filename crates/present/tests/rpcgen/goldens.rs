//! Goldens: `.x` and, beside it, what each output should be.

use std::path::Path;

use filetest::{golden, oracle};
use libtest_mimic::Trial;

use crate::generate::{self, Flags};

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let goldens = golden::find(root, "x").into_iter().map(|case| {
        let name = format!("golden/{}", case.name(root));
        oracle::trial(name, &["cpp"], move || {
            let actual = generate::output(&case.input, &Flags(case.options.clone()), &case.kind)?;
            golden::check(&case, &actual, "BLESS=1 cargo test -p present --test rpcgen")
        })
    });
    goldens.collect()
}
