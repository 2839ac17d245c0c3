//! Functions that run without being called: constructors before `main`, destructors after it, and what stands in the
//! sections whose functions the system runs.

use cast::{Declaration, Storage};
use core_c::{FunctionId, Linkage, Program};
use specialize::Hooks;

/// What runs before and after `main`, by the attributes of declarations.
pub(crate) fn hooks(source: &cast::Program, program: &Program) -> Hooks {
    let mut hooks = Hooks::default();
    for (unit, found) in source.units.iter().enumerate() {
        let mut look = |name: &str, attributes: &str| {
            if has(attributes, "constructor") || has(attributes, "ifunc") {
                hooks.before.extend(named(program, unit, name));
            }
            if has(attributes, "destructor") {
                hooks.after.extend(named(program, unit, name));
            }
        };
        for declaration in &found.file.declarations {
            if let Declaration::Function(function) | Declaration::Prototype(function) = declaration {
                look(&function.name, &attributes(function));
            }
        }
        for declaration in &found.file.declarations {
            let Declaration::Variable(variable) = declaration else { continue };
            let text = variable.spelling.as_deref().unwrap_or_default();
            let list = match () {
                () if text.contains("init_array") => &mut hooks.before,
                () if text.contains("fini_array") => &mut hooks.after,
                () => continue,
            };
            let object = program.globals.iter().find(|(_, global)| global.name == variable.name);
            let parts = object.into_iter().flat_map(|(_, global)| global.initial.iter().flatten());
            parts.for_each(|part| {
                part.value.walk(&mut |value| {
                    if let core_c::ExpressionKind::Function(function) = value.kind {
                        list.push(function);
                    }
                });
            });
        }
    }
    hooks.before.dedup();
    hooks.after.dedup();
    hooks
}

/// What nobody has to mention for it to be there: the program runs it, or keeps it for who looks at sections.
pub(crate) fn is_used(spelling: &str) -> bool {
    ["constructor", "destructor", "used", "retain", "section", "ifunc"].iter().any(|word| has(spelling, word))
}

/// The attributes of a function, as they are written.
pub(crate) fn attributes(function: &cast::Function) -> String {
    let spelling = function.spelling.iter().map(String::as_str);
    spelling.chain(function.attributes.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

/// The objects of the scenario's unit that its file holds whether something here mentions them or not.
pub(crate) fn objects(source: &cast::Program, program: &Program) -> Vec<core_c::GlobalId> {
    let declarations = source.units.first().map(|unit| &unit.file.declarations[..]).unwrap_or_default();
    let mut found = Vec::new();
    for declaration in declarations {
        let Declaration::Variable(variable) = declaration else { continue };
        let is_external = matches!(variable.storage, Storage::Automatic);
        let is_kept = variable.spelling.as_deref().is_some_and(is_used);
        if variable.header.is_some() || !(is_external || is_kept) {
            continue;
        }
        let object = program.globals.iter().find(|(_, global)| global.name == variable.name);
        found.extend(object.filter(|(_, global)| global.initial.is_some()).map(|(id, _)| id));
    }
    found
}

/// The function of that name as a unit knows it.
fn named(program: &Program, unit: usize, name: &str) -> Option<FunctionId> {
    let is_it = |function: &core_c::Function| {
        function.name == name && (function.linkage == Linkage::External || function.unit == Some(unit))
    };
    program.functions.iter().find(|(_, function)| is_it(function)).map(|(id, _)| id)
}

/// True where `__attribute__((word))` or `__attribute__((__word__))` is in a declaration's text.
fn has(text: &str, word: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("__attribute") {
        let inside = &rest[at..][..closing(&rest[at..])];
        let mut words = inside.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').skip(1);
        if words.any(|found| found.trim_matches('_') == word) {
            return true;
        }
        rest = &rest[at + inside.len()..];
    }
    false
}

/// The length of a text up to the end of its first pair of parentheses.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return at + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::has;

    #[test]
    fn only_attributes_count() {
        for (text, is_one) in [
            ("__attribute__((constructor)) static void f(void)", true),
            ("static void f(void) __attribute__((unused, __constructor__(101)))", true),
            ("static void f(int constructor)", false),
            ("__attribute__((unused)) static void constructor(void)", false),
            ("__attribute__((unused)) __attribute ((constructor)) void f(void)", true),
        ] {
            assert_eq!(has(text, "constructor"), is_one, "{text}");
        }
    }
}
