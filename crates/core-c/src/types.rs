//! Types as the machine sees them, each beside the C type that spells it.

use std::collections::BTreeMap;

use cast::{FieldLayout, Layout, Scalar, Type, TypeTable};
use la_arena::{Arena, Idx};

/// A type of one program.
pub type TypeId = Idx<TypeData>;

/// What a type's values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeData {
    /// How C spells it, typedef names kept, outermost qualifiers dropped.
    pub c: Type,
    pub shape: Shape,
    /// In bytes; none for `void`, functions, and types whose size is unknown or is computed at run time.
    pub size: Option<u64>,
    /// In bytes.
    pub alignment: u64,
}

/// What there is to know of a type's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Void,
    /// Two's complement. `boolean` is `_Bool`, to which conversion compares with zero.
    Integer {
        bits: u32,
        signed: bool,
        boolean: bool,
    },
    /// IEEE binary32, binary64, or wider: 80 (stored in 16 bytes) or 128.
    Float {
        bits: u32,
    },
    Pointer(TypeId),
    /// Number of elements; none where it is unknown or computed at run time.
    Array(TypeId, Option<u64>),
    /// A structure or union, by tag in [`Types::table`].
    Record(String),
    Function(Box<Signature>),
    /// Moved as bytes, never looked into.
    Opaque,
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub result: TypeId,
    pub parameters: Vec<TypeId>,
    pub variadic: bool,
    pub unprototyped: bool,
}

/// The types of a program, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    list: Arena<TypeData>,
    known: BTreeMap<String, TypeId>,
    pub table: TypeTable,
}

impl Types {
    pub fn new(table: TypeTable) -> Types {
        Types { table, ..Types::default() }
    }

    /// The type that C spells so; equal spellings (qualifiers aside) give equal ids.
    pub fn intern(&mut self, ty: &Type) -> TypeId {
        let c = ty.unqualified().clone();
        let key = format!("{c:?}");
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        // Types that contain themselves do so through a pointer to a record, which is held by its tag.
        let shape = self.shape(&c);
        let (size, alignment) = self.extent(&c, &shape);
        let id = self.list.alloc(TypeData { c, shape, size, alignment });
        self.known.insert(key, id);
        id
    }

    /// The id that a type has already.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.known.get(&format!("{:?}", ty.unqualified())).copied()
    }

    /// The type that an id stands for.
    pub fn get(&self, id: TypeId) -> &TypeData {
        &self.list[id]
    }

    pub fn shape_of(&self, id: TypeId) -> &Shape {
        &self.list[id].shape
    }

    /// In bytes.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        self.list[id].size
    }

    /// What a pointer points to, or an array consists of.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match self.shape_of(id) {
            Shape::Pointer(to) | Shape::Array(to, _) => Some(*to),
            _ => None,
        }
    }

    /// The layout of a structure or union.
    pub fn record(&self, id: TypeId) -> Option<&Layout> {
        match self.shape_of(id) {
            Shape::Record(tag) => self.table.records.get(tag),
            _ => None,
        }
    }

    /// A pointer to a type.
    pub fn pointer_to(&mut self, id: TypeId) -> TypeId {
        let ty = self.get(id).c.clone().pointer();
        self.intern(&ty)
    }

    /// `int`, the type of truth values.
    pub fn int(&mut self) -> TypeId {
        self.intern(&Type::INT)
    }

    pub fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.intern(&Type::Scalar(scalar))
    }

    /// True for what one register holds: integers, floats, pointers.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.shape_of(id), Shape::Integer { .. } | Shape::Float { .. } | Shape::Pointer(_))
    }

    fn shape(&mut self, ty: &Type) -> Shape {
        match ty {
            Type::Void => Shape::Void,
            Type::Scalar(scalar) => self.scalar_shape(*scalar),
            Type::Named(name) => match self.table.typedefs.get(name).map(|typedef| typedef.ty.clone()) {
                Some(ty) => {
                    let id = self.intern(&ty);
                    self.shape_of(id).clone()
                }
                None => Shape::Opaque,
            },
            Type::Tagged(cast::TagKind::Enum, tag) => {
                let scalar = self.table.enumerations.get(tag).map_or(Scalar::UnsignedInt, |found| found.scalar);
                self.scalar_shape(scalar)
            }
            Type::Tagged(_, tag) => Shape::Record(tag.clone()),
            Type::Pointer(to) => Shape::Pointer(self.intern(to)),
            Type::Array(element, length) => {
                let element = self.intern(element);
                Shape::Array(element, length.as_deref().and_then(known_length))
            }
            Type::Function(function) => {
                let result = self.intern(&function.result);
                let parameters = function.parameters.iter().map(|parameter| self.intern(&parameter.ty)).collect();
                let (variadic, unprototyped) = (function.variadic, function.unprototyped);
                Shape::Function(Box::new(Signature { result, parameters, variadic, unprototyped }))
            }
            Type::Qualified(_, to) => {
                let id = self.intern(to);
                self.shape_of(id).clone()
            }
            Type::Anonymous(_) | Type::Opaque(_) => Shape::Opaque,
        }
    }

    fn scalar_shape(&self, scalar: Scalar) -> Shape {
        let long = u32::from(self.table.target.long) * 8;
        let integer = |bits, signed| Shape::Integer { bits, signed, boolean: false };
        match scalar {
            Scalar::Bool => Shape::Integer { bits: 8, signed: false, boolean: true },
            Scalar::Char => integer(8, self.table.target.char_signed),
            Scalar::SignedChar => integer(8, true),
            Scalar::UnsignedChar => integer(8, false),
            Scalar::Short => integer(16, true),
            Scalar::UnsignedShort => integer(16, false),
            Scalar::Int => integer(32, true),
            Scalar::UnsignedInt => integer(32, false),
            Scalar::Long => integer(long, true),
            Scalar::UnsignedLong => integer(long, false),
            Scalar::LongLong => integer(64, true),
            Scalar::UnsignedLongLong => integer(64, false),
            Scalar::Int128 => integer(128, true),
            Scalar::UnsignedInt128 => integer(128, false),
            Scalar::Float => Shape::Float { bits: 32 },
            Scalar::Double => Shape::Float { bits: 64 },
            Scalar::LongDouble => Shape::Float { bits: 80 },
            Scalar::Float128 => Shape::Float { bits: 128 },
        }
    }

    /// Size and alignment in bytes.
    fn extent(&self, ty: &Type, shape: &Shape) -> (Option<u64>, u64) {
        if let Type::Opaque(opaque) = self.table.resolve(ty) {
            return (Some(opaque.size), opaque.alignment);
        }
        match shape {
            Shape::Void | Shape::Function(_) | Shape::Opaque => (None, 1),
            Shape::Integer { bits, .. } => (Some(u64::from(bits / 8)), u64::from(bits / 8)),
            Shape::Float { bits: 80 } => (Some(16), 16),
            Shape::Float { bits } => (Some(u64::from(bits / 8)), u64::from(bits / 8)),
            Shape::Pointer(_) => (Some(self.table.target.pointer.into()), self.table.target.pointer.into()),
            Shape::Array(element, length) => {
                let element = self.get(*element);
                let size = element.size.zip(*length).and_then(|(size, length)| size.checked_mul(length));
                (size, element.alignment)
            }
            Shape::Record(tag) => {
                self.table.records.get(tag).map_or((None, 1), |layout| (layout.size, layout.alignment))
            }
        }
    }
}

fn known_length(length: &cast::Expression) -> Option<u64> {
    match &length.kind {
        cast::ExpressionKind::Integer(text) => text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok(),
        cast::ExpressionKind::Known { value, .. } => u64::try_from(*value).ok(),
        _ => None,
    }
}

/// The member of that name, anonymous members looked through; its offset is from the start of `layout`.
pub fn find_field(table: &TypeTable, layout: &Layout, name: &str) -> Option<FieldLayout> {
    for field in &layout.fields {
        if field.name.as_deref() == Some(name) {
            return Some(field.clone());
        }
        if field.name.is_none()
            && let Type::Tagged(_, tag) = field.ty.unqualified()
            && let Some(inner) = table.records.get(tag)
            && let Some(found) = find_field(table, inner, name)
        {
            return Some(FieldLayout { offset: field.offset + found.offset, ..found });
        }
    }
    None
}
