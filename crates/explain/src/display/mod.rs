//! The specializer's work as people read it: their own source, coloured by what became of it.
//!
//! In: the trace, and the text that the spans refer to. Out: lines with marks ([`listing`]), and those as text
//! for a terminal or as one page of HTML that needs nothing else. Colours follow figure 8 of Muller, Volanschi and
//! Marlet, "Scaling up Partial Evaluation for Optimizing the Sun Commercial RPC Protocol" (1997).

mod html;
mod lines;
mod terminal;

pub use html::html;
pub use lines::{FunctionListing, Line, Mark, listing};
pub use terminal::{Style, terminal};

/// What is known of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Control does not come here.
    Unreached,
    /// Computed: nothing of it is left.
    Computed,
    /// Computed at one time and left at another; or an address, of which the distance from an unknown place is computed.
    Both,
    /// Left for run time.
    Left,
}

impl Colour {
    /// As the legend names it.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Unreached => "never reached",
            Colour::Computed => "computed: nothing of it is left",
            Colour::Both => "both: computed in one case or part, left in another",
            Colour::Left => "left for run time",
        }
    }

    pub(crate) const ALL: [Colour; 4] = [Colour::Computed, Colour::Both, Colour::Left, Colour::Unreached];
}
