//! From PLAN to text.

use cast::Type;
use pres::text::c_types::write_type;
use pres::text::terms::{scalar_type, scalar_word, write_bound, write_label};
use sexpr::{Sexpr, atom, node, number, text};

use super::places::{Places, array_type, bytes_type, is_path};
use super::{bits, direction_word, owner_word};
use crate::plan::{
    Access, Arm, Clear, Count, Layout, Op, Otherwise, Part, Place, Plan, Routine, RoutineId, Step, Storage, item_name,
};

/// The text form.
pub fn print(plan: &Plan) -> String {
    let mut forms = vec![node("order", plan.order.iter().map(atom))];
    forms.extend(plan.routines.iter().map(|(id, routine)| write_routine(id, routine)));
    forms.extend(plan.arenas.iter().map(|arena| {
        let on_heap = arena.on_heap.then(|| atom("on-heap"));
        let names = [&arena.structure, &arena.entry, &arena.routine].map(atom);
        node("arena", names.into_iter().chain(on_heap).chain(arena.members.write()))
    }));
    sexpr::print_all(&forms)
}

fn write_routine(id: &RoutineId, routine: &Routine) -> Sexpr {
    // The first time to learn which types must be said.
    let mut scout = Writer { places: Places::of(&routine.ty) };
    scout.body(&routine.body);
    let mut writer = Writer { places: scout.places.again(&routine.ty) };
    let marks = [
        ("array", routine.is_array),
        ("alias", routine.is_alias),
        ("owns", routine.owns_storage),
        ("recursive", routine.is_recursive),
        ("loop", routine.is_loop),
        ("internal", routine.is_internal),
        ("wide", routine.is_wide),
    ];
    let mut form = vec![atom(&id.name), atom(direction_word(id.direction))];
    form.extend(marks.into_iter().filter(|(_, set)| *set).map(|(word, _)| atom(word)));
    if !routine.entry.is_empty() {
        form.push(node("entry", [atom(&routine.entry)]));
    }
    if routine.ty != Type::named(&id.name) {
        form.push(node("c", [write_type(&routine.ty)]));
    }
    if routine.entry_phase != 1 {
        form.push(node("phase", [size(routine.entry_phase)]));
    }
    form.extend(writer.places.head());
    form.extend(writer.body(&routine.body));
    node("routine", form)
}

struct Writer {
    places: Places,
}

impl Writer {
    fn place(&mut self, place: &Place, guess: Type) -> Sexpr {
        self.places.write(place, Some(guess))
    }

    /// A place whose use says nothing of its type.
    fn any_place(&mut self, place: &Place) -> Sexpr {
        self.places.write(place, None)
    }

    fn body(&mut self, body: &[Op]) -> Vec<Sexpr> {
        body.iter().map(|op| self.op(op)).collect()
    }

    fn op(&mut self, op: &Op) -> Sexpr {
        match op {
            Op::Ensure(bytes) => node("ensure", [size(*bytes)]),
            Op::Align { to, when, more } => {
                let when = when.as_ref().map(|count| node("when", [self.count(count)]));
                node("align", std::iter::once(size(*to)).chain(when).chain(write_more(*more)))
            }
            Op::Chunk { size: bytes, parts } => {
                let parts: Vec<Sexpr> = parts.iter().map(|part| self.part(part)).collect();
                node("chunk", std::iter::once(size(*bytes)).chain(parts))
            }
            Op::Ahead { index, item, likely } => node("ahead", [atom(index), write_type(item), size(*likely)]),
            Op::Order { .. }
            | Op::Bytes { .. }
            | Op::Text { .. }
            | Op::CountedBytes { .. }
            | Op::CountedOrder { .. } => self.moved(op),
            Op::Check { count, bound, data } => {
                let count = self.count(count);
                let data = data.as_ref().map(|data| node("data", [self.any_place(data)]));
                node("check", std::iter::once(count).chain(write_bound(bound.as_ref())).chain(data))
            }
            Op::Call { routine, place } => {
                node("call", [atom(routine), self.place(place, Type::named(routine.as_str()))])
            }
            Op::External { routine, arguments, place, storage, state } => {
                let head = [atom(routine), self.any_place(place)];
                let arguments = arguments.iter().map(|argument| size(*argument));
                let state = state.as_ref().map(|of| {
                    let head = [atom(&of.routine), write_type(&of.ty)];
                    node("state", head.into_iter().chain(of.ids.iter().map(text)))
                });
                node("external", head.into_iter().chain(arguments).chain(state).chain(self.storage(storage)))
            }
            Op::Allocate { pointer, target, storage } => {
                node("allocate", self.pointer((pointer, target), None, None, storage))
            }
            Op::Capacity { maximum, release, count } => {
                node("capacity", [self.any_place(maximum), self.any_place(release), atom(count)])
            }
            Op::Claim { flag, bytes } => node("claim", flag.iter().map(atom).chain([size(*bytes)])),
            Op::Owe(bytes) => node("owe", [size(*bytes)]),
            Op::Pay(bytes) => node("pay", [size(*bytes)]),
            Op::Free { pointer, owner, when } => {
                let pointer = self.any_place(pointer);
                let when = when.as_ref().map(|when| node("when", [self.any_place(when)]));
                node("free", std::iter::once(pointer).chain(owner_word(*owner).map(atom)).chain(when))
            }
            Op::Member { value, members } => {
                let value = self.place(value, Type::INT);
                node("member", std::iter::once(value).chain(members.iter().map(write_label)))
            }
            _ => self.compound(op),
        }
    }

    /// Operations that check for what they move.
    fn moved(&mut self, op: &Op) -> Sexpr {
        match op {
            Op::Bytes { place, length } => node("bytes", [self.any_place(place), self.count(length)]),
            Op::Text { place, counted, length, bound, align, more } => {
                let counted = counted.as_ref().map(|at| node("counted", [self.place(at, Type::named("uint32_t"))]));
                let length = length.as_ref().map(|length| node("length", [atom(length)]));
                let align = (*align != 1).then(|| node("align", [size(*align)]));
                let place = self.place(place, Type::CHAR.pointer());
                let rest = counted
                    .into_iter()
                    .chain(length)
                    .chain(write_bound(bound.as_ref()))
                    .chain(align)
                    .chain(write_more(*more));
                node("text", std::iter::once(place).chain(rest))
            }
            Op::CountedBytes { data, length, count } => {
                let data = self.place(data, Type::CHAR.pointer());
                node("counted-bytes", [data, self.place(length, Type::named("u_int")), atom(count)])
            }
            Op::CountedOrder { data, length, count, item, word, words } => {
                let data = self.place(data, item.clone().pointer());
                let length = self.place(length, Type::named("u_int"));
                let each = (*words != 1).then(|| node("each", [size(*words)]));
                let head = [data, length, atom(count), write_type(item)];
                node(&format!("counted-order{}", bits(*word)), head.into_iter().chain(each))
            }
            Op::Order { word, place, count, words } => {
                let each = (*words != 1).then(|| node("each", [size(*words)]));
                let head = [self.any_place(place), self.count(count)];
                node(&format!("order{}", bits(*word)), head.into_iter().chain(each))
            }
            _ => node("?", []),
        }
    }

    /// Operations with bodies.
    fn compound(&mut self, op: &Op) -> Sexpr {
        match op {
            Op::Aggregate { place, layout, body } => {
                let place = self.any_place(place);
                let head = std::iter::once(place).chain(write_layout(layout.as_ref()));
                node("aggregate", head.chain(self.body(body)))
            }
            Op::Loop { index, count, over, bind, layout, strip, body } => {
                let count_form = self.count(count);
                let guess = array_type(&over.ty, count, *bind);
                let data = self.places.write(&over.data, guess);
                self.places.learn_item(index, over, *bind);
                let is_array = over.is_array.then(|| atom("array"));
                let parts = [data, write_type(&over.ty)].into_iter().chain(is_array);
                let over = node(if *bind { "bind" } else { "over" }, parts);
                let head = [atom(index), count_form, over].into_iter().chain(write_layout(layout.as_ref()));
                node("loop", head.chain(write_strip(*strip)).chain(self.body(body)))
            }
            Op::Items { index, count, data, length, item, layout, least, strip, storage, body } => {
                let data = self.place(data, item.clone().pointer());
                let length = self.place(length, Type::named("u_int"));
                let mut form = vec![atom(index), atom(count), data, length, write_type(item)];
                form.extend(write_layout(layout.as_ref()));
                form.push(node("least", [size(*least)]));
                form.extend(write_strip(*strip));
                form.extend(self.storage(storage));
                self.places.learn(&item_name(index), &[Step::Target], item);
                form.extend(self.body(body));
                node("items", form)
            }
            Op::Optional { pointer, target, counted, flag, storage, body } => {
                let mut form = self.pointer((pointer, target), counted.as_ref(), flag.as_deref(), storage);
                form.extend(self.body(body));
                node("optional", form)
            }
            Op::Again { pointer, target, counted, flag, storage } => {
                node("again", self.pointer((pointer, target), counted.as_ref(), flag.as_deref(), storage))
            }
            Op::Switch { value, arms, otherwise } => {
                let mut form = vec![self.place(value, Type::INT)];
                form.extend(arms.iter().map(|arm| self.arm(arm)));
                if let Otherwise::Body(body) = otherwise {
                    form.push(node("default", self.body(body)));
                }
                node("switch", form)
            }
            _ => node("?", []),
        }
    }

    fn arm(&mut self, arm: &Arm) -> Sexpr {
        node("arm", arm.labels.iter().map(write_label).chain(self.body(&arm.body)))
    }

    /// A pointer that may be NULL, and what is known of its target.
    fn pointer(
        &mut self,
        (pointer, target): (&Place, &Type),
        counted: Option<&Place>,
        flag: Option<&str>,
        storage: &Storage,
    ) -> Vec<Sexpr> {
        let mut form = vec![self.place(pointer, target.clone().pointer()), write_type(target)];
        form.extend(counted.map(|at| node("counted", [self.place(at, Type::named("u_int"))])));
        form.extend(flag.map(|flag| node("flag", [atom(flag)])));
        form.extend(self.storage(storage));
        form
    }

    fn storage(&mut self, storage: &Storage) -> Vec<Sexpr> {
        let path = |path: &Vec<String>| atom(format!(".{}", path.join(".")));
        let clear = match &storage.clear {
            Clear::Nothing => None,
            Clear::Pointers(paths) => Some(node("clear", paths.iter().map(path))),
            Clear::Everything => Some(node("clear", [atom("all")])),
        };
        let owner = storage.owner.as_ref();
        let owner = owner.map(|(owner, routine)| node("owner", [self.any_place(owner), atom(routine)]));
        let of = owner_word(storage.of).map(atom);
        let item = storage.item.as_ref().map(|routine| node("item", [atom(routine)]));
        of.into_iter().chain(clear).chain(owner).chain(item).collect()
    }

    fn part(&mut self, part: &Part) -> Sexpr {
        let (head, mut form) = match &part.access {
            Access::Scalar { kind, place } => (scalar_word(*kind), vec![self.place(place, scalar_type(*kind))]),
            Access::Count(count) => ("count".to_string(), vec![self.count(count)]),
            Access::Flag(pointer) => ("flag".to_string(), vec![self.any_place(pointer)]),
            Access::Local(name) => ("local".to_string(), vec![atom(name)]),
            Access::Copy { place, length } => {
                ("copy".to_string(), vec![self.place(place, bytes_type(*length)), size(*length)])
            }
            Access::Zero { length } => ("zero".to_string(), vec![size(*length)]),
            Access::Order { word, place, words } => {
                (format!("order{}", bits(*word)), vec![self.any_place(place), size(*words)])
            }
        };
        form.push(atom(format!("@{}", part.offset)));
        node(&head, form)
    }

    /// A number, a local variable, a place, or `(symbol NAME)`.
    fn count(&mut self, count: &Count) -> Sexpr {
        match count {
            Count::Known(value) => size(*value),
            Count::Symbol(symbol) => node("symbol", [atom(symbol)]),
            Count::Local(name) => atom(name),
            Count::Value(place) => match self.place(place, Type::named("u_int")) {
                Sexpr::Atom(word) if !is_path(&word) => node("value", [atom(word)]),
                form => form,
            },
        }
    }
}

fn size(bytes: u64) -> Sexpr {
    number(i128::from(bytes))
}

fn write_layout(layout: Option<&Layout>) -> Option<Sexpr> {
    layout.map(|layout| {
        let alignment = (layout.alignment != 1).then(|| size(layout.alignment));
        node(&format!("words{}", bits(layout.word)), std::iter::once(size(layout.words)).chain(alignment))
    })
}

fn write_more(more: u64) -> Option<Sexpr> {
    (more > 0).then(|| node("more", [size(more)]))
}

fn write_strip(strip: Option<u64>) -> Option<Sexpr> {
    strip.map(|strip| node("strip", [size(strip)]))
}
