//! Objects with static storage: as the source declares them, or, where it does so inside a function, from what Core C
//! knows of them.

use std::collections::BTreeSet;

use cast::{Declaration, Storage, Variable};

use super::Declared;
use super::needs::Needs;
use super::rename::Names;
use crate::{GlobalId, Linkage};

/// All objects that the file holds; each after those that its initial value mentions.
pub(super) fn variables(needs: &Needs, names: &Names, out: &mut Vec<Declaration>) {
    let mut order: Vec<GlobalId> = needs.objects.keys().copied().collect();
    order.sort_by_key(|id| (needs.objects[id].variable.span.map(|span| (span.file, span.start)), *id));
    if !order.is_empty() && !out.is_empty() {
        out.push(Declaration::Blank);
    }
    let mut placer = Placer { needs, names, done: BTreeSet::new(), open: BTreeSet::new(), out };
    order.into_iter().for_each(|id| placer.place(id));
}

struct Placer<'a, 'b> {
    needs: &'a Needs<'a>,
    names: &'a Names,
    done: BTreeSet<GlobalId>,
    /// Objects whose mentions are being placed.
    open: BTreeSet<GlobalId>,
    out: &'b mut Vec<Declaration>,
}

impl Placer<'_, '_> {
    fn place(&mut self, id: GlobalId) {
        if self.done.contains(&id) {
            return;
        }
        let Some(object) = self.needs.objects.get(&id) else { return };
        if !self.open.insert(id) {
            // Two objects that mention each other: one is declared first.
            let mut early = Variable { initial: None, ..object.variable.clone() };
            if early.storage != Storage::Static {
                early.storage = Storage::Extern;
                early.spelling = None;
            }
            self.out.push(Declaration::Variable(self.names.variable(&early)));
            return;
        }
        object.mentions.iter().for_each(|other| self.place(*other));
        self.done.insert(id);
        self.out.push(Declaration::Variable(self.names.variable(&object.variable)));
    }
}

/// The declaration of an object that another unit defines.
pub(super) fn declaration(needs: &Needs, id: GlobalId, known: &Declared<Variable>) -> Variable {
    if let Some(written) = known.others.iter().find(|other| other.storage == Storage::Extern) {
        return (*written).clone();
    }
    let made = made(needs, id);
    Variable { storage: Storage::Extern, initial: None, ..made }
}

/// An object as Core C has it.
pub(super) fn made(needs: &Needs, id: GlobalId) -> Variable {
    let global = &needs.program.globals[id];
    let ty = needs.program.types.get(global.ty).c.clone();
    let storage = match (global.linkage, &global.initial) {
        (Linkage::Internal, _) => Storage::Static,
        (Linkage::External, Some(_)) => Storage::Automatic,
        (Linkage::External, None) => Storage::Extern,
    };
    Variable {
        storage,
        name: global.name.clone(),
        ty: if global.constant { ty.constant() } else { ty },
        initial: super::initial::value(needs.program, global),
        thread_local: global.thread_local,
        span: global.span,
        ..Variable::default()
    }
}
