//! Any PLAN at all, sensible or not.

use cast::{Type, build};
use pres::{ArenaMembers, Extent, Label, ScalarKind};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use stubs::plan::{
    Access, ArenaEntry, Arm, Clear, Count, Direction, Item, Layout, Op, Otherwise, Owner, Part, Place, Plan, Routine,
    RoutineId, State, Step, Storage, Word,
};

fn name() -> impl Strategy<Value = String> {
    "[a-z][a-z_0-9]{0,2}"
}

fn c_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![Just(Type::INT), Just(Type::CHAR), Just(Type::named("u_int")), name().prop_map(Type::Named)];
    leaf.prop_recursive(2, 4, 1, |inner| {
        let length = (0u8..3).prop_map(build::integer);
        prop_oneof![
            inner.clone().prop_map(Type::pointer),
            (inner, length).prop_map(|(ty, length)| ty.array(length)),
            name().prop_map(Type::structure),
        ]
    })
}

/// Few variables and members, so that one place is met with several types.
fn place() -> impl Strategy<Value = Place> {
    let step = prop_oneof![
        Just(Step::Target),
        prop_oneof!["a", "b"].prop_map(Step::Member),
        prop_oneof!["0", "i"].prop_map(Step::Element),
    ];
    (prop_oneof!["v", "item"], vec(step, 0..4), c_type()).prop_map(|(variable, steps, ty)| Place {
        variable,
        steps,
        ty,
    })
}

fn count() -> impl Strategy<Value = Count> {
    prop_oneof![
        any::<u64>().prop_map(Count::Known),
        "[A-Z (+)0-9]{0,6}".prop_map(Count::Symbol),
        place().prop_map(Count::Value),
        name().prop_map(Count::Local),
    ]
}

fn expression() -> impl Strategy<Value = cast::Expression> {
    prop_oneof![any::<i16>().prop_map(build::integer), name().prop_map(|name| build::name(name, Type::LONG))]
}

fn bound() -> impl Strategy<Value = Option<Extent>> {
    option::of((option::of(any::<u64>()), expression()).prop_map(|(value, c)| Extent { value, c }))
}

fn labels() -> impl Strategy<Value = Vec<Label>> {
    vec((option::of(any::<i128>()), expression()).prop_map(|(value, c)| Label { value, c }), 0..3)
}

fn word() -> impl Strategy<Value = Word> {
    prop_oneof![Just(Word::One), Just(Word::Two), Just(Word::Four), Just(Word::Eight)]
}

fn layout() -> impl Strategy<Value = Option<Layout>> {
    let alignment = prop_oneof![Just(1u64), Just(8)];
    option::of((word(), any::<u64>(), alignment).prop_map(|(word, words, alignment)| Layout { word, words, alignment }))
}

fn owner() -> impl Strategy<Value = Owner> {
    prop_oneof![Just(Owner::Heap), Just(Owner::Managed), Just(Owner::Caller)]
}

fn storage() -> impl Strategy<Value = Storage> {
    let paths = vec(vec(name(), 0..3), 0..3);
    let clear = prop_oneof![Just(Clear::Nothing), paths.prop_map(Clear::Pointers), Just(Clear::Everything)];
    (owner(), clear, option::of((place(), name())), option::of(name())).prop_map(|(of, clear, owner, item)| Storage {
        of,
        clear,
        owner,
        item,
    })
}

fn scalar() -> impl Strategy<Value = ScalarKind> {
    prop_oneof![
        (any::<u8>(), any::<bool>()).prop_map(|(bits, signed)| ScalarKind::Integer { bits, signed }),
        any::<bool>().prop_map(|signed| ScalarKind::Long { signed }),
        any::<u8>().prop_map(|bits| ScalarKind::Float { bits }),
        Just(ScalarKind::Quadruple),
        Just(ScalarKind::Boolean),
        any::<bool>().prop_map(|strict| ScalarKind::Enumeration { strict }),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    let access = prop_oneof![
        (scalar(), place()).prop_map(|(kind, place)| Access::Scalar { kind, place }),
        count().prop_map(Access::Count),
        place().prop_map(Access::Flag),
        name().prop_map(Access::Local),
        (place(), any::<u64>()).prop_map(|(place, length)| Access::Copy { place, length }),
        any::<u64>().prop_map(|length| Access::Zero { length }),
        (word(), place(), any::<u64>()).prop_map(|(word, place, words)| Access::Order { word, place, words }),
    ];
    (any::<u64>(), access).prop_map(|(offset, access)| Part { offset, access })
}

fn leaf() -> impl Strategy<Value = Op> {
    let counted = (place(), place(), name());
    prop_oneof![
        any::<u64>().prop_map(Op::Ensure),
        (any::<u64>(), vec(part(), 0..4)).prop_map(|(size, parts)| Op::Chunk { size, parts }),
        (name(), c_type(), any::<u64>()).prop_map(|(index, item, likely)| Op::Ahead { index, item, likely }),
        (word(), place(), count(), any::<u64>()).prop_map(|(word, place, count, words)| Op::Order {
            word,
            place,
            count,
            words
        }),
        (place(), count()).prop_map(|(place, length)| Op::Bytes { place, length }),
        (place(), option::of(name()), bound(), any::<u64>(), any::<u64>()).prop_map(
            |(place, length, bound, align, more)| Op::Text { place, counted: None, length, bound, align, more }
        ),
        (any::<u64>(), option::of(count()), any::<u64>()).prop_map(|(to, when, more)| Op::Align { to, when, more }),
        (place(), c_type(), storage()).prop_map(|(pointer, target, storage)| Op::Allocate { pointer, target, storage }),
        (place(), place(), name()).prop_map(|(maximum, release, count)| Op::Capacity { maximum, release, count }),
        (place(), place(), name()).prop_map(|(data, length, count)| Op::CountedBytes { data, length, count }),
        (counted, c_type(), word(), any::<u64>()).prop_map(|((data, length, count), item, word, words)| {
            Op::CountedOrder { data, length, count, item, word, words }
        }),
        (count(), bound(), option::of(place())).prop_map(|(count, bound, data)| Op::Check { count, bound, data }),
        (name(), place()).prop_map(|(routine, place)| Op::Call { routine, place }),
        (place(), c_type(), option::of(place()), option::of(name()), storage()).prop_map(
            |(pointer, target, counted, flag, storage)| Op::Again { pointer, target, counted, flag, storage }
        ),
        (name(), vec(any::<u64>(), 0..3), place(), storage(), option::of((name(), c_type(), vec("[A-Z:]{0,4}", 1..3))))
            .prop_map(|(routine, arguments, place, storage, state)| {
                let state = state.map(|(routine, ty, ids)| State { routine, ty, ids });
                Op::External { routine, arguments, place, storage, state }
            },),
        (proptest::option::of(name()), any::<u64>()).prop_map(|(flag, bytes)| Op::Claim { flag, bytes }),
        any::<u64>().prop_map(Op::Owe),
        any::<u64>().prop_map(Op::Pay),
        (place(), owner(), option::of(place())).prop_map(|(pointer, owner, when)| Op::Free { pointer, owner, when }),
        (place(), labels()).prop_map(|(value, members)| Op::Member { value, members }),
    ]
}

fn operation() -> impl Strategy<Value = Op> {
    // Boxed, since unions of strategies lie on the stack with all that any of them makes.
    leaf().boxed().prop_recursive(3, 12, 3, |inner| {
        let body = || vec(inner.clone(), 0..3).boxed();
        let strip = || option::of(any::<u64>());
        let over =
            (place(), c_type(), any::<bool>()).prop_map(|(data, ty, is_array)| Item { data, ty, is_array }).boxed();
        let array = (name(), name(), place(), place(), c_type()).boxed();
        let arm = (labels(), body()).prop_map(|(labels, body)| Arm { labels, body });
        let otherwise = prop_oneof![Just(Otherwise::Fail), body().prop_map(Otherwise::Body)];
        prop_oneof![
            (place(), layout(), body()).prop_map(|(place, layout, body)| Op::Aggregate { place, layout, body }).boxed(),
            (name(), count(), over, any::<bool>(), layout(), strip(), body())
                .prop_map(|(index, count, over, bind, layout, strip, body)| Op::Loop {
                    index,
                    count,
                    over,
                    bind,
                    layout,
                    strip,
                    body
                })
                .boxed(),
            (array, layout(), any::<u64>(), strip(), storage(), body())
                .prop_map(|((index, count, data, length, item), layout, least, strip, storage, body)| Op::Items {
                    index,
                    count,
                    data,
                    length,
                    item,
                    layout,
                    least,
                    strip,
                    storage,
                    body
                })
                .boxed(),
            (place(), c_type(), option::of(place()), option::of(name()), storage(), body())
                .prop_map(|(pointer, target, counted, flag, storage, body)| Op::Optional {
                    pointer,
                    target,
                    counted,
                    flag,
                    storage,
                    body
                })
                .boxed(),
            (place(), vec(arm, 0..3), otherwise)
                .prop_map(|(value, arms, otherwise)| Op::Switch { value, arms, otherwise })
                .boxed(),
        ]
        .boxed()
    })
}

fn routine() -> impl Strategy<Value = Routine> {
    let flags = any::<[bool; 7]>();
    let entry = prop_oneof![Just(String::new()), name()];
    (entry, c_type(), flags, any::<u64>(), vec(operation(), 0..4)).prop_map(
        |(
            entry,
            ty,
            [is_array, is_alias, owns_storage, is_recursive, is_loop, is_internal, is_wide],
            entry_phase,
            body,
        )| Routine {
            entry,
            ty,
            is_array,
            is_alias,
            owns_storage,
            is_recursive,
            is_loop,
            is_internal,
            is_wide,
            entry_phase,
            body,
        },
    )
}

pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    let direction = prop_oneof![Just(Direction::Encode), Just(Direction::Decode), Just(Direction::Release)];
    let id = (name(), direction).prop_map(|(name, direction)| RoutineId { name, direction });
    let members = prop_oneof![
        Just(ArenaMembers::default()),
        (name(), name(), name()).prop_map(|(value, arena, first)| ArenaMembers { value, arena, first })
    ];
    let arena =
        (name(), name(), name(), any::<bool>(), members).prop_map(|(structure, entry, routine, on_heap, members)| {
            ArenaEntry { structure, entry, routine, on_heap, members }
        });
    (vec((id, routine()), 0..3), vec(name(), 0..3), vec(arena, 0..2)).prop_map(|(routines, order, arenas)| Plan {
        routines: routines.into_iter().collect(),
        order,
        arenas,
    })
}
