//! Names that C's headers have taken already. In: `library/macros.txt` and `library/declared.txt`. Out: what a name is, to whom. Why: the C
//! compiler would speak of such a name in its own words, about a file that nobody wrote; and a function that has the name of one of the C
//! library's takes its place without a word.
//!
//! One name a line, in order, and letters that say whose files meet it: `r` those of rpcgen's style (`rpc/rpc.h` of libtirpc with glibc, what
//! `b_xdr.c` includes and does not keep to itself, and `errno`), `c` those of the C mapping of CORBA (`whittle_corba.h`, `whittle_giop.h`), `l`
//! others that include headers of C and POSIX, or are linked with the C library. Macros with arguments have `t` in place of `r` and
//! `f` in place of `c`; what `rpc/rpc.h` declares in C++ alone, where g++ asks for all that the C library has, has `p`. Behind them, of what is no macro, `value` (a function, a variable,
//! an enumerator), `typedef` and `tag`. They are what `gcc -dM -E`, `clang -ast-dump` and `nm -D` say, without names that begin with `_`.

use std::sync::LazyLock;

use aoi::{Aoi, DefinitionId, DefinitionKind};
use cast::{Conditional, Declaration};
use escape::keywords::{is_of_c, is_of_cpp, is_of_gnu_c};
use pres::LinkKind;
use source::{Diagnostic, Span};

use crate::errors;
use crate::order::Entry;

const MACROS: &str = include_str!("library/macros.txt");
const DECLARED: &str = include_str!("library/declared.txt");

/// Whose files meet a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    Rpcgen,
    Corba,
    /// What those of rpcgen's style meet in C++ alone.
    RpcgenInCpp,
    /// Macros with arguments that those of rpcgen's style meet, and all over libtirpc.
    RpcgenCalls,
    /// Macros with arguments that those of CORBA's style meet.
    CorbaCalls,
    Others,
}

/// The names that some files meet.
#[derive(Debug)]
pub(crate) struct Names {
    macros: Vec<&'static str>,
    declared: Vec<(&'static str, &'static str)>,
}

impl Names {
    pub(crate) fn of(files: Files) -> Names {
        let letter = match files {
            Files::Rpcgen => 'r',
            Files::RpcgenInCpp => 'p',
            Files::RpcgenCalls => 't',
            Files::Corba => 'c',
            Files::CorbaCalls => 'f',
            Files::Others => 'l',
        };
        let lines = |list: &'static str| list.lines().filter_map(|line| line.split_once(' '));
        let macros = lines(MACROS).filter(|(_, files)| files.contains(letter)).map(|(name, _)| name).collect();
        let declared = lines(DECLARED).filter_map(|(name, rest)| {
            let (files, kinds) = rest.split_once(' ')?;
            files.contains(letter).then_some((name, kinds))
        });
        Names { macros, declared: declared.collect() }
    }

    pub(crate) fn is_macro(&self, name: &str) -> bool {
        self.macros.binary_search(&name).is_ok()
    }

    /// True where the headers declare anything of this name that is no macro.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        self.declared.binary_search_by_key(&name, |(declared, _)| declared).is_ok()
    }

    /// True where the headers declare it as this: `value`, `typedef`, `tag`.
    pub(crate) fn is(&self, name: &str, kind: &str) -> bool {
        let found = self.declared.binary_search_by_key(&name, |(declared, _)| declared);
        found.is_ok_and(|at| self.declared[at].1.split(' ').any(|one| one == kind))
    }
}

/// How a style calls definitions and members of enumerations.
pub(crate) struct Naming {
    pub(crate) of_definition: fn(&Aoi, DefinitionId) -> String,
    pub(crate) of_member: fn(&aoi::Definition, &str) -> String,
}

/// Where libtirpc carries calls, its headers are included beside the style's own: what it declares the file cannot.
pub(crate) fn taken_by_libtirpc(aoi: &Aoi, entries: &[Entry], link: LinkKind, naming: &Naming) -> Vec<Diagnostic> {
    if link != LinkKind::Tirpc {
        return Vec::new();
    }
    let (names, mut found) = (Names::of(Files::Rpcgen), Vec::new());
    let mut check = |name: &str, is_record: bool, span: Span| {
        let is_taken = names.is(name, "value") || names.is(name, "typedef") || is_record && names.is(name, "tag");
        if is_taken || names.is_macro(name) {
            found.push(errors::name_of_libtirpc(name, span));
        }
    };
    for entry in entries {
        let Entry::Definition(id) = entry else { continue };
        let definition = &aoi.definitions[*id];
        let is_record = matches!(definition.kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_));
        check(&(naming.of_definition)(aoi, *id), is_record, definition.span);
        if let DefinitionKind::Enumeration(enumeration) = &definition.kind {
            let members = &enumeration.members;
            members.iter().for_each(|of| check(&(naming.of_member)(definition, &of.name), false, of.span));
        }
    }
    found
}

/// A macro of the description ends one of the headers before, as `MAX` of `sys/param.h` or `EOF`: the compiler would warn that it is another
/// now.
pub(crate) fn end_macros(declarations: Vec<Declaration>) -> Vec<Declaration> {
    static ENDED: LazyLock<[Names; 4]> =
        LazyLock::new(|| [Files::Rpcgen, Files::RpcgenCalls, Files::Corba, Files::Others].map(Names::of));
    let mut ended = Vec::with_capacity(declarations.len());
    for declaration in declarations {
        match declaration {
            Declaration::Define(definition) => {
                let undefined = || Declaration::Undefine(definition.name.clone());
                ended.extend(ENDED.iter().any(|names| names.is_macro(&definition.name)).then(undefined));
                ended.push(Declaration::Define(definition));
            }
            Declaration::Conditional(Conditional { condition, then, otherwise }) => {
                let [then, otherwise] = [then, otherwise].map(end_macros);
                ended.push(Declaration::Conditional(Conditional { condition, then, otherwise }));
            }
            Declaration::ExternC(inner) => ended.push(Declaration::ExternC(end_macros(inner))),
            other => ended.push(other),
        }
    }
    ended
}

/// What C keeps for itself, and two macros that every library has.
pub(crate) fn is_kept(name: &str) -> bool {
    is_of_c(name) || ["TRUE", "FALSE"].contains(&name)
}

/// The same with what GNU's C and C++ keep.
pub(crate) fn is_kept_anywhere(name: &str) -> bool {
    is_kept(name) || is_of_gnu_c(name) || is_of_cpp(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order_and_have_kinds() {
        let names = |list: &'static str| list.lines().filter_map(|line| line.split(' ').next());
        assert!(names(MACROS).is_sorted() && names(DECLARED).is_sorted());
        let letters =
            |line: &&str| line.split(' ').nth(1).is_some_and(|files| files.chars().all(|c| "rcflpt".contains(c)));
        assert!(MACROS.lines().chain(DECLARED.lines()).all(|line| letters(&line)));
        let mut kinds = DECLARED.lines().flat_map(|line| line.split(' ').skip(2));
        assert!(kinds.all(|kind| ["value", "typedef", "tag"].contains(&kind)));
        for files in [Files::Rpcgen, Files::Corba, Files::Others] {
            let found = Names::of(files);
            assert!(found.macros.len() > 150 && found.declared.len() > 400, "{files:?}");
        }
    }

    #[test]
    fn names_are_what_headers_make_of_them() {
        let corba = Names::of(Files::Corba);
        assert!(corba.is_macro("NULL") && corba.is("size_t", "typedef") && corba.is("exit", "value"));
        assert!(!corba.is_declared("CLIENT") && Names::of(Files::Rpcgen).is_declared("CLIENT"));
        assert!(Names::of(Files::RpcgenCalls).is_macro("MAX") && Names::of(Files::RpcgenInCpp).is("write", "value"));
        assert!(Names::of(Files::CorbaCalls).is_macro("offsetof") && !corba.is_macro("offsetof"));
        let others = Names::of(Files::Others);
        assert!(others.is("timer_create", "value") && others.is_macro("EINTR") && !others.is_declared("size_t"));
    }
}
