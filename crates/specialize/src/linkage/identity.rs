//! Objects and functions that a program compares by their addresses, or may: of these there must be one each.
//!
//! In: a program. Out: what comparisons of two pointers name, and the types of what they compare. Tests for null compare
//! nothing, nor do comparisons within one object. Which of two pointers is less has a meaning within one object only, so such a comparison
//! meets what it names, and what initial values of variables lead to, whence both pointers may have come on different paths.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BinaryOperator, Expression, ExpressionKind, FunctionId, GlobalId, PlaceBase, Program, Shape, TypeId};

use crate::memory::provenance::Provenance;
use crate::mutation;

/// What is compared.
#[derive(Debug, Default)]
pub(crate) struct Compared {
    objects: BTreeSet<GlobalId>,
    functions: BTreeSet<FunctionId>,
}

/// What pointers lead to, by the types as C spells them.
type Targets = BTreeSet<String>;

#[derive(Default)]
struct Search {
    named: Compared,
    /// What is compared for equality, and for order.
    targets: Targets,
    ordered: Targets,
    /// The types that addresses of objects and functions have where they are taken.
    objects: BTreeMap<GlobalId, Targets>,
    functions: BTreeMap<FunctionId, Targets>,
}

impl Compared {
    pub(crate) fn of(program: &Program) -> Compared {
        let mut search = Search::default();
        if mutation::forgets("identity") {
            return search.named;
        }
        for function in program.functions.values() {
            let provenance = Provenance::of(function);
            for block in function.blocks.values() {
                let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
                let values = statements.chain(block.end.expressions());
                values.for_each(|value| search.value(program, value, Some(&provenance)));
            }
        }
        let initial = program.globals.values().flat_map(|global| global.initial.iter().flatten());
        let mut tables = Search::default();
        initial.for_each(|part| tables.value(program, &part.value, None));
        let Search { mut named, targets, ordered, objects, functions } = search;
        let meets = |own: &Targets| !own.is_disjoint(&targets);
        let meets_in_table = |own: &Targets| meets(own) || !own.is_disjoint(&ordered);
        named.objects.extend(tables.objects.iter().filter(|(_, own)| meets_in_table(own)).map(|(object, _)| *object));
        named.functions.extend(tables.functions.iter().filter(|(_, own)| meets(own)).map(|(function, _)| *function));
        named.objects.extend(objects.iter().filter(|(_, own)| meets(own)).map(|(object, _)| *object));
        named.functions.extend(functions.iter().filter(|(_, own)| meets(own)).map(|(function, _)| *function));
        named
    }

    pub(crate) fn has_object(&self, object: GlobalId) -> bool {
        self.objects.contains(&object)
    }

    pub(crate) fn has_function(&self, function: FunctionId) -> bool {
        self.functions.contains(&function)
    }
}

impl Search {
    fn value(&mut self, program: &Program, value: &Expression, provenance: Option<&Provenance>) {
        let is_one_object = |a: &Expression, b: &Expression| provenance.is_some_and(|all| all.is_one_object(a, b));
        value.walk(&mut |part| match &part.kind {
            ExpressionKind::Binary(operator, left, right)
                if operator.is_comparison() && !is_null(left) && !is_null(right) && !is_one_object(left, right) =>
            {
                let orders = !matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
                self.side(program, left, orders);
                self.side(program, right, orders);
            }
            ExpressionKind::Convert(_) | ExpressionKind::Address(_) | ExpressionKind::Function(_) => {
                self.taken(program, part);
            }
            _ => {}
        });
    }

    /// One side of a comparison: what it names, or else what it points to under all conversions.
    fn side(&mut self, program: &Program, value: &Expression, orders: bool) {
        let inner = under_conversions(value);
        match &inner.kind {
            ExpressionKind::Address(place) => {
                if let PlaceBase::Global(global) = place.base {
                    self.named.objects.insert(global);
                }
            }
            ExpressionKind::Function(function) => drop(self.named.functions.insert(*function)),
            _ => {}
        }
        let targets = if orders { &mut self.ordered } else { &mut self.targets };
        targets.extend(target(program, inner.ty));
    }

    /// An address, with the types that it is converted to.
    fn taken(&mut self, program: &Program, value: &Expression) {
        let inner = under_conversions(value);
        let targets = match &inner.kind {
            ExpressionKind::Address(place) => match place.base {
                PlaceBase::Global(global) => self.objects.entry(global).or_default(),
                _ => return,
            },
            ExpressionKind::Function(function) => self.functions.entry(*function).or_default(),
            _ => return,
        };
        targets.extend([inner, value].into_iter().filter_map(|one| target(program, one.ty)));
    }
}

fn under_conversions(mut value: &Expression) -> &Expression {
    while let ExpressionKind::Convert(inner) = &value.kind {
        value = inner;
    }
    value
}

fn is_null(value: &Expression) -> bool {
    matches!(under_conversions(value).kind, ExpressionKind::Integer(0))
}

/// The type that a pointer leads to.
fn target(program: &Program, ty: TypeId) -> Option<String> {
    let Shape::Pointer(to) = *program.types.shape_of(ty) else { return None };
    let table = &program.types.table;
    Some(cast::print_type(table.resolve(program.types.get(to).c.unqualified())))
}
