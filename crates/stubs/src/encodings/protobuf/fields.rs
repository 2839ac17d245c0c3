//! The number of each field. In: the tables of values, and what the description says of numbers (`@id`). Out: a row for each part, at its
//! place. Members without a number get one more than the one before them, from 1. A union's discriminant is a field (the first) only where
//! its arms do not tell it, which they do where each value of its enumeration selects an arm of its own, and at most one selects nothing.

use std::collections::BTreeMap;

use cast::Expression;
use cast::Type;
use cast::build::{braces, name, unsigned};
use pres::PresC;
use source::Diagnostic;

use super::{errors, placed};
use crate::values::{Chosen, Part, Row, Values};

const MOST: u32 = (1 << 29) - 1;

/// A part's field; 0 where it has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) number: u32,
    nth: usize,
    nth_number: u32,
    label: Option<usize>,
}

/// The numbers that the description gives, by type.
pub(crate) type Numbers = BTreeMap<String, Vec<Option<u32>>>;

/// A field for each part of each type.
pub(super) fn of(values: &Values, numbers: &Numbers) -> Vec<Field> {
    let mut fields = vec![Field::default(); values.parts().len()];
    for (row, name) in values.types() {
        let given = name.and_then(|name| numbers.get(name)).map_or(&[][..], Vec::as_slice);
        match row.kind {
            "STRUCTURE" => {
                let parts = row.first..row.first + row.count;
                let members = values.parts()[parts.clone()].iter().map(|part| !part.is_count);
                write(&mut fields[parts], &numbered(members, given, 0));
            }
            "UNION" => union(values, row, given, &mut fields),
            _ => {}
        }
    }
    fields
}

/// The numbers of members, of which those that are no fields have 0.
fn numbered(members: impl Iterator<Item = bool>, given: &[Option<u32>], before: u32) -> Vec<u32> {
    let (mut last, mut given) = (before, given.iter());
    let mut number = |is_field: bool| {
        if !is_field {
            return 0;
        }
        // 0 is no number of a field's; it is refused as one that is too large.
        let number = given.next().copied().flatten().unwrap_or(last.saturating_add(1));
        last = if number == 0 { u32::MAX } else { number };
        last
    };
    members.map(&mut number).collect()
}

/// Numbers at their places, and the places in order of number.
fn write(fields: &mut [Field], numbers: &[u32]) {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by_key(|place| numbers[*place]);
    for ((field, number), nth) in fields.iter_mut().zip(numbers).zip(order) {
        (field.number, field.nth, field.nth_number) = (*number, nth, numbers[nth]);
    }
}

fn union(values: &Values, row: &Row, given: &[Option<u32>], fields: &mut [Field]) {
    let labels = &values.labels()[row.labels..row.labels + row.count];
    let count = values.parts_of(row).len() - 1;
    let mut of_arm = vec![Vec::new(); count + 1];
    for (at, label) in labels.iter().enumerate() {
        match label.chosen {
            Chosen::Part(part) => of_arm[part - row.first].push(row.labels + at),
            _ => of_arm[0].push(row.labels + at),
        }
    }
    let by = values.row_of(&values.parts()[row.first]);
    let all = match by.kind {
        "BOOLEAN" => 2,
        "ENUMERATION" => by.count,
        _ => usize::MAX,
    };
    let has_default = matches!(row.otherwise, Chosen::Part(_));
    let is_one_each = of_arm[1..].iter().all(|labels| labels.len() == 1) && of_arm[0].len() <= 1;
    let tells = labels.len() == all && !has_default && is_one_each;
    let discriminant = u32::from(!tells);
    let numbers = numbered((0..count).map(|_| true), given, discriminant);
    let (first, arms) = fields[row.first..=row.first + count].split_at_mut(1);
    write(arms, &numbers);
    for (field, labels) in arms.iter_mut().zip(&of_arm[1..]) {
        // Places are counted from the first part of the type.
        field.nth += 1;
        field.label = labels.first().copied();
    }
    first[0] = Field { number: discriminant, nth: count, nth_number: discriminant, label: of_arm[0].first().copied() };
}

/// Numbers that cannot be, and those that two fields of a type have.
pub(super) fn refused(values: &Values, pres: &PresC) -> Vec<Diagnostic> {
    let fields = of(values, &pres.field_numbers);
    let mut findings = Vec::new();
    for (row, name) in values.types().filter_map(|(row, name)| Some((row, name?))) {
        let parts = values.parts_of(row);
        findings.extend(of_type(pres, name, &values.parts()[parts.clone()], &fields[parts]));
    }
    findings
}

fn of_type(pres: &PresC, name: &str, parts: &[Part], fields: &[Field]) -> Vec<Diagnostic> {
    let mut numbered: Vec<(u32, &str)> = fields.iter().zip(parts).map(|(f, p)| (f.number, p.name.as_str())).collect();
    numbered.retain(|(number, _)| *number != 0);
    let is_wrong = |number: u32| number > MOST || (19000..20000).contains(&number);
    let wrong = numbered.iter().filter(|(number, _)| is_wrong(*number));
    let mut findings: Vec<_> =
        wrong.map(|(_, member)| placed(errors::no_field_number(name, member), pres, name, member)).collect();
    numbered.sort_by_key(|(number, _)| *number);
    for pair in numbered.windows(2) {
        if let [(one, first), (two, second)] = pair
            && one == two
        {
            findings.push(placed(errors::one_number(name, [first, second], *one), pres, name, second));
        }
    }
    findings
}

/// A row of the table.
pub(super) fn row(field: &Field) -> Expression {
    let none = || name("WHITTLE_PROTOBUF_NONE", Type::named("uint32_t"));
    let numbers = [u64::from(field.number), field.nth as u64, u64::from(field.nth_number)];
    let label = field.label.map_or_else(none, |label| unsigned(label as u64));
    braces(numbers.map(unsigned).into_iter().chain([label]).collect())
}
