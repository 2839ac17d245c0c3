//! What arguments consist of, as tables that the harness's runtime reads: numbers, pointers to bytes, pointers to other
//! such things, pointers to functions. What nobody can make up is refused by its name.

use std::collections::BTreeMap;

use cast::{Declaration, Expression, RecordKind, Scalar, TagKind, Type, TypeTable, build};

use super::stubs::Stubs;
use super::table;

/// A part of an argument, as the runtime has it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    name: String,
    kind: &'static str,
    offset: u64,
    size: u64,
    count: u64,
    shape: usize,
}

/// Types that pointers lead to, and the tables of parts so far.
pub(super) struct Shapes<'t> {
    types: &'t TypeTable,
    numbers: BTreeMap<String, usize>,
    /// Size, and the name of the table of parts.
    shapes: Vec<(u64, usize)>,
    parts: Vec<(String, Vec<Part>)>,
    stubs: Stubs,
}

impl<'t> Shapes<'t> {
    pub(super) fn new(types: &'t TypeTable) -> Self {
        Shapes { types, numbers: BTreeMap::new(), shapes: Vec::new(), parts: Vec::new(), stubs: Stubs::default() }
    }

    pub(super) fn resolve<'a>(&'a self, ty: &'a Type) -> &'a Type {
        self.types.resolve(ty)
    }

    pub(super) fn size(&self, ty: &Type) -> Result<u64, String> {
        self.types.size(ty).ok_or_else(|| format!("nothing is known of `{}`", cast::print_type(ty)))
    }

    pub(super) fn add_parts(&mut self, name: &str, parts: Vec<Part>) {
        self.parts.push((name.to_owned(), parts));
    }

    /// One value of a type.
    pub(super) fn whole(&mut self, ty: &Type, name: &str) -> Result<Part, String> {
        let part = |kind, size, shape| Part { name: name.to_owned(), kind, offset: 0, size, count: 1, shape };
        let size = self.size(ty).map_err(|why| format!("`{name}`: {why}"))?;
        let cannot = |what: &str| Err(format!("`{name}` is {what}, which cannot be made up"));
        match self.types.resolve(ty).clone() {
            Type::Scalar(Scalar::Bool) => Ok(part("TRUTH", size, 0)),
            Type::Scalar(Scalar::Float) => Ok(part("FLOAT", size, 0)),
            Type::Scalar(Scalar::Double) => Ok(part("DOUBLE", size, 0)),
            Type::Scalar(Scalar::LongDouble | Scalar::Float128) => cannot("a number of more than 64 bits"),
            Type::Scalar(_) | Type::Tagged(TagKind::Enum, _) => Ok(part("NUMBER", size, 0)),
            Type::Pointer(to) => match self.types.resolve(&to).clone() {
                Type::Void | Type::Scalar(Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar) => {
                    Ok(part("BYTES", size, 0))
                }
                Type::Function(ty) => match self.stubs.number(self.types, &ty) {
                    Ok(number) => Ok(part("FUNCTION", size, number)),
                    Err(why) => cannot(&format!("a pointer to a function that {why}")),
                },
                _ => Ok(part("POINTER", size, self.shape(&to, name)?)),
            },
            Type::Tagged(TagKind::Union, tag) => self.union_part(&tag, name, size),
            Type::Tagged(TagKind::Struct, _) | Type::Array(..) => Ok(part("RECORD", size, self.shape(ty, name)?)),
            Type::Function(_) => cannot("a function"),
            other => cannot(&format!("a `{}`", cast::print_type(&other))),
        }
    }

    /// Of a union it is not known which member counts: bytes do for all but pointers.
    fn union_part(&self, tag: &str, name: &str, size: u64) -> Result<Part, String> {
        let fields = self.types.records.get(tag).map(|layout| &layout.fields[..]).unwrap_or_default();
        let (mut texts, mut others) = (0, 0);
        fields.iter().for_each(|field| self.pointers(&field.ty, &mut texts, &mut others));
        let kind = match (texts, others) {
            (0, 0) => "NUMBER",
            (_, 0) => "TEXT_OR_NUMBER",
            _ => return Err(format!("`{name}` is a union with pointers, and nothing says which of them is there")),
        };
        Ok(Part { name: name.to_owned(), kind, offset: 0, size, count: 1, shape: 0 })
    }

    /// Counts pointers to bytes and others. A pointer deep inside counts as another one.
    fn pointers(&self, ty: &Type, texts: &mut usize, others: &mut usize) {
        match self.types.resolve(ty) {
            Type::Pointer(to) => match self.types.resolve(to) {
                Type::Void | Type::Scalar(Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar) => *texts += 1,
                _ => *others += 1,
            },
            Type::Array(element, _) => {
                let (mut inner, mut more) = (0, 0);
                self.pointers(element, &mut inner, &mut more);
                *others += inner + more;
            }
            Type::Tagged(TagKind::Struct | TagKind::Union, tag) => {
                let (mut inner, mut more) = (0, 0);
                let fields = self.types.records.get(tag).map(|layout| &layout.fields[..]).unwrap_or_default();
                fields.iter().for_each(|field| self.pointers(&field.ty, &mut inner, &mut more));
                *others += inner + more;
            }
            _ => {}
        }
    }

    /// The number of a type's shape; `name` is for messages.
    fn shape(&mut self, ty: &Type, name: &str) -> Result<usize, String> {
        let resolved = self.types.resolve(ty).clone();
        let key = cast::print_type(&resolved);
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let number = self.shapes.len();
        let size = self.size(ty).map_err(|why| format!("`{name}`: {why}"))?;
        self.numbers.insert(key, number);
        self.shapes.push((size, 0));
        let parts = self.parts_of(&resolved, name)?;
        self.shapes[number].1 = parts.len();
        if !parts.is_empty() {
            self.add_parts(&parts_name(number), parts);
        }
        Ok(number)
    }

    /// What one object consists of.
    fn parts_of(&mut self, ty: &Type, name: &str) -> Result<Vec<Part>, String> {
        match ty {
            Type::Array(element, length) => {
                let count = length.as_deref().and_then(cast::array_length).unwrap_or(0);
                let part = self.whole(element, "")?;
                Ok(vec![Part { count, ..part }])
            }
            Type::Tagged(TagKind::Struct, tag) => {
                let layout = self.types.records.get(tag).filter(|layout| layout.kind == RecordKind::Struct);
                let fields = layout.map(|layout| layout.fields.clone()).unwrap_or_default();
                fields.iter().filter_map(|field| self.field(field).transpose()).collect()
            }
            _ => {
                let part = self.whole(ty, name)?;
                Ok(vec![Part { name: String::new(), ..part }])
            }
        }
    }

    fn field(&mut self, field: &cast::FieldLayout) -> Result<Option<Part>, String> {
        let name = field.name.clone().unwrap_or_default();
        let offset = field.offset / 8;
        if let Some(bits) = field.bits {
            let end = (field.offset + u64::from(bits)).div_ceil(8);
            let shape = (field.offset % 8) as usize + 8 * bits as usize;
            let part = Part { name, kind: "BITS", offset, size: end - offset, count: 1, shape };
            return Ok((bits > 0).then_some(part));
        }
        if let Type::Array(_, None) = self.types.resolve(&field.ty) {
            return Ok(None);
        }
        Ok(Some(Part { offset, ..self.whole(&field.ty, &name)? }))
    }

    /// A table of parts, beside those that [`Shapes::tables`] gives.
    pub(super) fn parts_table(&self, name: &str, parts: &[Part]) -> Declaration {
        table(name, Type::structure("whittle_harness_part").constant(), parts.iter().map(line).collect())
    }

    /// All tables, and the functions that pointers point to.
    pub(super) fn tables(&self) -> Vec<Declaration> {
        let mut out = self.stubs.declarations(self.types);
        out.extend(self.parts.iter().map(|(name, parts)| self.parts_table(name, parts)));
        let shape = |(number, (size, count)): (usize, &(u64, usize))| -> Expression {
            let parts = if *count == 0 { build::integer(0) } else { build::name(parts_name(number), Type::Void) };
            build::braces(vec![build::unsigned(*size), build::unsigned(*count as u64), parts])
        };
        let mut shapes: Vec<Expression> = self.shapes.iter().enumerate().map(shape).collect();
        if shapes.is_empty() {
            shapes.push(build::braces(vec![build::integer(0)]));
        }
        let ty = Type::structure("whittle_harness_shape").constant();
        out.push(table("whittle_harness_all_shapes", ty, shapes));
        out.push(Declaration::Blank);
        out
    }
}

fn line(part: &Part) -> Expression {
    let numbers = [part.offset, part.size, part.count, part.shape as u64].map(build::unsigned);
    let kind = build::name(format!("WHITTLE_HARNESS_{}", part.kind), Type::INT);
    build::braces([build::text(&part.name), kind].into_iter().chain(numbers).collect())
}

fn parts_name(shape: usize) -> String {
    format!("whittle_harness_parts_{shape}")
}
