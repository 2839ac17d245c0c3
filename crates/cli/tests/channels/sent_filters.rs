//! Conditions as data: a subscriber that was built from another version of the file than its sender says what it wants when it
//! subscribes, and gets that; one that sends what makes no sense is refused with a reason, and counted, and the others go on. The C that is
//! compiled ahead, the data, and what a program reads when it starts come to the same for random packets and conditions. Sources in `tests/flows/filter`.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use filetest::accounts::wait_until;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};
use super::subscribers::{Subscribers, Wants, accounts_balance, each_got_what_it_wants, run_all};

/// What the file says in the sender's version and in the receivers', and what that means.
const CHANGES: [(&str, &str); 7] = [
    ("temperature >= 10.0 and not is_open and warmth != 0.1", "temperature < 3 or (place == \"a\" and not is_open)"),
    (" where place == \"b \\\"2\\\"\" or past[1].x < -1", ""),
    (
        "q.count >= 3 and v[2] != 0 and (grade == 'B' or small < at.x)",
        "past[1].x == 2 or (v[2] == 0 and grade == 'C' and big == 18446744073709551615)",
    ),
    ("all.r queue 64", "all.r where warmth == 0.1 and q.count < 3 and small != 0 queue 64"),
    ("tint == GREEN and at.y >= -2", "tint == BLUE and big == 7"),
    ("name != \"none\" and marks.count > 1", "name == \"sky\" or marks.count == 3"),
    ("sensor != 1 or number < 5", "not (sensor == 1)"),
];
const READINGS: [(&str, Wants); 5] = [
    ("warm", |n| n % 20 < 3 || (n % 4 != 0 && n % 3 != 0)),
    ("here", |_| true),
    ("odd", |n| n % 7 == 5 || (n % 2 == 0 && n % 3 == 2)),
    ("large", |n| n % 2 == 0 && n % 8 > 3 && n % 3 != 0),
    ("all", |n| n % 4 == 1 && n % 5 < 3 && n % 5 != 0),
];
const PAINTS: [(&str, Wants); 3] = [
    ("green", |n| n % 3 == 2 && n % 4 != 0),
    ("named", |n| (n % 2 == 1 && n % 3 % 2 == 0) || n % 5 == 3),
    ("both", |n| n % 2 == 0 && n % 3 != 2 && n % 4 == 0),
];

#[test]
fn sent_filters() -> Outcome {
    let sender = Flow::build("filter")?;
    let changed = |text: String| CHANGES.iter().fold(text, |text, (from, to)| text.replacen(from, to, 1));
    let receivers = Flow::generate("filter", changed)?;
    Flow::make(&receivers)?;
    each_gets_what_it_says(&sender, &receivers, "readings", &READINGS)?;
    each_gets_what_it_says(&sender, &receivers, "paints", &PAINTS)?;
    what_makes_no_sense_is_refused(&sender, &receivers)
}

fn each_gets_what_it_says(
    sender: &Scratch,
    receivers: &Scratch,
    name: &'static str,
    subscribers: &Subscribers,
) -> Outcome {
    let flow = Flow::new(sender, name)?;
    let north = flow.begin("north", "north", &[])?;
    run_all(&flow, receivers.path(), subscribers, "100")?;
    end(&flow, north, "north")?;
    each_got_what_it_wants(&flow, subscribers, |_| true)?;
    accounts_balance(&flow, |edge, counts| {
        assert_eq!(counts[6] == 0, edge.ends_with("here.r"), "{edge}: what was filtered");
    })
}

/// A program in the receiver's file is changed before that is compiled.
fn what_makes_no_sense_is_refused(sender: &Scratch, receivers: &Scratch) -> Outcome {
    let file = receivers.path().join("readings_warm.main.c");
    let text = fs::read_to_string(&file)?;
    assert!(text.contains("filter_north_r[] = { "), "{text}");
    fs::write(&file, text.replace("filter_north_r[] = { ", "filter_north_r[] = { 99, "))?;
    Flow::make(receivers)?;
    let flow = Flow::new(sender, "readings")?;
    let north = flow.begin("north", "north", &[])?;
    let bad = flow.begin_from(receivers.path(), "warm", "warm", (&[], &[]))?;
    wait_until("a refusal", || Ok(flow.said("north")?.contains("refused: it has an operation that is not known")))?;
    wait_until("the reason at its own end", || {
        Ok(flow
            .said("warm")?
            .contains("its sender refuses the condition of this subscriber: it has an operation that is not known"))
    })?;
    let status = flow.begin_from(receivers.path(), "here", "here", (&[], &[("LEAVE", "50")]))?.wait()?;
    assert!(status.success(), "{status}");
    assert_eq!(flow.said("north")?.matches("operation").count(), 1, "it is said once");
    end(&flow, bad, "warm")?;
    end(&flow, north, "north")?;
    assert_eq!(flow.said("warm")?.matches("operation").count(), 1, "it is said once here, too");
    assert_eq!(flow.text("warm")?, "");
    Ok(())
}

/// A small generator, so that a failure comes again.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap_or(0)]
    }

    /// A comparison that may come out either way.
    fn comparison(&mut self) -> String {
        const ORDERED: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
        match self.below(10) {
            0 => self.one(&["is_open", "not is_open", "is_open == true", "is_open != false"]).to_owned(),
            1 => format!("place {} {}", self.one(&ORDERED[..2]), self.one(&["\"a\"", "\"\"", "\"b \\\"2\\\"\""])),
            2 => format!("grade {} '{}'", self.one(&ORDERED), self.one(&["A", "B", "z", "\\x01"])),
            3 => format!(
                "{} {} {}",
                self.one(&["temperature", "warmth"]),
                self.one(&ORDERED),
                self.one(&["0.1", "-1", "2.5e-3", "0"])
            ),
            4 => format!("temperature {} {}", self.one(&ORDERED), self.one(&["warmth", "number", "past[1].x", "v[0]"])),
            5 => format!(
                "big {} {}",
                self.one(&ORDERED),
                self.one(&["18446744073709551614", "1", "9223372036854775808", "number"])
            ),
            6 => format!(
                "small {} {}",
                self.one(&ORDERED),
                self.one(&["-9223372036854775807", "at.y", "0", "-1.5e3"][..3])
            ),
            7 => format!("q.count {} {}", self.one(&ORDERED[..2]), self.one(&["1", "2", "3"])),
            8 => format!(
                "{} {} {}",
                self.one(&["id[1]", "v[2]", "past[0].y"]),
                self.one(&ORDERED),
                self.one(&["1", "2", "at.x", "0.5"][..3])
            ),
            _ => format!("number {} {}", self.one(&ORDERED[2..]), self.one(&["1", "2.5", "77", "4294967294"])),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            return self.comparison();
        }
        match self.below(5) {
            0 => format!("not ({})", self.condition(depth - 1)),
            1 | 2 => format!("({}) and ({})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("({}) or {}", self.condition(depth - 1), self.comparison()),
        }
    }
}

/// Each condition is a subscription of one sender, whose file has both forms of it.
#[test]
fn what_is_compiled_and_what_is_sent_agree() -> Outcome {
    const CONDITIONS: u32 = 120;
    let mut chance = Chance(20_261_128);
    let mut flow = "flow agree {\n  channel News of Reading;\n  Sensor north;\n  north.r -> News;\n".to_owned();
    for number in 0..CONDITIONS {
        let condition = chance.condition(4);
        let _ = writeln!(flow, "  Screen s{number};\n  News -> s{number}.r where {condition} via unix;");
    }
    let only = |text: String| {
        let packets =
            text.split_once("pipe Painter").map_or("", |(packets, _)| packets).replace("import \"kinds.x\";", "");
        format!("{packets}{flow}}}\n")
    };
    let folder = Flow::generate("filter", only)?;
    fs::write(folder.path().join("agree.c"), AGREE)?;
    let flags = "-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all -pthread -o agree agree.c";
    let files = ["filter_packets.c", "whittle_flow.c", "whittle_net.c"];
    let output = Command::new("gcc").args(flags.split(' ')).args(files).current_dir(folder.path()).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new("./agree").current_dir(folder.path()).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Asks both of random packets; each condition must hold of some packet, and of another not, in most cases.
const AGREE: &str = r#"
#define main main_of_the_flow
#include "agree_north.main.c"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
unsigned whittle_flow_filter_fault(const struct whittle_flow_field *fields, size_t field_count, const uint8_t *code, size_t bytes);
bool whittle_flow_filter_holds(const struct whittle_flow_field *fields, size_t field_count, const uint8_t *code, size_t bytes, const void *packet);

bool sense(struct Sensor *self)
{
    (void)self;
    return false;
}

static uint64_t state = 77;
static uint32_t any(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % below);
}

static int64_t some(void)
{
    static const int64_t edges[] = {0, 1, -1, 2, 3, 77, INT64_MAX, INT64_MIN, -2, 4294967295, 4294967294, -1500};
    return any(3) != 0 ? edges[any(12)] : (int64_t)any(6) - 3;
}

static void fill(Reading *r)
{
    static const char *const places[] = {"a", "", "b \"2\"", "another place"};
    static const double fractions[] = {0, 0.1, 0.1f, -1, 2.5e-3, 1e300, -0.0, 4294967295.0};
    memset(r, 0, sizeof *r);
    r->number = (uint32_t)some();
    r->temperature = any(9) == 0 ? __builtin_nan("") : any(2) == 0 ? fractions[any(8)] : (double)some();
    r->warmth = any(9) == 0 ? __builtin_nanf("") : (float)fractions[any(8)];
    r->is_open = any(2);
    strcpy(r->place, places[any(4)]);
    r->at.x = (int16_t)some();
    r->at.y = (int16_t)some();
    r->past[0].y = (int16_t)some();
    r->past[1].x = (int16_t)some();
    r->q_count = any(5);
    r->v[0] = (int8_t)some();
    r->v[2] = (int8_t)some();
    r->id[1] = (uint8_t)some();
    r->grade = "ABz\1\377"[any(5)];
    r->big = any(3) == 0 ? UINT64_MAX - any(3) : (uint64_t)some();
    r->small = some();
}

int main(void)
{
    unsigned both = 0;
    for (size_t n = 0; n < fan_north_r.count; n++) {
        const struct whittle_flow_sender *const sender = fan_north_r.senders[n];
        const struct whittle_flow_edge *const edge = sender->edge;
        unsigned held = 0;
        if (edge->filter_code == NULL || whittle_flow_filter_fault(edge->fields, edge->field_count, edge->filter_code, edge->filter_bytes) != 0) {
            fprintf(stderr, "`%s` is refused\n", edge->filter);
            return 1;
        }
        struct whittle_flow_edge plain = *edge;
        plain.filter = NULL;
        struct whittle_flow_receiver receiver = {.edge = &plain};
        struct whittle_flow_receiver *const receivers[] = {&receiver};
        struct whittle_flow_process process = {.name = "agree", .receivers = receivers, .receiver_count = 1};
        if (!whittle_flow_where(&process, edge->to, "r", edge->filter))
            return 1;
        for (unsigned turn = 0; turn < 3000; turn++) {
            Reading packet;
            fill(&packet);
            const bool wanted = sender->wants(&packet);
            held += wanted;
            if (whittle_flow_filter_holds(edge->fields, edge->field_count, edge->filter_code, edge->filter_bytes, &packet) != wanted) {
                fprintf(stderr, "`%s`: compiled it is %d\n", edge->filter, wanted);
                return 1;
            }
            if (whittle_flow_filter_holds(edge->fields, edge->field_count, receiver.where, receiver.where_bytes, &packet) != wanted) {
                fprintf(stderr, "`%s`: given when a program starts it is %d\n", edge->filter, !wanted);
                return 1;
            }
        }
        free(receiver.where);
        both += held > 0 && held < 3000;
    }
    if (both < fan_north_r.count * 3 / 4) {
        fprintf(stderr, "only %u of %u conditions came out both ways\n", both, (unsigned)fan_north_r.count);
        return 1;
    }
    return 0;
}
"#;
