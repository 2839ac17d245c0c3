//! The link `shm`: where both sides meet if nobody says otherwise. In: a request and its header. Out: the header that names the
//! address. Source: `docs/guides/call-on-one-machine.md`.

use cast::{Declaration, Definition};
use pres::PresC;

use crate::{Link, Request, Style, options};

/// Names of shared memory are no longer: `runtime/net/local_name.c`.
const LONGEST: usize = 100;

/// The header; of the plain style, whose programs say themselves where they listen, with `#define COUNT_SHM_ADDRESS "shm:count"`.
pub(crate) fn header(request: &Request, pres: &PresC) -> Vec<Declaration> {
    let mut declarations = pres.header.clone();
    let is_plain = request.link == Link::Shm && request.style == Style::Plain;
    let (Some(Declaration::Conditional(guarded)), true, Ok(base)) =
        (declarations.last_mut(), is_plain, options::base(request))
    else {
        return declarations;
    };
    let word: String = base.word().chars().take(LONGEST).collect();
    let digit = if word.starts_with(|first: char| first.is_ascii_digit()) { "_" } else { "" };
    let name = format!("{digit}{}_SHM_ADDRESS", word.to_ascii_uppercase());
    let value = Some(cast::build::text(format!("shm:{}", word.to_ascii_lowercase())));
    guarded.then.extend([
        Declaration::comment("Where both sides meet on one machine, if they have no reason to meet elsewhere."),
        Declaration::Define(Definition { name, value }),
        Declaration::Blank,
    ]);
    declarations
}
