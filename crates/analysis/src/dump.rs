//! All that the analysis knows, as text: for people who want to see why it did a thing.

use std::fmt::Write;

use core_c::{Program, dump_statement};

use crate::lattice::{BindingTime, Content, FAR, Known, Offsets, Part, State, Value};
use crate::object::{OUTSIDE, StatementId, describe_local, plain};
use crate::tables::{Analysis, Table};
use crate::variant::Way;

impl Analysis {
    /// Every variant: what it is called with, what is known where each block starts, what is done with each statement.
    pub fn dump(&self, program: &Program) -> String {
        let mut out = String::new();
        for (id, table) in &self.variants {
            let function = &program.functions[table.function];
            let _ = write!(out, "variant {} of {}", id.0, plain(&function.name));
            let _ =
                writeln!(out, ", for {} states{}", table.states, if table.remains { "" } else { ", nothing remains" });
            self.dump_blocks(program, table, &mut out);
        }
        out
    }

    fn dump_blocks(&self, program: &Program, table: &Table, out: &mut String) {
        let function = &program.functions[table.function];
        for ((block, way), state) in &table.before {
            let number = block.into_raw().into_u32();
            let _ = write!(out, "  block {number}");
            if *way != Way::default() {
                let _ = write!(out, " on way {}", way.0);
            }
            out.push('\n');
            self.dump_state(program, table, state, out);
            let data = &function.blocks[*block];
            for index in 0..=data.statements.len() {
                let at = StatementId { function: table.function, block: *block, index };
                let action = table.actions.get(&at).map_or("unreached".to_owned(), |action| format!("{action:?}"));
                let text = match data.statements.get(index) {
                    Some(statement) => dump_statement(program, function, statement),
                    None => "end".to_owned(),
                };
                let _ = write!(out, "    {action:<9} {text}");
                for (call, callee) in table.calls.iter().filter(|(call, _)| call.0 == at) {
                    let _ = write!(out, " [{}: variant {}]", plain(&program.functions[call.1].name), callee.0);
                }
                out.push('\n');
            }
        }
    }

    fn dump_state(&self, program: &Program, table: &Table, state: &State, out: &mut String) {
        let function = &program.functions[table.function];
        for (local, _) in function.locals.iter() {
            let value = &state.registers[crate::engine::number(local)];
            if value.known != Known::Nothing || value.is_dynamic() {
                let _ = writeln!(out, "      {} = {}", describe_local(function, local), self.text(program, value));
            }
        }
        for object in state.store.objects().filter(|object| table.touched.holds(object.0 as usize)) {
            let Some(content) = state.store.get(object) else { continue };
            let exposed = if state.store.exposed.holds(object.0 as usize) { ", went outside" } else { "" };
            let _ = write!(out, "      {}{exposed}", self.objects.name(object).describe(program));
            self.dump_content(program, content, out);
        }
    }

    fn dump_content(&self, program: &Program, content: &Content, out: &mut String) {
        for (is, word) in [(content.many, "several"), (content.private, "private"), (content.pristine, "pristine")] {
            if is {
                let _ = write!(out, ", {word}");
            }
        }
        let _ = writeln!(out, ": {}", self.text(program, &content.default));
        for segment in &content.segments {
            let part = Part { first: segment.start.rem_euclid(8), width: segment.end - segment.start };
            let offsets = Offsets::at(segment.start.div_euclid(8));
            let _ = writeln!(out, "        {} = {}", place(&offsets, part), self.text(program, &segment.value));
        }
        for smear in &content.smears {
            let offsets = Offsets::Range(smear.range);
            let _ =
                writeln!(out, "        {} may be {}", place(&offsets, smear.part), self.text(program, &smear.value));
        }
    }

    fn text(&self, program: &Program, value: &Value) -> String {
        let mut text = match (value.time, value.known) {
            (BindingTime::Dynamic, _) => "dynamic".to_owned(),
            (BindingTime::Based, Known::NonZero) => "based, not null".to_owned(),
            (BindingTime::Based, _) => "based".to_owned(),
            (_, Known::Nothing) => "nothing".to_owned(),
            (_, Known::Exact(number)) => number.to_string(),
            (_, Known::NonZero) => "static, not zero".to_owned(),
            (_, Known::Any) => "static".to_owned(),
        };
        let targets = value.targets.iter().filter(|(object, _)| *object != OUTSIDE || !value.is_dynamic());
        for (number, (object, offsets)) in targets.enumerate() {
            text.push_str(if number == 0 { " -> " } else { ", " });
            let _ = write!(text, "{} {}", self.objects.name(*object).describe(program), place_of(offsets));
        }
        text
    }
}

fn place(offsets: &Offsets, part: Part) -> String {
    if part.first == 0 && part.width % 8 == 0 {
        return format!("{} ({} bytes)", place_of(offsets), part.width / 8);
    }
    format!("{} (bits {}+{})", place_of(offsets), part.first, part.width)
}

fn place_of(offsets: &Offsets) -> String {
    match offsets {
        Offsets::Points(points) => {
            let points: Vec<String> = points.iter().map(i64::to_string).collect();
            format!("@{}", points.join("|"))
        }
        Offsets::Range(range) => {
            let bound = |bound: i64| if bound.abs() == FAR { String::new() } else { bound.to_string() };
            format!("@{}..{} by {}", bound(range.low), bound(range.high), range.step)
        }
    }
}
