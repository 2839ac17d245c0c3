//! The analysis as people read it: their own source, coloured by what is known when.
//!
//! In: the side tables, and the text that the spans refer to. Out: lines with marks ([`listing`]), and those as text
//! for a terminal or as one page of HTML that needs nothing else. Colours follow figure 8 of Muller, Volanschi and
//! Marlet, "Scaling up Partial Evaluation for Optimizing the Sun Commercial RPC Protocol" (1997).

mod html;
mod lines;
mod terminal;

pub use html::html;
pub use lines::{FunctionListing, Line, Mark, VariantListing, listing};
pub use terminal::{Style, terminal};

/// What is known of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Control does not come here.
    Unreached,
    /// Computed now: nothing of it is left.
    Static,
    /// Followed now, and left in the residual program, too.
    Both,
    /// Left for run time.
    Dynamic,
}

impl Colour {
    /// As the legend names it.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Unreached => "never reached",
            Colour::Static => "static: computed now",
            Colour::Both => "static and dynamic: used now, and left",
            Colour::Dynamic => "dynamic: left for run time",
        }
    }

    pub(crate) const ALL: [Colour; 4] = [Colour::Static, Colour::Both, Colour::Dynamic, Colour::Unreached];
}
