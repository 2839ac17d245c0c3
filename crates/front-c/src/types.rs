//! clang's types as ours, and the table of what their names mean.

use cast::{
    EnumerationLayout, Expression, FieldLayout, FunctionType, Layout, OpaqueType, Parameter, Qualifiers, RecordKind,
    Scalar, TagKind, Type, TypeDeclaration, Typedef,
};

use source::Limit;

use crate::clang::{ClangType, Cursor, kinds};
use crate::importer::Importer;
use crate::lex::Kind;
use crate::tags::Tag;

/// The bounds of variable arrays, as expressions, outermost first.
pub(crate) type Bounds = std::collections::VecDeque<Expression>;

impl<'u> Importer<'u> {
    /// The type of an expression.
    pub(crate) fn type_of(&mut self, cursor: Cursor<'u>) -> Type {
        self.convert(cursor.ty())
    }

    /// A parameter's type as the function sees it (C11 section 6.7.6.3): arrays and functions are pointers.
    pub(crate) fn adjusted(&self, ty: Type) -> Type {
        let outer = if let Type::Qualified(qualifiers, _) = &ty { *qualifiers } else { Qualifiers::default() };
        match self.types.resolve(&ty) {
            Type::Array(element, _) => qualified(outer, (**element).clone()).pointer(),
            function @ Type::Function(_) => function.clone().pointer(),
            _ => ty,
        }
    }

    pub(crate) fn convert(&mut self, ty: ClangType<'u>) -> Type {
        self.convert_with(ty, &mut Bounds::new())
    }

    /// Converts a type whose array bounds are known as expressions, too.
    pub(crate) fn convert_with(&mut self, ty: ClangType<'u>, bounds: &mut Bounds) -> Type {
        let qualifiers = Qualifiers {
            constant: ty.is_constant(),
            volatile: ty.is_volatile(),
            restrict: ty.is_restrict(),
            atomic: false,
        };
        let inner = self.unqualified(ty, bounds);
        qualified(qualifiers, inner)
    }

    fn unqualified(&mut self, ty: ClangType<'u>, bounds: &mut Bounds) -> Type {
        if ty.address_space() != 0 {
            return opaque(ty);
        }
        match ty.kind() {
            kinds::CXType_Elaborated => match ty.named() {
                Some(named) => self.convert_with(named, bounds),
                None => opaque(ty),
            },
            kinds::CXType_Typedef => self.typedef(ty),
            kinds::CXType_Record => self.record(ty),
            kinds::CXType_Enum => self.enumeration(ty),
            kinds::CXType_Pointer => self.pointer(ty, bounds),
            kinds::CXType_ConstantArray | kinds::CXType_IncompleteArray | kinds::CXType_VariableArray => {
                self.array(ty, bounds)
            }
            kinds::CXType_FunctionProto | kinds::CXType_FunctionNoProto => self.function_type(ty, bounds),
            kinds::CXType_Atomic => match ty.value() {
                Some(value) => {
                    let value = self.convert_with(value, bounds);
                    qualified(Qualifiers { atomic: true, ..Qualifiers::default() }, value)
                }
                None => opaque(ty),
            },
            kinds::CXType_Attributed => match ty.modified() {
                Some(modified) => self.convert_with(modified, bounds),
                None => opaque(ty),
            },
            kinds::CXType_Unexposed => self.unexposed_type(ty, bounds),
            kind => scalar(kind).unwrap_or_else(|| opaque(ty)),
        }
    }

    /// Parenthesized declarators, `typeof` and the like: what they wrap can be asked for, if not by name.
    fn unexposed_type(&mut self, ty: ClangType<'u>, bounds: &mut Bounds) -> Type {
        let canonical = ty.canonical();
        match canonical.kind() {
            kinds::CXType_Unexposed => opaque(ty),
            kinds::CXType_FunctionProto | kinds::CXType_FunctionNoProto if ty.result().is_some() => {
                self.function_type(ty, bounds)
            }
            _ => self.convert_with(canonical, bounds),
        }
    }

    fn pointer(&mut self, ty: ClangType<'u>, bounds: &mut Bounds) -> Type {
        let Some(pointee) = ty.pointee() else { return opaque(ty) };
        // What a parameter of type `va_list` is adjusted to where that is an array.
        if is_va_list_element(pointee) {
            return Type::Opaque(OpaqueType {
                spelling: "__builtin_va_list".to_owned(),
                size: pointee.size().unwrap_or(0),
                alignment: pointee.alignment().unwrap_or(1),
            });
        }
        self.convert_with(pointee, bounds).pointer()
    }

    fn array(&mut self, ty: ClangType<'u>, bounds: &mut Bounds) -> Type {
        let bound = if ty.kind() == kinds::CXType_IncompleteArray { None } else { bounds.pop_front() };
        let length = match (ty.kind(), ty.length()) {
            (kinds::CXType_ConstantArray, Some(length)) => {
                Some(Box::new(cast::build::spelled(length.to_string(), Type::Scalar(Scalar::UnsignedLong))))
            }
            (kinds::CXType_VariableArray, _) => bound.map(Box::new),
            _ => None,
        };
        let element = match ty.element() {
            Some(element) => self.convert_with(element, bounds),
            None => opaque(ty),
        };
        Type::Array(Box::new(element), length)
    }

    fn function_type(&mut self, ty: ClangType<'u>, bounds: &mut Bounds) -> Type {
        let result = match ty.result() {
            Some(result) => self.convert_with(result, bounds),
            None => Type::Void,
        };
        let unprototyped = ty.canonical().kind() == kinds::CXType_FunctionNoProto;
        let parameters = ty.parameters().unwrap_or_default();
        let parameters: Vec<Parameter> = parameters.into_iter().map(|ty| self.unnamed_parameter(ty)).collect();
        let variadic = !unprototyped && ty.is_variadic();
        Type::Function(Box::new(FunctionType { result, parameters, variadic, unprototyped }))
    }

    fn unnamed_parameter(&mut self, ty: ClangType<'u>) -> Parameter {
        let ty = self.convert(ty);
        Parameter { name: None, ty: self.adjusted(ty) }
    }

    fn typedef(&mut self, ty: ClangType<'u>) -> Type {
        let Some(declaration) = ty.declaration() else { return opaque(ty) };
        let Some(offset) = declaration.canonical().location() else {
            // The compiler's own: `__builtin_va_list`, `__int128_t`.
            let canonical = ty.canonical();
            return match scalar(canonical.kind()) {
                Some(scalar) => scalar,
                None => Type::Opaque(OpaqueType { spelling: declaration.spelling(), ..opaque_type(ty) }),
            };
        };
        let name = format!("{}@{offset}", declaration.spelling());
        if !self.types.typedefs.contains_key(&name) {
            // Said before it is read: a typedef may lead back to itself through a record.
            self.types
                .typedefs
                .insert(name.clone(), Typedef { ty: Type::Void, declaration: TypeDeclaration::default() });
            let mut bounds = self.bounds_of(declaration);
            let mut meaning = self.convert_with(declaration.typedef_type(), &mut bounds);
            if let Type::Named(own) = meaning.unqualified()
                && *own == name
            {
                meaning = self.anonymous_type(declaration.typedef_type().canonical());
            }
            let declaration = self.placed(offset);
            self.types.typedefs.insert(name.clone(), Typedef { ty: meaning, declaration });
        }
        Type::Named(name)
    }

    /// The record behind a typedef that names it.
    fn anonymous_type(&mut self, ty: ClangType<'u>) -> Type {
        let qualifiers = Qualifiers { constant: ty.is_constant(), volatile: ty.is_volatile(), ..Qualifiers::default() };
        let Some(declaration) = ty.declaration() else { return opaque(ty) };
        qualified(qualifiers, Type::Tagged(tag_kind(declaration), provisional_tag("", declaration)))
    }

    fn record(&mut self, ty: ClangType<'u>) -> Type {
        let Some(declaration) = ty.declaration() else { return opaque(ty) };
        if declaration.canonical().location().is_none() {
            return opaque(ty);
        }
        let tag = self.tag_of(declaration);
        let (ty, name) = self.tagged(declaration, tag);
        if !self.types.records.contains_key(&name) {
            self.lay_out(declaration, &name);
        }
        ty
    }

    fn enumeration(&mut self, ty: ClangType<'u>) -> Type {
        let Some(declaration) = ty.declaration() else { return opaque(ty) };
        let tag = self.tag_of(declaration);
        let (ty, name) = self.tagged(declaration, tag);
        if !self.types.enumerations.contains_key(&name) {
            let definition = declaration.definition().unwrap_or(declaration);
            let integer = definition.enumeration_type();
            let scalar = match self.convert(integer.canonical()) {
                Type::Scalar(scalar) => scalar,
                _ => Scalar::UnsignedInt,
            };
            let is_unsigned = is_unsigned(scalar);
            let members =
                definition.children().into_iter().filter(|child| child.kind() == kinds::CXCursor_EnumConstantDecl);
            let members = members.map(|member| (member.spelling(), member.enumerator(is_unsigned))).collect();
            let declaration = self.placed(definition.range().start);
            self.types.enumerations.insert(name, EnumerationLayout { scalar, members, declaration });
        }
        ty
    }

    /// A tag as a type, and its provisional name.
    fn tagged(&mut self, declaration: Cursor<'u>, tag: Tag) -> (Type, String) {
        let kind = tag_kind(declaration);
        match tag {
            Tag::Named(tag) => {
                let name = provisional_tag(&tag, declaration);
                (Type::Tagged(kind, name.clone()), name)
            }
            Tag::Anonymous => {
                let name = provisional_tag("", declaration);
                (Type::Tagged(kind, name.clone()), name)
            }
            Tag::Typedef(typedef, offset) => {
                (Type::Named(format!("{typedef}@{offset}")), provisional_tag("", declaration))
            }
        }
    }

    /// How a record or an enumeration is called, by its text: clang makes names up where there is none.
    fn tag_of(&self, declaration: Cursor<'u>) -> Tag {
        let index = self.text.index_at(declaration.range().start);
        let end = self.text.tokens.len();
        let next = self.text.behind_attributes(index + 1, end);
        if self.text.kind_at(next) == Some(Kind::Word) {
            return Tag::Named(self.text.at(next).to_owned());
        }
        let open = self.text.tokens.get(next).map_or(0, |token| token.start);
        self.tags.get(&open).cloned().unwrap_or(Tag::Anonymous)
    }

    fn lay_out(&mut self, declaration: Cursor<'u>, name: &str) {
        let kind = if declaration.kind() == kinds::CXCursor_UnionDecl { RecordKind::Union } else { RecordKind::Struct };
        let definition = declaration.definition();
        let place = definition.unwrap_or(declaration).range().start;
        let declared = self.placed(place);
        let ty = definition.unwrap_or(declaration).ty();
        let (size, alignment) = (definition.and_then(|_| ty.size()), ty.alignment().unwrap_or(1));
        let empty = Layout { kind, size, alignment, fields: Vec::new(), declaration: declared };
        // Said before its members are read, which may lead back to it.
        self.types.records.insert(name.to_owned(), empty);
        let fields = if definition.is_some() { ty.fields() } else { Vec::new() };
        let types: Vec<Type> = fields.iter().map(|field| self.convert(field.ty())).collect();
        if !self.is_small(name, &types, place) {
            return;
        }
        let fields: Vec<FieldLayout> = fields.into_iter().zip(types).map(|(field, ty)| self.field(field, ty)).collect();
        if let Some(layout) = self.types.records.get_mut(name) {
            layout.fields = fields;
        }
    }

    /// Counts the members of a record, those of its members, too. clang looks at each of them to say where one of them stands.
    fn is_small(&mut self, name: &str, types: &[Type], place: usize) -> bool {
        let mut count = 1_u64;
        for ty in types {
            let mut ty = self.types.resolve(ty);
            while let Type::Array(element, _) = ty {
                ty = self.types.resolve(element);
            }
            let inside = if let Type::Tagged(_, name) = ty { self.members.get(name).copied().unwrap_or(1) } else { 1 };
            count = count.saturating_add(inside);
        }
        let before = self.members.insert(name.to_owned(), count);
        let limits = self.question.limits;
        let is_small = count <= limits.get(Limit::Memory);
        if !is_small && before.is_none() && !self.findings.iter().any(|finding| finding.code == "limit-001") {
            self.findings.push(limits.exceeded(Limit::Memory, Some(self.text.span(&(place..place)))));
        }
        is_small
    }

    fn field(&mut self, field: Cursor<'u>, ty: Type) -> FieldLayout {
        // clang gives members without a name one that tells where they stand.
        let is_named = field.location().is_some_and(|at| self.text.word_at(at) == field.spelling());
        FieldLayout {
            name: (is_named && !field.spelling().is_empty()).then(|| field.spelling()),
            ty,
            offset: field.field_offset().unwrap_or(0),
            bits: field.bit_width(),
        }
    }

    /// The bounds of the arrays in a declarator, as expressions in the order they are written.
    pub(crate) fn bounds_of(&mut self, declaration: Cursor<'u>) -> Bounds {
        let initial = declaration.initializer().map(Cursor::range);
        let mut found: Vec<Cursor> = declaration.expressions();
        found.retain(|bound| Some(bound.range()) != initial && self.is_in_brackets(bound.range().start));
        found.sort_by_key(|bound| bound.range().start);
        found.into_iter().map(|bound| self.expression(bound)).collect()
    }

    fn is_in_brackets(&self, offset: usize) -> bool {
        let mut index = self.text.index_at(offset);
        while index > 0 {
            index -= 1;
            match self.text.at(index) {
                "[" => return true,
                "(" | "static" | "const" | "volatile" | "restrict" | "__restrict" => {}
                _ => return false,
            }
        }
        false
    }
}

/// The provisional name of a record or enumeration.
fn provisional_tag(tag: &str, declaration: Cursor) -> String {
    format!("{tag}@{}", declaration.canonical().range().start)
}

fn tag_kind(declaration: Cursor) -> TagKind {
    match declaration.kind() {
        kinds::CXCursor_UnionDecl => TagKind::Union,
        kinds::CXCursor_EnumDecl => TagKind::Enum,
        _ => TagKind::Struct,
    }
}

fn is_va_list_element(ty: ClangType) -> bool {
    let declaration = ty.canonical().declaration();
    declaration.is_some_and(|record| record.location().is_none() && record.spelling() == "__va_list_tag")
}

fn qualified(qualifiers: Qualifiers, inner: Type) -> Type {
    if qualifiers == Qualifiers::default() { inner } else { Type::Qualified(qualifiers, Box::new(inner)) }
}

fn opaque(ty: ClangType) -> Type {
    Type::Opaque(opaque_type(ty))
}

fn opaque_type(ty: ClangType) -> OpaqueType {
    OpaqueType { spelling: ty.spelling(), size: ty.size().unwrap_or(0), alignment: ty.alignment().unwrap_or(1) }
}

pub(crate) fn is_unsigned(scalar: Scalar) -> bool {
    use Scalar::{Bool, UnsignedChar, UnsignedInt, UnsignedInt128, UnsignedLong, UnsignedLongLong, UnsignedShort};
    matches!(
        scalar,
        Bool | UnsignedChar | UnsignedShort | UnsignedInt | UnsignedLong | UnsignedLongLong | UnsignedInt128
    )
}

fn scalar(kind: i32) -> Option<Type> {
    let scalar = match kind {
        kinds::CXType_Void => return Some(Type::Void),
        kinds::CXType_Bool => Scalar::Bool,
        kinds::CXType_Char_U | kinds::CXType_Char_S => Scalar::Char,
        kinds::CXType_UChar => Scalar::UnsignedChar,
        kinds::CXType_SChar => Scalar::SignedChar,
        kinds::CXType_UShort => Scalar::UnsignedShort,
        kinds::CXType_UInt => Scalar::UnsignedInt,
        kinds::CXType_ULong => Scalar::UnsignedLong,
        kinds::CXType_ULongLong => Scalar::UnsignedLongLong,
        kinds::CXType_UInt128 => Scalar::UnsignedInt128,
        kinds::CXType_Short => Scalar::Short,
        kinds::CXType_Int => Scalar::Int,
        kinds::CXType_Long => Scalar::Long,
        kinds::CXType_LongLong => Scalar::LongLong,
        kinds::CXType_Int128 => Scalar::Int128,
        kinds::CXType_Float => Scalar::Float,
        kinds::CXType_Double => Scalar::Double,
        kinds::CXType_LongDouble => Scalar::LongDouble,
        kinds::CXType_Float128 => Scalar::Float128,
        _ => return None,
    };
    Some(Type::Scalar(scalar))
}
