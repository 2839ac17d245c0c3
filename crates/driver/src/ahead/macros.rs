//! How much text macros make, reckoned before anybody expands them. In: definitions, and words that use them. Out: a count of
//! bytes. Why: a preprocessor that expands 30 macros that use each other twice works for minutes, and may have nothing to
//! show for it. Each definition is weighed once: what it adds itself, and how often it repeats each argument.
//! Source: C11 section 6.10.3.

use std::collections::BTreeMap;

use super::tokens::Token;

/// Calls inside the arguments of calls that are looked into; what nests deeper counts as it stands.
const DEPTH: usize = 100;

/// What a text defines.
#[derive(Default)]
pub(super) struct Macros<'a> {
    all: BTreeMap<&'a str, Macro<'a>>,
}

struct Macro<'a> {
    /// None: it takes no parentheses.
    parameters: Option<Vec<&'a str>>,
    body: Vec<Token<'a>>,
    state: State,
}

enum State {
    New,
    /// Its own name in its expansion stays as it is.
    Open,
    Known(Weight),
    /// Two definitions, or none any more: who knows which one counts where.
    Unclear,
}

/// Bytes: so many, and so many times those of each parameter.
#[derive(Clone, Debug, Default)]
struct Weight {
    own: u64,
    of: Vec<u64>,
}

impl Weight {
    fn add(&mut self, other: &Weight, times: u64) {
        self.own = self.own.saturating_add(other.own.saturating_mul(times));
        for (mine, theirs) in self.of.iter_mut().zip(&other.of) {
            *mine = mine.saturating_add(theirs.saturating_mul(times));
        }
    }
}

impl<'a> Macros<'a> {
    /// Takes in a directive, if it defines or undefines something.
    pub(super) fn take(&mut self, directive: &[Token<'a>]) {
        let [kind, name, rest @ ..] = directive else { return };
        if kind.text == "undef"
            && let Some(known) = self.all.get_mut(name.text)
        {
            known.state = State::Unclear;
        }
        if kind.text != "define" {
            return;
        }
        // A parenthesis that touches the name opens the parameters.
        let takes = rest.first().is_some_and(|next| next.text == "(" && next.at == name.at + name.text.len());
        let end = rest.iter().position(|word| word.text == ")").filter(|_| takes);
        let (parameters, body) = match end {
            Some(end) => {
                let names = rest[1..end].iter().filter(|word| word.is_name()).map(|word| word.text);
                let dots = rest[1..end].iter().any(|word| word.text == ".").then_some("__VA_ARGS__");
                (Some(names.chain(dots).collect()), &rest[end + 1..])
            }
            None => (None, rest),
        };
        let new = Macro { parameters, body: body.to_vec(), state: State::New };
        self.all.entry(name.text).and_modify(|known| known.state = State::Unclear).or_insert(new);
    }

    /// Weighs all definitions, those first that others use. The way is a list, since chains may be long.
    pub(super) fn weigh_all(&mut self) {
        let names: Vec<&str> = self.all.keys().copied().collect();
        for start in names {
            let mut way = vec![start];
            while let Some(name) = way.last().copied() {
                match self.all.get_mut(name).map(|it| &mut it.state) {
                    Some(state @ State::New) => {
                        *state = State::Open;
                        let used = self.all.get(name).into_iter().flat_map(|it| &it.body).map(|word| word.text);
                        let is_new = |used: &&str| matches!(self.all.get(used), Some(Macro { state: State::New, .. }));
                        way.extend(used.filter(is_new).collect::<Vec<_>>());
                    }
                    Some(State::Open) => {
                        let weight = self
                            .all
                            .get(name)
                            .map(|it| self.weight(&it.body, it.parameters.as_deref().unwrap_or_default(), DEPTH));
                        if let (Some(it), Some(weight)) = (self.all.get_mut(name), weight) {
                            it.state = State::Known(weight);
                        }
                        way.pop();
                    }
                    _ => drop(way.pop()),
                }
            }
        }
    }

    /// The first word of a text with which its expansion has more than so many bytes; the bytes that are left otherwise.
    pub(super) fn spend(&self, words: &[Token<'a>], mut left: u64) -> Result<u64, usize> {
        let mut at = 0;
        while at < words.len() {
            let (weight, next) = self.step(words, at, &[], DEPTH);
            left = left.checked_sub(weight.own).ok_or(words[at].at)?;
            at = next;
        }
        Ok(left)
    }

    fn weight(&self, words: &[Token<'a>], parameters: &[&str], depth: usize) -> Weight {
        let mut sum = Weight { own: 0, of: vec![0; parameters.len()] };
        let mut at = 0;
        while at < words.len() {
            let (weight, next) = self.step(words, at, parameters, depth);
            sum.add(&weight, 1);
            at = next;
        }
        sum
    }

    /// What a word becomes, with the arguments behind it where it is called, and where the next one stands.
    fn step(&self, words: &[Token<'a>], at: usize, parameters: &[&str], depth: usize) -> (Weight, usize) {
        let word = words[at];
        let mut weight = Weight { own: word.text.len() as u64 + 1, of: vec![0; parameters.len()] };
        if let Some(parameter) = parameters.iter().position(|name| *name == word.text) {
            weight.own = 0;
            weight.of[parameter] = 1;
            return (weight, at + 1);
        }
        let Some(Macro { parameters: taken, state: State::Known(known), .. }) = self.all.get(word.text) else {
            return (weight, at + 1);
        };
        let Some(taken) = taken else {
            // One that makes nothing is work, too.
            weight.own = known.own.saturating_add(1);
            return (weight, at + 1);
        };
        let Some((arguments, end)) = arguments(words, at + 1).filter(|_| depth > 0) else { return (weight, at + 1) };
        weight.own = known.own.saturating_add(1);
        for (number, argument) in arguments.iter().enumerate() {
            // An argument is expanded, whether it is used or not; those too many belong to the last one.
            let times = known.of.get(number.min(taken.len().saturating_sub(1))).copied().unwrap_or(0).max(1);
            weight.add(&self.weight(argument, parameters, depth - 1), times);
        }
        (weight, end)
    }
}

/// The arguments of a call whose parenthesis stands at `at`, and where the call ends.
fn arguments<'w, 'a>(words: &'w [Token<'a>], at: usize) -> Option<(Vec<&'w [Token<'a>]>, usize)> {
    words.get(at).filter(|word| word.text == "(")?;
    let (mut found, mut begin, mut open) = (Vec::new(), at + 1, 0_usize);
    for (here, word) in words.iter().enumerate().skip(at + 1) {
        match word.text {
            "(" => open += 1,
            ")" if open > 0 => open -= 1,
            ")" => {
                found.push(&words[begin..here]);
                return Some((found, here + 1));
            }
            "," if open == 0 => {
                found.push(&words[begin..here]);
                begin = here + 1;
            }
            _ => {}
        }
    }
    None
}
