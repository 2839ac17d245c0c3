//! Objects with static storage: as the source declares them, or, where it does so inside a function, from what Core C
//! knows of them.

use std::collections::BTreeSet;

use cast::{Declaration, Expression, ExpressionKind, Storage, Type, Variable};

use super::Declared;
use super::needs::Needs;
use super::rename::Names;
use crate::{Global, GlobalId, Linkage};

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
        initial: text(global, &ty).or_else(|| super::initial::value(needs.program, global)),
        thread_local: global.thread_local,
        alignment: global.alignment,
        span: global.span,
        ty: if global.constant { ty.constant() } else { ty },
        ..Variable::default()
    }
}

/// With an alignment that its own declaration may not ask for.
pub(super) fn aligned(mut variable: Variable, alignment: u64) -> Variable {
    let is_asked = variable.spelling.as_deref().is_some_and(|text| crate::lower::alignment(text) == Some(alignment));
    match &mut variable.spelling {
        Some(spelling) if alignment > 0 && !is_asked => {
            spelling.push_str(&format!(" __attribute__((aligned({alignment})))"));
        }
        Some(_) => {}
        None => variable.alignment = variable.alignment.max(alignment),
    }
    variable
}

/// A literal as the initial value of an array.
fn text(global: &Global, ty: &Type) -> Option<Expression> {
    let spelling = global.literal.clone()?;
    Some(Expression { kind: ExpressionKind::Literal { spelling, bytes: Vec::new() }, ty: ty.clone(), span: None })
}
