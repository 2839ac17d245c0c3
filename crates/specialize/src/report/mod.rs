//! What the specializer gave up, for people: each *generalization* says what is not known, where that came about, why,
//! and which tests stay in the residual program because of it.

pub(crate) mod blame;
pub(crate) mod trace;

use source::Span;

use crate::report::trace::Why;

/// Something that is not known where it could have decided something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generalization {
    pub cause: Cause,
    /// A variable, a part of one, a result; as people name it.
    pub what: String,
    /// The function in which it came about.
    pub function: String,
    pub span: Option<Span>,
    /// Residual tests that it leads to, where they stand in the source.
    pub tests: Vec<Option<Span>>,
}

/// Why something is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The scenario leaves it to run time.
    #[default]
    Parameter,
    /// Nobody says what memory holds when the function begins.
    Beginning,
    Volatile,
    /// A function without a body here does its work at run time.
    Result(String),
    /// A function of which too little is known may have changed it; without a name, one that a pointer leads to.
    Effects(Option<String>),
    /// A function of the program is called as it stands, and why.
    Kept(String, String),
    /// The address of a function goes where unknown code may call it.
    Escape,
    /// Something was written to a place that is not known.
    Store,
    /// It changes from round to round of a loop that no known test ends.
    Rounds,
    /// Paths meet that each know something else.
    Join,
    /// There were too many steps, statements or variants.
    Budget,
    /// Calls of a function that calls itself are made alike.
    Recursion(String),
    /// It was never set.
    Indeterminate,
    /// The number of an address.
    Address,
    /// An operation that is left to the compiler: it overflows, rounds, or is wider than what is computed here.
    Operation,
    /// Bytes of several values that only memory puts together.
    Bytes,
    /// The scenario says that it is to count as unknown.
    Asked,
    /// A sensitivity is switched off that would keep it.
    Insensitive,
}

impl Cause {
    /// The kind, in a few words.
    pub fn kind(&self) -> &'static str {
        match self {
            Cause::Parameter => "parameters",
            Cause::Beginning => "memory at the beginning",
            Cause::Volatile => "volatile reads",
            Cause::Result(_) => "results of run time",
            Cause::Effects(_) => "unknown effects",
            Cause::Kept(..) => "functions as they stand",
            Cause::Escape => "addresses that escape",
            Cause::Store => "stores to unknown places",
            Cause::Rounds => "rounds of loops",
            Cause::Join => "paths that join",
            Cause::Budget => "the budget",
            Cause::Recursion(_) => "recursion",
            Cause::Indeterminate => "indeterminate values",
            Cause::Address => "numbers of addresses",
            Cause::Operation => "operations left",
            Cause::Bytes => "mixed bytes",
            Cause::Asked => "the scenario's word",
            Cause::Insensitive => "sensitivities switched off",
        }
    }

    /// A sentence without capital and full stop.
    pub fn describe(&self) -> String {
        match self {
            Cause::Parameter => "the scenario leaves it to run time".to_owned(),
            Cause::Beginning => "what it holds at the beginning is not known".to_owned(),
            Cause::Volatile => "a volatile object is read at run time".to_owned(),
            Cause::Result(function) => format!("`{function}` does its work at run time"),
            Cause::Effects(Some(function)) => format!("`{function}` is called, which may change it"),
            Cause::Effects(None) => "a function is called that is not known, which may change it".to_owned(),
            Cause::Kept(function, why) => format!("`{function}` is called as it stands: {why}"),
            Cause::Escape => "its address goes where unknown code may call it".to_owned(),
            Cause::Store => "something is written to a place that is not known, and may be here".to_owned(),
            Cause::Rounds => "it changes from round to round, and no known test ends the loop".to_owned(),
            Cause::Join => "paths join here that each know something else of it".to_owned(),
            Cause::Budget => "the budget ended: there were too many steps, statements or variants".to_owned(),
            Cause::Recursion(function) => {
                format!("`{function}` calls itself under a test that is not known, with other values each time")
            }
            Cause::Indeterminate => "it was never set".to_owned(),
            Cause::Address => "the number of an address decides, which is not known before run time".to_owned(),
            Cause::Operation => {
                "the operation is left to the compiler: overflow, rounding, or a wide number".to_owned()
            }
            Cause::Bytes => "only memory can put its bytes together".to_owned(),
            Cause::Asked => "the scenario says WHITTLE_DYNAMIC of it".to_owned(),
            Cause::Insensitive => "a sensitivity is switched off that would keep it known".to_owned(),
        }
    }
}

impl Generalization {
    /// `what: why`.
    pub fn describe(&self) -> String {
        format!("{}: {}", self.what, self.cause.describe())
    }

    /// What would keep it known, where anything would.
    pub fn help(&self) -> Option<String> {
        let what = &self.what;
        let text = match &self.cause {
            Cause::Parameter => format!("give {what} a value in the scenario, or state one with WHITTLE_FACT"),
            Cause::Beginning => format!("set {what} in the scenario, or state its value with WHITTLE_FACT"),
            Cause::Result(_) => {
                "where one result is usual, say so with WHITTLE_USUALLY_RETURNS: that path is specialized apart"
                    .to_owned()
            }
            Cause::Effects(Some(function)) => format!("say what `{function}` does in a file for --effects"),
            Cause::Effects(None) => "make the function that is called known: it comes through a pointer".to_owned(),
            Cause::Volatile => {
                "where one value is usual, say so with WHITTLE_USUALLY: that path is specialized apart".to_owned()
            }
            Cause::Store => "say with WHITTLE_PRIVATE that no other pointer leads to the object".to_owned(),
            Cause::Address => "state the result of the test with WHITTLE_FACT, or with WHITTLE_USUALLY".to_owned(),
            Cause::Rounds => "make the number of rounds known".to_owned(),
            Cause::Budget => "allow more with --limit, or specialize less at once".to_owned(),
            _ => return None,
        };
        Some(text)
    }
}

impl Why {
    /// The origin and the way from there, a line each: where in the source, and what.
    pub fn lines(&self) -> Vec<(Option<Span>, String)> {
        let steps = self.steps.iter().map(|step| (step.span, format!("`{}` is computed from it", step.name)));
        std::iter::once((self.origin.span, self.origin.describe())).chain(steps).collect()
    }

    /// What would keep it known, where anything would.
    pub fn help(&self) -> Option<String> {
        self.origin.help()
    }
}
