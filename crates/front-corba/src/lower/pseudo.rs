//! What CORBA's own module has, and files use without including what declares it (CORBA 3.3 part 1, chapters 8 and 14): names of
//! numbers and texts are those; references to the ORB's own objects are references to any object; what no call carries is known to stay
//! at home. In: a name that nothing defines. Out: what it stands for.

use super::Lowering;
use crate::errors;
use crate::syntax::{Interface, ScopedName};
use aoi::{DefinitionId, DefinitionKind};
use source::Span;

/// What a name of CORBA's stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pseudo {
    TypeCode,
    AbstractBase,
    /// `CORBA::Environment`: how a call went. It is given to those who look on in the same process.
    Environment,
    /// An unsigned whole number of so many bits, or a signed one.
    Number(u8, bool),
    Text,
    /// Any object.
    Object,
    Objects,
    /// An object of the ORB's that never leaves its process; interfaces may inherit from it.
    Local,
}

const KNOWN: [(&str, Pseudo); 30] = [
    ("TypeCode", Pseudo::TypeCode),
    ("AbstractBase", Pseudo::AbstractBase),
    ("Environment", Pseudo::Environment),
    ("ServiceType", Pseudo::Number(16, false)),
    ("ServiceOption", Pseudo::Number(32, false)),
    ("ServiceDetailType", Pseudo::Number(32, false)),
    ("PolicyType", Pseudo::Number(32, false)),
    ("Flags", Pseudo::Number(32, false)),
    ("PolicyErrorCode", Pseudo::Number(16, true)),
    ("Visibility", Pseudo::Number(16, true)),
    ("ValueModifier", Pseudo::Number(16, true)),
    ("Identifier", Pseudo::Text),
    ("RepositoryId", Pseudo::Text),
    ("ScopedName", Pseudo::Text),
    ("VersionSpec", Pseudo::Text),
    ("InterfaceDef", Pseudo::Object),
    ("AbstractInterfaceDef", Pseudo::Object),
    ("LocalInterfaceDef", Pseudo::Object),
    ("OperationDef", Pseudo::Object),
    ("AttributeDef", Pseudo::Object),
    ("ValueDef", Pseudo::Object),
    ("IDLType", Pseudo::Object),
    ("IRObject", Pseudo::Object),
    ("Contained", Pseudo::Object),
    ("Container", Pseudo::Object),
    ("Repository", Pseudo::Object),
    ("DomainManager", Pseudo::Object),
    ("PolicyList", Pseudo::Objects),
    ("Policy", Pseudo::Local),
    ("Current", Pseudo::Local),
];

/// True for what CORBA's own module has without any file.
pub(super) fn is_of_corba(name: &str) -> bool {
    KNOWN.iter().any(|(known, _)| *known == name)
}

impl<'a> Lowering<'_, 'a> {
    /// What a name stands for that no file declares.
    pub(super) fn pseudo(&self, name: &ScopedName<'a>) -> Option<Pseudo> {
        let known = |name: &str| KNOWN.iter().find(|(known, _)| *known == name).map(|(_, pseudo)| *pseudo);
        match name.parts[..] {
            [module, ty] if module.text == "CORBA" => known(ty.text).filter(|_| !self.scopes.finds(name)),
            [ty] => {
                let scopes = self.scopes.path(self.scopes.current);
                let in_corba = scopes.first().is_some_and(|module| module == "CORBA");
                known(ty.text).filter(|_| in_corba && !self.scopes.is_known(&ty))
            }
            _ => None,
        }
    }

    pub(super) fn pseudo_type(&mut self, pseudo: Pseudo) -> aoi::Type {
        match pseudo {
            Pseudo::TypeCode => aoi::Type::TypeCode,
            Pseudo::AbstractBase => aoi::Type::Named(self.abstract_base()),
            Pseudo::Environment => aoi::Type::Named(self.environment()),
            Pseudo::Number(bits, signed) => {
                aoi::Type::Integer { bits, signed, spelling: super::types::usual_spelling(bits, signed).to_owned() }
            }
            Pseudo::Text => aoi::Type::Text { bound: None },
            // Files that pass policies came before `local` did.
            Pseudo::Object | Pseudo::Local => aoi::Type::Object,
            Pseudo::Objects => aoi::Type::Sequence { element: Box::new(aoi::Type::Object), bound: None },
        }
    }

    fn environment(&mut self) -> DefinitionId {
        self.of_corba("Environment", DefinitionKind::Native)
    }

    /// Whether a type is that of what only those are given who look on.
    pub(super) fn is_environment(&self, ty: &aoi::Type) -> bool {
        matches!(ty, aoi::Type::Named(id) if self.of_corba.get("Environment") == Some(id))
    }

    /// What an interface inherits from an object of the ORB's own makes it stay at home, as that does; whether it does so.
    pub(super) fn inherits_pseudo(&mut self, interface: &Interface<'a>) -> bool {
        interface.bases.iter().any(|base| self.pseudo(base) == Some(Pseudo::Local))
    }

    /// Says that an interface stays at home which does not say so itself: files that came before `local` could not.
    pub(super) fn make_local(&mut self, id: DefinitionId) {
        if let DefinitionKind::Reference(reference) = &mut self.aoi.definitions[id].kind {
            reference.is_local = true;
        }
        if let Some(facts) = self.interfaces.get_mut(&id) {
            (facts.is_local, facts.is_implied) = (true, true);
        }
        self.note_local(id);
    }

    /// The same of one whose operations are given what stays at home; `at` is where it is called so.
    pub(super) fn stays_for_environment(&mut self, id: DefinitionId, at: Span) {
        let name = &self.aoi.definitions[id].name;
        self.findings.push(errors::taken_for_local(at, name));
        self.make_local(id);
    }
}
