//! Descriptions that no front end would ever make, but that the tree can hold.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use source::Span;
use xip::filter::{Comparison, Condition, FieldPath, Step, Term};
use xip::{
    Advice, Application, Aspect, Batch, Body, Channel, Contract, Delivery, Direction, Duration, Edge, Extent, Field,
    FieldType, Flow, Import, Instance, Item, JoinPoint, Middle, Name, Need, NumberRange, Otherwise, Packet, Pipe,
    Polarity, Port, PortPath, Queue, QueueUnit, Rate, Relation, Restart, RestartPolicy, RestartWhen, Spanned, TimeUnit,
    Timer, Transport, Wait, WaitPolicy, Waited, WhenFaulty, WhenFull, Xip,
};

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::default())
}

/// Identifiers; some mean something in the XML form.
fn name() -> impl Strategy<Value = Name> {
    let words = ["string", "int32", "bool", "drop", "ordered", "tcp", "s", "us", "MB", "e5", "yes", "_", "name"];
    prop_oneof![select(words.to_vec()).prop_map(str::to_owned), "[A-Za-z_][A-Za-z0-9_]{0,8}"]
        .prop_map(|text| Name::new(text, Span::default()))
}

/// Any characters at all, and those that XML or the escapes make something of.
fn string() -> impl Strategy<Value = Spanned<String>> {
    let special = "\0\u{1}\t\n\r \u{1b}\u{7f}\u{85}\u{2028}\u{feff}\u{fffe}\u{ffff}\u{10ffff}\\\\\\u{}&<>\"'#;=x]-";
    let special: Vec<char> = special.chars().collect();
    let character = prop_oneof![select(special), any::<char>()];
    vec(character, 0..8).prop_map(|characters| spanned(characters.into_iter().collect()))
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), Just(u64::MAX), 1..100u64, any::<u64>()]
}

fn time() -> impl Strategy<Value = Duration> {
    (number(), select(TimeUnit::ALL.map(|(unit, _)| unit).to_vec()))
        .prop_map(|(amount, unit)| Duration { amount, unit })
}

fn word<T: Copy + std::fmt::Debug + 'static>(all: &'static [(T, &'static str)]) -> impl Strategy<Value = T> {
    (0..all.len()).prop_map(|index| all[index].0)
}

fn field() -> impl Strategy<Value = Field> {
    let integer = (select(vec![8u8, 16, 32, 64]), any::<bool>());
    let ty = prop_oneof![
        Just(FieldType::Boolean),
        Just(FieldType::Octet),
        Just(FieldType::Character),
        integer.prop_map(|(bits, signed)| FieldType::Integer { bits, signed }),
        select(vec![32u8, 64]).prop_map(|bits| FieldType::Float { bits }),
        number().prop_map(|bound| FieldType::Text { bound: spanned(bound) }),
        name().prop_map(FieldType::Named),
    ];
    let array = prop_oneof![
        number().prop_map(|length| Extent::Fixed(spanned(length))),
        (number(), option::of(name())).prop_map(|(bound, used)| Extent::Bounded { bound: spanned(bound), used }),
    ];
    let range = (number(), any::<bool>(), number()).prop_map(|(least, is_negative, most)| {
        let least = if is_negative { -i128::from(least) } else { i128::from(least) };
        spanned(NumberRange { least, most: i128::from(most) })
    });
    (name(), ty, option::of(array), option::of(string()), option::of(range), option::of(number()))
        .prop_map(|(name, ty, array, unit, range, id)| Field { name, ty, array, unit, range, id: id.map(spanned) })
}

fn need() -> impl Strategy<Value = Spanned<Need>> {
    let rate = (word(Relation::ALL), number(), option::of(name()))
        .prop_map(|(relation, amount, unit)| Need::Rate { relation, rate: Rate { amount, unit } });
    let otherwise = prop_oneof![Just(Otherwise::Drop), name().prop_map(Otherwise::Call)];
    let deadline = (time(), option::of(otherwise));
    let need = prop_oneof![
        rate,
        word(Delivery::ALL).prop_map(Need::Delivery),
        Just(Need::Ordered),
        deadline.prop_map(|(within, otherwise)| Need::Deadline { within, otherwise }),
        number().prop_map(Need::Priority),
    ];
    need.prop_map(spanned)
}

fn port() -> impl Strategy<Value = Port> {
    let direction = select(vec![Direction::In, Direction::Out]);
    let polarity = select(vec![Polarity::Push, Polarity::Pull, Polarity::Poll]).prop_map(spanned);
    (direction, any::<bool>(), name(), name(), option::of(polarity), vec(need(), 0..4)).prop_map(
        |(direction, optional, ty, name, polarity, needs)| Port { direction, optional, ty, name, polarity, needs },
    )
}

fn wait() -> impl Strategy<Value = Wait> {
    let field = (name(), vec(name(), 0..3))
        .prop_map(|(field, members)| FieldPath { field, inwards: members.into_iter().map(Step::Member).collect() });
    let waited = (name(), option::of(field)).prop_map(|(port, field)| Waited { port, field });
    let (within, most) = (option::of(time().prop_map(spanned)), option::of(number().prop_map(spanned)));
    (word(WaitPolicy::ALL).prop_map(spanned), vec(waited, 0..4), within, most)
        .prop_map(|(policy, ports, within, most)| Wait { policy, ports, within, most })
}

fn path() -> impl Strategy<Value = PortPath> {
    (name(), option::of(name())).prop_map(|(instance, port)| PortPath { instance, port })
}

/// Conditions as the parser makes them: joined by two at least, numbers spelled in one way.
fn condition() -> impl Strategy<Value = Term> {
    let step = prop_oneof![name().prop_map(Step::Member), number().prop_map(|at| Step::Element(spanned(at)))];
    let field = ("[a-mo-z_][a-z0-9]{4}", vec(step, 0..3))
        .prop_map(|(field, inwards)| Condition::Field(FieldPath { field: Name::new(field, Span::default()), inwards }));
    let value = prop_oneof![
        field,
        any::<bool>().prop_map(Condition::Truth),
        any::<i64>().prop_map(|value| Condition::Integer(value.into())),
        (-1e30..1e30_f64).prop_map(|value| Condition::Float(format!("{value:?}"))),
        string().prop_map(|text| Condition::Text(text.value)),
        any::<char>().prop_map(Condition::Character),
    ];
    let term = value.prop_map(spanned);
    term.prop_recursive(3, 12, 3, |inner| {
        let compared = (word(Comparison::ALL), inner.clone(), inner.clone())
            .prop_map(|(comparison, left, right)| Condition::Compare(comparison, left.into(), right.into()));
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Condition::All),
            vec(inner.clone(), 2..4).prop_map(Condition::Any),
            inner.prop_map(|term| Condition::Not(term.into())),
            compared,
        ]
        .prop_map(spanned)
    })
}

fn contract() -> impl Strategy<Value = Contract> {
    let queue = (number(), word(QueueUnit::ALL)).prop_map(|(count, unit)| spanned(Queue { count, unit }));
    let batch = (number(), option::of(time())).prop_map(|(items, within)| spanned(Batch { items, within }));
    let transport = (option::of(word(Transport::ALL)), option::of(string()), any::<bool>());
    let queued = (option::of(queue), option::of(word(WhenFull::ALL)), option::of(word(Delivery::ALL)));
    let rest = (
        option::of(batch),
        option::of(word(WhenFaulty::ALL)),
        option::of(name()),
        vec(need(), 0..4),
        (option::of(vec(name(), 1..4).prop_map(spanned)), option::of(condition())),
    );
    (transport, queued, rest).prop_map(
        |(
            (transport, address, trusted),
            (queue, full, delivery),
            (batch, faulty, encoding, needs, (select, filter)),
        )| {
            Contract {
                transport: transport.map(spanned),
                address,
                trusted: trusted.then(|| spanned(())),
                queue,
                full: full.map(spanned),
                delivery: delivery.map(spanned),
                batch,
                faulty: faulty.map(spanned),
                encoding,
                select,
                filter,
                needs,
            }
        },
    )
}

fn body() -> impl Strategy<Value = Body> {
    let instance = (name(), name(), option::of(string())).prop_map(|(pipe, name, node)| Instance { pipe, name, node });
    let edge = (path(), path(), contract()).prop_map(|(from, to, contract)| Edge { from, to, contract });
    let application = (name(), option::of(path())).prop_map(|(aspect, to)| Application { aspect, to });
    (vec(instance, 0..3), vec(edge, 0..3), vec(application, 0..3)).prop_map(|(instances, edges, applications)| Body {
        instances,
        channels: Vec::new(),
        edges,
        applications,
        restarts: Vec::new(),
    })
}

fn flow() -> impl Strategy<Value = Flow> {
    let policy = (word(RestartWhen::ALL), option::of(time()), option::of((number(), time())))
        .prop_map(|(when, within, most)| spanned(RestartPolicy { when, within, most }));
    let restart = (policy, option::of(name())).prop_map(|(policy, to)| Restart { policy, to });
    let channel = (name(), name(), option::of(number())).prop_map(|(name, ty, history)| Channel {
        name,
        ty,
        history: history.map(spanned),
    });
    (name(), body(), vec(channel, 0..3), vec(restart, 0..3))
        .prop_map(|(name, body, channels, restarts)| Flow { name, body: Body { channels, restarts, ..body } })
}

fn item() -> impl Strategy<Value = Item> {
    let middle = (name(), option::of(time().prop_map(spanned))).prop_map(|(function, cost)| Middle { function, cost });
    let timer = (time(), name()).prop_map(|(every, function)| Timer { every: spanned(every), function });
    let timers = vec(timer, 0..3);
    let pipe = (name(), vec(port(), 0..4), option::of(middle), timers, option::of(wait().prop_map(Box::new)), body());
    let pipe =
        pipe.prop_map(|(name, ports, middle, timers, wait, body)| Pipe { timers, name, ports, middle, wait, body });
    let point = select(JoinPoint::ALL.map(|(point, _)| point).to_vec());
    let advice = (point, name()).prop_map(|(at, function)| Advice { at, function });
    prop_oneof![
        string().prop_map(|file| Item::Import(Import { file })),
        (name(), vec(field(), 0..5)).prop_map(|(name, fields)| Item::Packet(Packet { name, fields })),
        pipe.prop_map(Item::Pipe),
        flow().prop_map(Item::Flow),
        (name(), vec(advice, 0..4)).prop_map(|(name, advice)| Item::Aspect(Aspect { name, advice })),
    ]
}

/// Any description.
pub(crate) fn whole() -> impl Strategy<Value = Xip> {
    vec(item(), 0..6).prop_map(|items| Xip { items })
}
