//! What every front end of an interface language is held to. In: the front end's reader. Out: its good files are the AOI
//! beside them, its bad files get the errors that stand beside them, and whatever text it is given, what comes of it can be shown,
//! checked and read back.

use std::path::Path;

use aoi::Aoi;
use source::{Diagnostic, FileId, SourceMap, render};

use crate::announced::bad_files;
use crate::files::{Failures, inputs, load};

/// A front end under test.
#[derive(Clone, Copy)]
pub struct FrontEnd<'a> {
    /// Its crate.
    pub package: &'a str,
    /// What its files end with, without the dot.
    pub extension: &'a str,
    pub parse: fn(&SourceMap, FileId) -> (Aoi, Vec<Diagnostic>),
}

impl FrontEnd<'_> {
    /// Each file of the folder is the AOI beside it (`.aoi`), with warnings at most (`.stderr`).
    ///
    /// # Panics
    /// Where that does not hold.
    pub fn good_files(&self, folder: &Path) {
        let mut failures = Failures::default();
        for path in inputs(folder, self.extension) {
            let (map, file) = load(&path);
            let (aoi, findings) = (self.parse)(&map, file);
            let shown = render::full(&map, &findings);
            if findings.iter().any(Diagnostic::is_error) {
                failures.add(format!("{}\n{shown}", path.display()));
            }
            failures.compare(&path, "aoi", &aoi::text::print(&aoi));
            failures.compare(&path, "stderr", &shown);
            if let Err(problem) = holds(aoi) {
                failures.add(format!("{}: {problem}", path.display()));
            }
        }
        failures.report(self.package);
    }

    /// Each file of the folder is given what stands beside it (`.stderr`), where its comments `//~ error[x-001]` announce it.
    ///
    /// # Panics
    /// Where that does not hold.
    pub fn bad_files(&self, folder: &Path) {
        bad_files(self.package, inputs(folder, self.extension), |map, file| (self.parse)(map, file).1);
    }

    /// Reads a text as it stands and, where it has lines that begin with `#`, as a preprocessor's output, too. True where it
    /// holds no error.
    ///
    /// # Panics
    /// Where what comes of it cannot be shown, is no good AOI, or reads back differently.
    pub fn survives(&self, text: &str) -> bool {
        survives(text, self.extension, |map, file| {
            let (aoi, findings) = (self.parse)(map, file);
            if findings.iter().any(Diagnostic::is_error) {
                aoi::text::print(&aoi);
            } else if let Err(problem) = holds(aoi) {
                panic!("{problem}, of {text:?}");
            }
            findings
        })
    }
}

/// Has a text read as it stands and, where it has lines that begin with `#`, as a preprocessor's output, too; what is found
/// can be shown. True where no error is found.
///
/// # Panics
/// Where what is found cannot be shown, or `read` panics.
pub fn survives(text: &str, extension: &str, read: impl Fn(&SourceMap, FileId) -> Vec<Diagnostic>) -> bool {
    let mut is_good = true;
    for preprocessed in [false, true].into_iter().filter(|preprocessed| !preprocessed || text.contains("\n#")) {
        let mut map = SourceMap::new();
        let name = format!("mutated.{extension}");
        let file = if preprocessed { map.add_preprocessed(name, text) } else { map.add(name, text) };
        if preprocessed {
            map.add_original("f", "struct a {\n long x; \\\n");
        }
        let findings = read(&map, file);
        // Showing takes longer than reading.
        if text.len().is_multiple_of(8) {
            assert!(!render::full(&map, &findings).is_empty() || findings.is_empty());
            assert_eq!(render::short(&map, &findings).lines().count(), findings.len());
            assert_eq!(render::json(&map, &findings).lines().count(), findings.len());
        }
        is_good &= !findings.iter().any(Diagnostic::is_error);
    }
    is_good
}

/// What a correct front end makes of a text without errors is good AOI, and its text form reads back.
fn holds(aoi: Aoi) -> Result<(), String> {
    let broken = aoi::verify(&aoi);
    if !broken.is_empty() {
        return Err(format!("it is not good AOI: {broken:?}"));
    }
    let (read, errors) = aoi::text::parse(&aoi::text::print(&aoi));
    if !errors.is_empty() || read != aoi.without_spans() {
        return Err(format!("the text form reads back differently: {errors:?}"));
    }
    Ok(())
}
