//! Random programs, before and after.

use core_c::{BinaryOperator, ExpressionKind, LocalId, Terminator};

use super::build::{Build, expression};
use super::{Policy, Unrolling, folded};

/// A small generator of numbers (xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> i128 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i128::from(self.0 % end)
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }
}

/// What one statement of an iteration does, with how its constants grow.
#[derive(Clone, Copy)]
enum Act {
    StoreWord { value: usize, first: i128, stride: i128 },
    StoreElement { value: usize, first: i128, stride: i128 },
    LoadElement { first: i128, stride: i128 },
    LoadWord { first: i128, stride: i128 },
    Mix { left: usize, right: usize, first: i128, stride: i128 },
    Call { value: usize, first: i128, stride: i128 },
    Leave { value: usize, first: i128, stride: i128 },
    Choose { value: usize, first: i128, stride: i128 },
}

fn act(random: &mut Random, tests: bool) -> Act {
    let (first, stride) = (random.below(12), random.below(4) - 1);
    let value = random.below(5) as usize;
    match random.below(if tests { 8 } else { 6 }) {
        0 => Act::StoreWord { value, first: 4 * first + 64, stride: 4 * stride },
        1 => Act::StoreElement { value, first: first + 40, stride },
        2 => Act::LoadElement { first: first + 40, stride },
        3 => Act::LoadWord { first: 4 * first + 64, stride: 4 * stride },
        4 => Act::Mix { left: value, right: random.below(5) as usize, first, stride },
        5 => Act::Call { value, first, stride },
        6 => Act::Leave { value, first, stride },
        _ => Act::Choose { value, first, stride },
    }
}

/// Does the acts; `known` are the registers of late, the newest last. Now and then something is out of line.
fn perform(build: &mut Build, acts: &[Act], at: i128, known: &mut Vec<LocalId>, random: &mut Random) {
    for act in acts {
        let slip = i128::from(random.chance(60));
        let one = |known: &[LocalId], back: usize| known[known.len() - 1 - back % known.len()];
        match *act {
            Act::StoreWord { value, first, stride } => {
                let value = build.convert(build.read(one(known, value)), build.unsigned);
                let place = build.word(first + stride * at + 4 * slip);
                build.store(place, value);
            }
            Act::StoreElement { value, first, stride } => {
                build.store(build.element(first + stride * at + slip), build.read(one(known, value)));
            }
            Act::LoadElement { first, stride } => {
                let value = build.load(build.element(first + stride * at + slip));
                known.push(build.set("e", value));
            }
            Act::LoadWord { first, stride } => {
                let place = build.word(first + stride * at + 4 * slip);
                let value = build.convert(build.load(place), build.int);
                known.push(build.set("w", value));
            }
            Act::Mix { left, right, first, stride } => {
                let constant = build.number(first + stride * at + slip);
                let (left, right) = (build.read(one(known, left)), build.read(one(known, right)));
                let xor = |left, right| ExpressionKind::Binary(BinaryOperator::Xor, Box::new(left), Box::new(right));
                let value = expression(xor(expression(xor(left, right), build.int), constant), build.int);
                known.push(build.set("m", value));
            }
            Act::Call { value, first, stride } => {
                let arguments = vec![build.number(first + stride * at + slip), build.read(one(known, value))];
                known.push(build.call("g", arguments));
            }
            Act::Leave { value, first, stride } => {
                leave(build, one(known, value), first + stride * at + slip);
            }
            Act::Choose { value, first, stride } => {
                let chosen = choose(build, one(known, value), first + stride * at + slip);
                known.push(chosen);
            }
        }
    }
}

/// `if (register == number) return number;`
fn leave(build: &mut Build, register: LocalId, number: i128) {
    let (gone, on) = (build.new_block(), build.new_block());
    test(build, register, number, gone, on);
    build.block = gone;
    build.give(build.number(number));
    build.block = on;
}

/// `register < number ? g(number) : register`
fn choose(build: &mut Build, register: LocalId, number: i128) -> LocalId {
    let (then, otherwise, on) = (build.new_block(), build.new_block(), build.new_block());
    let chosen = build.register("c", build.int);
    test(build, register, number, then, otherwise);
    build.block = then;
    let result = build.call("g", vec![build.number(number)]);
    build.assign(chosen, build.read(result));
    build.end(Terminator::Goto(on));
    build.block = otherwise;
    build.assign(chosen, build.read(register));
    build.end(Terminator::Goto(on));
    build.block = on;
    chosen
}

fn test(build: &mut Build, register: LocalId, number: i128, then: core_c::BlockId, otherwise: core_c::BlockId) {
    let (left, right) = (Box::new(build.read(register)), Box::new(build.number(number)));
    let condition = expression(ExpressionKind::Binary(BinaryOperator::Less, left, right), build.int);
    build.end(Terminator::Branch { condition, then, otherwise });
}

fn program(random: &mut Random, tests: bool) -> Build {
    let mut build = Build::new();
    let mut known = vec![build.n];
    for _ in 0..1 + random.below(3) {
        let acts: Vec<Act> = (0..1 + random.below(5)).map(|_| act(random, tests)).collect();
        let inner: Vec<Act> = (0..random.below(3)).map(|_| act(random, tests)).collect();
        let (rounds, inner_rounds) = (2 + random.below(14), random.below(6));
        for at in 0..rounds {
            perform(&mut build, &acts, at, &mut known, random);
            for inside in 0..inner_rounds {
                perform(&mut build, &inner, inside + at * random.below(2), &mut known, random);
            }
        }
    }
    let back = random.below(3) as usize;
    build.give(build.read(known[known.len() - 1 - back % known.len()]));
    build
}

fn programs(seed: u64, count: usize, tests: bool) -> usize {
    let mut loops = 0;
    for at in 0..count as u64 {
        let mut random = Random((seed + at * 0x9e37_79b9) | 1);
        let built = program(&mut random, tests);
        let unrolling = if random.chance(4) { Unrolling::Chunk(2) } else { Unrolling::Fold };
        let policy = Policy { unrolling, least: 3, ..Policy::default() };
        loops += folded(built.finish(), &policy).0;
    }
    loops
}

#[test]
fn straight_programs_do_what_they_did() {
    let loops = programs(1, 400, false);
    assert!(loops > 200, "the programs have loops to find: {loops}");
}

#[test]
fn programs_with_tests_do_what_they_did() {
    let loops = programs(100_000, 400, true);
    assert!(loops > 200, "the programs have loops to find: {loops}");
}
