//! Initial values in braces: what is assigned to the parts of an object right after it was declared and cleared goes
//! into its declaration.

use cast::{Designator, Expression, ExpressionKind, Initializer, Statement, TagKind, Type, Variable};

use super::fold::effects;
use super::{Raiser, literal, types, walk};

/// Joins declarations with the assignments that follow them.
pub(super) fn join(raiser: &Raiser, list: &mut Vec<Statement>) {
    let mut at = 0;
    while at < list.len() {
        let (before, after) = list.split_at_mut(at + 1);
        if let Some(Statement::Declare(variable)) = before.last_mut()
            && variable.initial.is_none()
            && let Some((initial, count)) = initial(raiser, variable, after)
        {
            variable.initial = Some(initial);
            list.drain(at + 1..at + 1 + count);
        }
        if let Some((whole, count)) = assigned_whole(raiser, &list[at..]) {
            list.splice(at..at + count, [whole]);
        }
        walk::bodies_mut(&mut list[at]).into_iter().for_each(|body| join(raiser, body));
        at += 1;
    }
}

/// `memset(&x, 0, sizeof(x)); x.a = 1;` is `x = (type){ .a = 1 };`, which can also give constant members their values: these cannot be
/// assigned one by one, where they are bit-fields.
fn assigned_whole(raiser: &Raiser, list: &[Statement]) -> Option<(Statement, usize)> {
    let first = list.first()?;
    let target = clears(first).or_else(|| assigned_part(first).and_then(base))?;
    let ExpressionKind::Name(name) = &target.kind else { return None };
    let ty = target.ty.unqualified().clone();
    if clears(first).is_none() && !types::has_constant_parts(raiser.table(), &ty) {
        return None;
    }
    if !matches!(types::resolve(raiser.table(), &ty), Type::Tagged(..)) || !raiser.is_local(name) {
        return None;
    }
    let variable = Variable { name: name.clone(), ty: target.ty.clone(), ..Variable::default() };
    let (initial, count) = initial(raiser, &variable, list).filter(|(_, count)| *count > 1)?;
    let literal = Expression { kind: ExpressionKind::Compound(Box::new(initial)), ty: ty.clone(), span: None };
    if !types::has_constant_parts(raiser.table(), &ty) {
        return Some((cast::build::assign(target.clone(), literal), count));
    }
    let [to, from] = [target.clone(), literal].map(cast::build::address);
    let arguments = vec![to, from, cast::build::sizeof_value(target.clone())];
    Some((Statement::Expression(cast::build::call("memcpy", arguments, Type::Void.pointer())), count))
}

/// One step into an object.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Member(String),
    Index(i128),
}

/// What an object's parts are.
#[derive(Clone, Debug)]
enum Node {
    Value(Expression),
    Parts(Vec<(Part, Node)>),
}

/// The initial value that statements give a variable, and how many statements they are.
fn initial(raiser: &Raiser, variable: &Variable, statements: &[Statement]) -> Option<(Expression, usize)> {
    let is_aggregate = matches!(types::resolve(raiser.table(), &variable.ty), Type::Array(..) | Type::Tagged(..));
    if !is_aggregate || types::qualifiers(raiser.table(), &variable.ty).volatile {
        return None;
    }
    if let Some(copied) = statements.first().and_then(|first| copied(first, &variable.name)) {
        return (!reads(copied, &variable.name)).then(|| (copied.clone(), 1));
    }
    let mut root = Node::Parts(Vec::new());
    let (mut count, mut acted) = (0, false);
    let cleared =
        statements.first().is_some_and(|first| clears(first).is_some_and(|what| is_name(what, &variable.name)));
    count += usize::from(cleared);
    for statement in &statements[count..] {
        if cleared && clears(statement).and_then(|what| path(what, &variable.name)).is_some_and(|at| root.is_free(&at))
        {
            count += 1;
            continue;
        }
        let Some((at, value)) = part_assignment(statement, &variable.name) else { break };
        let effects = effects(raiser, value);
        let takes_effect = effects.acts && (acted || mentions(value, &variable.name));
        if at.is_empty() || takes_effect || reads(value, &variable.name) || !root.put(&at, value) {
            break;
        }
        acted |= effects.acts;
        count += 1;
    }
    if !cleared && !root.covers(raiser, &variable.ty) {
        return None;
    }
    let ty = variable.ty.clone();
    let whole =
        || if root.is_zero() { braces(cast::build::integer(0), ty.clone()) } else { root.expression(raiser, &ty) };
    (count > 0).then(|| (whole(), count))
}

fn braces(value: Expression, ty: Type) -> Expression {
    let parts = vec![Initializer { designators: Vec::new(), value }];
    Expression { kind: ExpressionKind::Braces(parts), ty, span: None }
}

/// `{ { 0 } }`, as deep as the type's first part lies: inside of other braces, compilers warn of fewer.
pub(super) fn zero(raiser: &Raiser, ty: &Type) -> Expression {
    let inner = match types::resolve(raiser.table(), ty) {
        Type::Array(element, _) => zero(raiser, element),
        Type::Tagged(TagKind::Struct | TagKind::Union, tag) => {
            match raiser.table().records.get(tag).and_then(|layout| layout.fields.first()) {
                Some(first) => zero(raiser, &first.ty),
                None => cast::build::integer(0),
            }
        }
        _ => return cast::build::integer(0),
    };
    braces(inner, ty.clone())
}

/// The object that `memset(&object, 0, sizeof(object))` clears.
fn clears(statement: &Statement) -> Option<&Expression> {
    let Statement::Expression(Expression { kind: ExpressionKind::Call(function, arguments), .. }) = statement else {
        return None;
    };
    if !matches!(&function.kind, ExpressionKind::Name(name) if name == "memset") {
        return None;
    }
    match &arguments[..] {
        [_, value, Expression { kind: ExpressionKind::SizeofValue(object), .. }] => {
            (literal::value_of(value) == Some(0)).then_some(object)
        }
        _ => None,
    }
}

/// What `memcpy` fills a variable with: a string literal, or another object.
fn copied<'s>(statement: &'s Statement, name: &str) -> Option<&'s Expression> {
    let Statement::Expression(Expression { kind: ExpressionKind::Call(function, arguments), .. }) = statement else {
        return None;
    };
    let [to, from, _] = &arguments[..] else { return None };
    let from = match &from.kind {
        ExpressionKind::Cast(inner) => inner,
        _ => from,
    };
    if !is_name(function, "memcpy") {
        return None;
    }
    match (&to.kind, &from.kind) {
        (_, ExpressionKind::Literal { .. }) => is_name(to, name).then_some(from),
        (ExpressionKind::Unary(_, target), ExpressionKind::Unary(cast::UnaryOperator::AddressOf, object)) => {
            // The user may copy what is of another type.
            let is_whole = target.ty.unqualified() == object.ty.unqualified();
            (is_whole && is_name(target, name)).then_some(object)
        }
        _ => None,
    }
}

fn is_name(value: &Expression, name: &str) -> bool {
    matches!(&value.kind, ExpressionKind::Name(found) if found == name)
}

fn part_assignment<'s>(statement: &'s Statement, name: &str) -> Option<(Vec<Part>, &'s Expression)> {
    match statement {
        Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, value), .. }) => {
            Some((path(target, name)?, value))
        }
        _ => None,
    }
}

/// What a statement assigns to.
fn assigned_part(statement: &Statement) -> Option<&Expression> {
    match statement {
        Statement::Expression(Expression { kind: ExpressionKind::Assign(None, target, _), .. }) => Some(target),
        _ => None,
    }
}

/// The object that a part is of: [`path`] leads from it to the part.
pub(super) fn base(part: &Expression) -> Option<&Expression> {
    match &part.kind {
        ExpressionKind::Name(_) => Some(part),
        ExpressionKind::Member(inner, _) | ExpressionKind::Index(inner, _) => base(inner),
        ExpressionKind::Unary(cast::UnaryOperator::Dereference, pointer) => match &pointer.kind {
            ExpressionKind::Cast(inner) => match &inner.kind {
                ExpressionKind::Unary(cast::UnaryOperator::AddressOf, lvalue) => base(lvalue),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// The steps from an object to a part of it.
fn path(target: &Expression, name: &str) -> Option<Vec<Part>> {
    match &target.kind {
        ExpressionKind::Name(found) => (found == name).then(Vec::new),
        ExpressionKind::Member(base, member) => {
            let mut steps = path(base, name)?;
            steps.push(Part::Member(member.clone()));
            Some(steps)
        }
        ExpressionKind::Index(base, index) => {
            let mut steps = path(base, name)?;
            steps.push(Part::Index(literal::value_of(index)?));
            Some(steps)
        }
        // A cast that takes `const` away.
        ExpressionKind::Unary(cast::UnaryOperator::Dereference, pointer) => match &pointer.kind {
            ExpressionKind::Cast(inner) => match &inner.kind {
                ExpressionKind::Unary(cast::UnaryOperator::AddressOf, lvalue)
                    if target.ty.unqualified() == lvalue.ty.unqualified() =>
                {
                    path(lvalue, name)
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

fn mentions(value: &Expression, name: &str) -> bool {
    let mut found = false;
    walk::walk(value, &mut |part| found |= is_name(part, name));
    found
}

/// True where a value looks into an object, rather than at its address.
fn reads(value: &Expression, name: &str) -> bool {
    match &value.kind {
        ExpressionKind::Name(found) => found == name && !matches!(value.ty, Type::Array(..)),
        ExpressionKind::Unary(cast::UnaryOperator::AddressOf, inner) if path(inner, name).is_some() => false,
        ExpressionKind::Unary(cast::UnaryOperator::Dereference, _) | ExpressionKind::Index(..) => mentions(value, name),
        _ => walk::children(value).into_iter().any(|child| reads(child, name)),
    }
}

impl Node {
    /// Puts a value at the end of a path; false where something is there.
    fn put(&mut self, path: &[Part], value: &Expression) -> bool {
        let Node::Parts(parts) = self else { return false };
        let Some((first, rest)) = path.split_first() else { return false };
        if let Some((_, node)) = parts.iter_mut().find(|(part, _)| part == first) {
            return node.put(rest, value);
        }
        let mut node = if rest.is_empty() { Node::Value(value.clone()) } else { Node::Parts(Vec::new()) };
        if !rest.is_empty() && !node.put(rest, value) {
            return false;
        }
        parts.push((first.clone(), node));
        true
    }

    /// True where nothing is at or below the end of a path.
    fn is_free(&self, path: &[Part]) -> bool {
        match (self, path.split_first()) {
            (Node::Value(_), _) => false,
            (Node::Parts(parts), None) => parts.is_empty(),
            (Node::Parts(parts), Some((first, rest))) => {
                parts.iter().find(|(part, _)| part == first).is_none_or(|(_, node)| node.is_free(rest))
            }
        }
    }

    fn is_zero(&self) -> bool {
        match self {
            Node::Value(value) => literal::value_of(value) == Some(0) || literal::is_null(value),
            Node::Parts(parts) => parts.iter().all(|(_, node)| node.is_zero()),
        }
    }

    /// True where every part of an object of type `ty` has a value.
    fn covers(&self, raiser: &Raiser, ty: &Type) -> bool {
        let Node::Parts(parts) = self else { return true };
        let table = raiser.table();
        match types::resolve(table, ty) {
            Type::Array(element, Some(length)) => {
                literal::value_of(length) == Some(parts.len() as i128)
                    && parts.iter().all(|(_, node)| node.covers(raiser, element))
            }
            Type::Tagged(cast::TagKind::Struct, tag) => {
                let Some(layout) = table.records.get(tag) else { return false };
                // Bit-fields without a name have no value.
                layout.fields.iter().filter(|field| field.name.is_some() || field.bits.is_none()).all(|field| {
                    let name = field.name.clone().map(Part::Member);
                    parts.iter().any(|(part, node)| Some(part) == name.as_ref() && node.covers(raiser, &field.ty))
                })
            }
            _ => false,
        }
    }

    fn expression(&self, raiser: &Raiser, ty: &Type) -> Expression {
        let parts = match self {
            Node::Value(value) => return value.clone(),
            Node::Parts(parts) => parts,
        };
        let element = match types::resolve(raiser.table(), ty) {
            Type::Array(element, _) => Some(&**element),
            _ => None,
        };
        if let Some(text) = element.filter(|element| is_character(element)).and_then(|_| text(parts, ty)) {
            return cast::build::text(text);
        }
        let mut next = 0;
        let mut list = Vec::new();
        for (part, node) in parts {
            let designators = match part {
                Part::Index(index) if *index == next => Vec::new(),
                Part::Index(index) => vec![Designator::Index(cast::build::integer(*index))],
                Part::Member(name) => vec![Designator::Member(name.clone())],
            };
            if let Part::Index(index) = part {
                next = index + 1;
            }
            let inner = element.cloned().or_else(|| member_type(raiser, ty, part)).unwrap_or_default();
            let value = if node.is_zero() && matches!(node, Node::Parts(_)) {
                zero(raiser, &inner)
            } else {
                node.expression(raiser, &inner)
            };
            list.push(Initializer { designators, value });
        }
        Expression { kind: ExpressionKind::Braces(list), ty: ty.clone(), span: None }
    }
}

fn member_type(raiser: &Raiser, ty: &Type, part: &Part) -> Option<Type> {
    let (Type::Tagged(_, tag), Part::Member(name)) = (types::resolve(raiser.table(), ty), part) else { return None };
    let layout = raiser.table().records.get(tag)?;
    crate::find_field(raiser.table(), layout, name).map(|field| field.ty)
}

fn is_character(ty: &Type) -> bool {
    matches!(ty.unqualified(), Type::Scalar(cast::Scalar::Char))
}

/// The text that a terminated array of characters holds, where all of it can be read.
fn text(parts: &[(Part, Node)], ty: &Type) -> Option<String> {
    let Type::Array(_, Some(length)) = ty.unqualified() else { return None };
    let mut found = String::new();
    for (at, (part, node)) in parts.iter().enumerate() {
        let Node::Value(value) = node else { return None };
        let byte = u8::try_from(literal::value_of(value)?).ok()?;
        let is_plain = (b' '..=b'~').contains(&byte) || byte == b'\n' || byte == b'\t';
        if *part != Part::Index(at as i128) || !is_plain {
            return None;
        }
        found.push(char::from(byte));
    }
    (!found.is_empty() && (found.len() as i128) < literal::value_of(length)?).then_some(found)
}
