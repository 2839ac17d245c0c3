//! What one file must hold to, whatever its names stand for elsewhere: names distinguished, and parts that fit each other.
//!
//! In: parts of a description, whole or, where its text is broken, what there is of them. Out: findings. A front end asks
//! part by part, since it knows what is broken; a description that was read without errors is checked as a whole.

use std::collections::BTreeMap;

use source::{Diagnostic, Span, near_name};

use crate::{
    Body, Direction, Extent, Field, FieldType, Item, Name, NumberRange, Packet, Pipe, Port, Spanned, Xip, errors,
};

/// All of a description.
pub(crate) fn check(xip: &Xip, findings: &mut Vec<Diagnostic>) {
    names(&xip.items, findings);
    for item in &xip.items {
        match item {
            Item::Packet(of) => packet(of, true, findings),
            Item::Pipe(of) => pipe(of, true, findings),
            Item::Flow(of) => body(&of.body, &[], findings),
            Item::Import(_) | Item::Aspect(_) => {}
        }
    }
}

/// The names of all declarations, which share one space, and the files of the imports.
pub fn names(items: &[Item], findings: &mut Vec<Diagnostic>) {
    let names = items.iter().filter_map(|item| match item {
        Item::Import(_) => None,
        Item::Packet(packet) => Some(&packet.name),
        Item::Pipe(pipe) => Some(&pipe.name),
        Item::Flow(flow) => Some(&flow.name),
        Item::Aspect(aspect) => Some(&aspect.name),
    });
    distinct(names, errors::duplicate_name, findings);
    let mut files: BTreeMap<&str, Span> = BTreeMap::new();
    for item in items {
        let Item::Import(import) = item else { continue };
        if let Some(first) = files.get(import.file.value.as_str()) {
            findings.push(errors::imported_twice(import.file.span, *first, &import.file.value));
        } else {
            files.insert(&import.file.value, import.file.span);
        }
    }
}

/// Reports each name that was there before, with the place of the first.
fn distinct<'a>(
    names: impl Iterator<Item = &'a Name>,
    report: fn(Span, Span, &str) -> Diagnostic,
    findings: &mut Vec<Diagnostic>,
) {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names {
        match known.get(name.text.as_str()) {
            Some(first) => findings.push(report(name.span, *first, &name.text)),
            None => {
                known.insert(&name.text, name.span);
            }
        }
    }
}

/// The fields of a packet. Where it is not whole, a field may seem to be missing.
pub fn packet(packet: &Packet, is_whole: bool, findings: &mut Vec<Diagnostic>) {
    distinct(packet.fields.iter().map(|field| &field.name), errors::duplicate_field, findings);
    packet.fields.iter().for_each(|field| range(field, findings));
    let mut counts: BTreeMap<&str, Span> = BTreeMap::new();
    for field in &packet.fields {
        let Some(Extent::Bounded { bound, used: Some(used) }) = &field.array else { continue };
        let Some(count) = packet.fields.iter().find(|field| field.name == *used) else {
            if is_whole {
                let known: Vec<&str> = packet.fields.iter().map(|field| field.name.text.as_str()).collect();
                let guess = near_name(&used.text, &known);
                findings.push(errors::used_unknown(used.span, &used.text, &packet.name.text, guess));
            }
            continue;
        };
        match most(count) {
            None => findings.push(errors::used_not_a_count(used.span, count.name.span, &used.text)),
            Some(most) if most < bound.value => {
                findings.push(errors::used_too_small(used.span, count.name.span, most, bound.value));
            }
            Some(_) => {}
        }
        if let Some(first) = counts.get(used.text.as_str()) {
            findings.push(errors::used_twice(used.span, *first, &used.text));
        } else {
            counts.insert(&used.text, used.span);
        }
    }
}

/// Whether a field holds whole numbers, and all that its range names.
fn range(field: &Field, findings: &mut Vec<Diagnostic>) {
    let Some(Spanned { value: NumberRange { least, most }, span }) = field.range else { return };
    let FieldType::Integer { bits, signed } = field.ty else {
        findings.push(errors::range_of_no_number(span, &field.name, &field.ty.words()));
        return;
    };
    let lowest = if signed { -(1_i128 << (bits - 1)) } else { 0 };
    let highest = (1_i128 << (u32::from(bits) - u32::from(signed))) - 1;
    if least > most {
        findings.push(errors::range_of_nothing(span, (least, most)));
    } else if least < lowest || most > highest {
        findings.push(errors::range_beyond_type(span, &field.ty.words(), (lowest, highest)));
    }
}

/// The greatest number that a field holds, if it is one unsigned integer.
fn most(field: &Field) -> Option<u64> {
    match (&field.ty, &field.array) {
        (FieldType::Integer { bits, signed: false }, None) => Some(u64::MAX >> (64 - u32::from(*bits))),
        _ => None,
    }
}

/// The parts of a pipe. Where it is not whole, one may seem to be missing.
pub fn pipe(pipe: &Pipe, is_whole: bool, findings: &mut Vec<Diagnostic>) {
    distinct(pipe.ports.iter().map(|port| &port.name), errors::duplicate_port, findings);
    let polled = pipe.ports.iter().filter(|port| port.direction == Direction::Out && port.is_polled());
    findings.extend(polled.map(errors::polled_outport));
    body(&pipe.body, &pipe.ports, findings);
    if let (None, Some(timer), true) = (&pipe.middle, pipe.timers.first(), is_whole) {
        findings.push(errors::timer_without_middle(timer, &pipe.name.text));
    }
    crate::wait::check(pipe, is_whole, findings);
    let never = pipe.timers.iter().filter(|timer| timer.every.value.microseconds() == 0);
    findings.extend(never.map(errors::timer_of_nothing));
    match (&pipe.middle, pipe.body.joins()) {
        (Some(middle), Some(inside)) => {
            findings.push(errors::middle_and_body(middle.function.span, inside, &pipe.name.text));
        }
        (None, None) if is_whole => findings.push(errors::does_nothing(pipe.name.span, &pipe.name.text)),
        _ => {}
    }
}

/// The instances in a body; `ports` are those of the pipe around, which edges name in the same way.
pub fn body(body: &Body, ports: &[Port], findings: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<&str, Span> = BTreeMap::new();
    for port in ports {
        known.entry(&port.name.text).or_insert(port.name.span);
    }
    let channels = body.channels.iter().map(|channel| &channel.name);
    for Name { text, span } in body.instances.iter().map(|instance| &instance.name).chain(channels) {
        match known.get(text.as_str()) {
            Some(first) => findings.push(errors::duplicate_instance(*span, *first, text)),
            None => {
                known.insert(text, *span);
            }
        }
    }
}
