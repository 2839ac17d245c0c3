//! Declarations of C in the text form: all that headers, prologues and what both sides share are made of. Of statements there
//! are those of functions that headers define; a function with others is kept as C text.

use cast::{
    Condition, Conditional, Declaration, Definition, Enumeration, Function, Include, IncludePath, Linkage, Parameter,
    Requirement, Statement, Storage, Variable,
};
use sexpr::{Cursor, Sexpr, atom, node, number, text};

use super::c_expressions::{read_expression, rest, write_expression};
use super::c_types::{read_parameter, read_record, read_type, write_parameter, write_record, write_type};

const LINKAGES: [(&str, Linkage); 3] =
    [("extern", Linkage::Extern), ("static", Linkage::Static), ("static-inline", Linkage::StaticInline)];
const STORAGES: [(&str, Storage); 3] =
    [("static", Storage::Static), ("extern", Storage::Extern), ("register", Storage::Register)];

/// `(head DECLARATION…)`
pub(super) fn write_declarations(head: &str, declarations: &[Declaration]) -> Sexpr {
    node(head, declarations.iter().map(write_declaration))
}

/// What is left of a list.
pub(super) fn read_declarations(parts: &mut Cursor) -> Option<Vec<Declaration>> {
    rest(parts, read_declaration)
}

fn write_declaration(declaration: &Declaration) -> Sexpr {
    match declaration {
        Declaration::Include(include) => {
            let head = if include.system { "include-system" } else { "include" };
            node(head, [text(include.path.as_str())])
        }
        Declaration::Define(definition) => {
            let value = definition.value.as_ref().map(write_expression);
            node("define", std::iter::once(atom(&definition.name)).chain(value))
        }
        Declaration::Typedef { name, ty } => node("typedef", [atom(name), write_type(ty)]),
        Declaration::Record(record) => write_record(record),
        Declaration::Enumeration(enumeration) => write_enumeration(enumeration),
        Declaration::Variable(variable) => write_variable(variable),
        Declaration::Prototype(function) => node("prototype", write_head(function)),
        Declaration::Function(function) => {
            match function.body.iter().map(write_statement).collect::<Option<Vec<_>>>() {
                Some(body) => node("function", write_head(function).into_iter().chain([node("body", body)])),
                None => {
                    let file = cast::File { declarations: vec![declaration.clone()] };
                    node("verbatim", [text(cast::print_file(&file))])
                }
            }
        }
        Declaration::Conditional(conditional) => {
            let head = if conditional.condition.is_defined { "ifdef" } else { "ifndef" };
            let name = atom(&conditional.condition.name);
            let (then, otherwise) = (&conditional.then, &conditional.otherwise);
            let otherwise = (!otherwise.is_empty()).then(|| write_declarations("else", otherwise));
            node(head, [name, write_declarations("then", then)].into_iter().chain(otherwise))
        }
        Declaration::ExternC(inside) => write_declarations("extern-c", inside),
        Declaration::StaticAssert(condition, message) => {
            node("static-assert", [write_expression(condition), text(message)])
        }
        Declaration::Require(requirement) => {
            let value = number(i128::from(requirement.value));
            node("require", [atom(&requirement.name), value, text(&requirement.otherwise)])
        }
        Declaration::Comment(comment) => node("comment", [text(comment.as_str())]),
        Declaration::Undefine(name) => node("undefine", [atom(name)]),
        Declaration::Verbatim(lines) => node("verbatim", [text(lines)]),
        Declaration::Blank => atom("blank"),
    }
}

fn read_declaration(form: &Sexpr) -> Option<Declaration> {
    if form.as_atom() == Some("blank") {
        return Some(Declaration::Blank);
    }
    let mut parts = Cursor::new(form.as_list()?);
    Some(match parts.atom()? {
        head @ ("include" | "include-system") => {
            let path = IncludePath::new(parts.text()?).ok()?;
            Declaration::Include(Include { path, system: head == "include-system" })
        }
        "define" => {
            let name = parts.atom()?.to_string();
            let value = rest(&mut parts, read_expression)?.pop();
            Declaration::Define(Definition { name, value })
        }
        "typedef" => Declaration::Typedef { name: parts.atom()?.to_string(), ty: read_type(parts.form()?)? },
        "record" => Declaration::Record(read_record(parts)?),
        "enumeration" => Declaration::Enumeration(read_enumeration(parts)?),
        "variable" => Declaration::Variable(read_variable(parts)?),
        "prototype" => Declaration::Prototype(read_head(&mut parts)?),
        "function" => {
            let head = read_head(&mut parts)?;
            let body = rest(&mut parts.list("body")?, read_statement)?;
            Declaration::Function(Function { body, ..head })
        }
        head @ ("ifdef" | "ifndef") => {
            let condition = Condition { is_defined: head == "ifdef", name: parts.atom()?.to_string() };
            let then = read_declarations(&mut parts.list("then")?)?;
            let otherwise = match parts.list("else") {
                Some(mut otherwise) => read_declarations(&mut otherwise)?,
                None => Vec::new(),
            };
            Declaration::Conditional(Conditional { condition, then, otherwise })
        }
        "extern-c" => Declaration::ExternC(read_declarations(&mut parts)?),
        "static-assert" => Declaration::StaticAssert(read_expression(parts.form()?)?, parts.text()?.to_string()),
        "require" => {
            let (name, value) = (parts.atom()?.to_string(), u32::try_from(parts.number()?).ok()?);
            Declaration::Require(Requirement { name, value, otherwise: parts.text()?.to_string() })
        }
        "comment" => Declaration::comment(parts.text()?),
        "undefine" => Declaration::Undefine(parts.atom()?.to_string()),
        "verbatim" => Declaration::Verbatim(parts.text()?.to_string()),
        _ => return None,
    })
}

fn write_enumeration(enumeration: &Enumeration) -> Sexpr {
    let tag = enumeration.tag.iter().map(|tag| node("tag", [atom(tag)]));
    let base = enumeration.base.iter().map(|base| node("base", [atom(base)]));
    let member = |(name, value): &(String, Option<cast::Expression>)| {
        node("member", std::iter::once(atom(name)).chain(value.as_ref().map(write_expression)))
    };
    node("enumeration", tag.chain(base).chain(enumeration.members.iter().map(member)))
}

fn read_enumeration(mut parts: Cursor) -> Option<Enumeration> {
    let tag = parts.list("tag").and_then(|mut tag| tag.atom()).map(str::to_string);
    let base = parts.list("base").and_then(|mut base| base.atom()).map(str::to_string);
    let mut members = Vec::new();
    while let Some(mut member) = parts.list("member") {
        let name = member.atom()?.to_string();
        members.push((name, rest(&mut member, read_expression)?.pop()));
    }
    parts.is_at_end().then_some(Enumeration { tag, base, members })
}

fn write_variable(variable: &Variable) -> Sexpr {
    let storage = STORAGES.iter().find(|(_, storage)| *storage == variable.storage).map(|(word, _)| atom(*word));
    let initial = variable.initial.as_ref().map(|initial| node("initial", [write_expression(initial)]));
    let alignment = (variable.alignment > 0).then(|| node("alignment", [number(i128::from(variable.alignment))]));
    let thread = variable.thread_local.then(|| atom("thread-local"));
    let named = [atom(&variable.name), write_type(&variable.ty)];
    node("variable", named.into_iter().chain(storage).chain(thread).chain(alignment).chain(initial))
}

fn read_variable(mut parts: Cursor) -> Option<Variable> {
    let (name, ty) = (parts.atom()?.to_string(), read_type(parts.form()?)?);
    let storage =
        STORAGES.into_iter().find(|(word, _)| parts.keyword(word)).map_or(Storage::Automatic, |found| found.1);
    let thread_local = parts.keyword("thread-local");
    let alignment = match parts.list("alignment") {
        Some(mut alignment) => u64::try_from(alignment.number()?).ok()?,
        None => 0,
    };
    let initial = match parts.list("initial") {
        Some(mut initial) => Some(read_expression(initial.form()?)?),
        None => None,
    };
    Some(Variable { storage, name, ty, initial, thread_local, alignment, ..Variable::default() })
}

fn write_head(function: &Function) -> Vec<Sexpr> {
    let mut form = vec![atom(&function.name), write_type(&function.result)];
    form.extend(LINKAGES.iter().find(|(_, linkage)| *linkage == function.linkage).map(|(word, _)| atom(*word)));
    form.extend(function.attributes.iter().map(|attribute| node("attribute", [text(attribute)])));
    form.extend(function.parameters.iter().map(write_parameter));
    form.extend(function.variadic.then(|| atom("variadic")));
    form
}

fn read_head(parts: &mut Cursor) -> Option<Function> {
    let (name, result) = (parts.atom()?.to_string(), read_type(parts.form()?)?);
    let linkage = LINKAGES.into_iter().find(|(word, _)| parts.keyword(word)).map_or(Linkage::Plain, |found| found.1);
    let mut attributes = Vec::new();
    while let Some(mut attribute) = parts.list("attribute") {
        attributes.push(attribute.text()?.to_string());
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    while let Some(parameter) = parts.list("parameter") {
        parameters.push(read_parameter(parameter)?);
    }
    let variadic = parts.keyword("variadic");
    Some(Function { linkage, attributes, name, result, parameters, variadic, ..Function::default() })
}

fn write_statement(statement: &Statement) -> Option<Sexpr> {
    Some(match statement {
        Statement::Expression(expression) => node("do", [write_expression(expression)]),
        Statement::Declare(variable) => write_variable(variable),
        Statement::Return(value) => node("return", value.as_ref().map(write_expression)),
        _ => return None,
    })
}

fn read_statement(form: &Sexpr) -> Option<Statement> {
    let mut parts = Cursor::new(form.as_list()?);
    Some(match parts.atom()? {
        "do" => Statement::Expression(read_expression(parts.form()?)?),
        "variable" => Statement::Declare(read_variable(parts)?),
        "return" => Statement::Return(rest(&mut parts, read_expression)?.pop()),
        _ => return None,
    })
}
