//! A program with all that its C text does not show: the type of every expression, conversions, layouts, values.

use cast::{
    CaseLabel, Declaration, Designator, Expression, ExpressionKind, Function, Initializer, Program, Statement, Type,
    Variable, print_type, resolve_initializer,
};

/// The whole program.
pub(crate) fn program(program: &Program) -> String {
    let mut out = String::new();
    types(&mut out, program);
    for unit in &program.units {
        for declaration in &unit.file.declarations {
            match declaration {
                Declaration::Function(declared) => function(&mut out, declared),
                Declaration::Prototype(declared) => line(&mut out, &format!("prototype {}", signature(declared))),
                Declaration::Variable(declared) => {
                    line(&mut out, &variable(declared));
                    meaning(&mut out, program, declared);
                }
                Declaration::Verbatim(text) => line(&mut out, &format!("text {}", first_line(text))),
                other => line(&mut out, &format!("{other:?}")),
            }
        }
    }
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn first_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A type with what makes its names unique.
fn shown(ty: &Type) -> String {
    match ty {
        Type::Named(name) => name.clone(),
        Type::Tagged(_, tag) if tag.contains('@') => format!("{}{tag}", print_type(ty).split(' ').next().unwrap_or("")),
        Type::Pointer(target) if matches!(**target, Type::Named(_) | Type::Tagged(..)) => {
            format!("{} *", shown(target))
        }
        _ => print_type(ty),
    }
}

fn types(out: &mut String, program: &Program) {
    for (name, typedef) in &program.types.typedefs {
        line(out, &format!("typedef {name} = {}", shown(&typedef.ty)));
    }
    for (tag, layout) in &program.types.records {
        let size = layout.size.map_or("unknown".to_owned(), |size| size.to_string());
        let kind = format!("{:?}", layout.kind).to_lowercase();
        let place = layout.declaration.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        let header = layout.declaration.header.as_ref().map(|name| format!(" from <{name}>")).unwrap_or_default();
        line(out, &format!("{kind} {tag}: size {size}, aligned {}{place}{header}", layout.alignment));
        for field in &layout.fields {
            let bits = field.bits.map(|bits| format!(", {bits} bits")).unwrap_or_default();
            let name = field.name.as_deref().unwrap_or("(no name)");
            line(out, &format!("    {name} {} at bit {}{bits}", shown(&field.ty), field.offset));
        }
    }
    for (tag, layout) in &program.types.enumerations {
        let members: Vec<String> = layout.members.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        line(out, &format!("enum {tag}: {} {{ {} }}", layout.scalar.name(), members.join(", ")));
    }
}

/// Where the values of an initializer go.
fn meaning(out: &mut String, program: &Program, variable: &Variable) {
    let Some(initial) = variable.initial.as_ref().filter(|initial| matches!(initial.kind, ExpressionKind::Braces(_)))
    else {
        return;
    };
    match resolve_initializer(&program.types, &variable.ty, initial) {
        Ok(resolved) => {
            for part in resolved.parts {
                let bits = part.bits.map(|bits| format!(" bits {}+{}", bits.first, bits.width)).unwrap_or_default();
                line(out, &format!("    byte {}{bits}: {} {}", part.offset, shown(&part.ty), expression(part.value)));
            }
        }
        Err(problem) => line(out, &format!("    {problem:?}")),
    }
}

fn signature(function: &Function) -> String {
    let parameters = function
        .parameters
        .iter()
        .map(|parameter| format!("{} {}", parameter.name.as_deref().unwrap_or("(no name)"), shown(&parameter.ty)));
    let mut parameters: Vec<String> = parameters.collect();
    parameters.extend(function.variadic.then(|| "...".to_owned()));
    format!("{} ({}) {} {:?}", function.name, parameters.join(", "), shown(&function.result), function.linkage)
}

fn function(out: &mut String, function: &Function) {
    line(out, &format!("function {}", signature(function)));
    statements(out, &function.body, 1);
}

fn variable(variable: &Variable) -> String {
    let initial = variable.initial.as_ref().map(|value| format!(" = {}", expression(value))).unwrap_or_default();
    let thread = if variable.thread_local { " thread" } else { "" };
    format!("{:?}{thread} {} {}{initial}", variable.storage, variable.name, shown(&variable.ty))
}

fn statements(out: &mut String, body: &[Statement], depth: usize) {
    let indent = "    ".repeat(depth);
    for statement in body {
        let (head, parts): (String, Vec<&[Statement]>) = match statement {
            Statement::At(_) => continue,
            Statement::Expression(value) => (expression(value), Vec::new()),
            Statement::Declare(declared) => (variable(declared), Vec::new()),
            Statement::Block(body) => ("block".to_owned(), vec![body]),
            Statement::If { condition, then, otherwise } => {
                (format!("if {}", expression(condition)), vec![then, otherwise])
            }
            Statement::While { condition, body } => (format!("while {}", expression(condition)), vec![body]),
            Statement::DoWhile { body, condition } => (format!("do while {}", expression(condition)), vec![body]),
            Statement::For { initial, condition, step, body } => {
                let [condition, step] = [condition, step].map(|part| part.as_ref().map(expression).unwrap_or_default());
                let initial = initial.as_deref().map(std::slice::from_ref).unwrap_or_default();
                (format!("for {condition}; {step}"), vec![initial, body])
            }
            Statement::SwitchBody { value, body } => (format!("switch {}", expression(value)), vec![body]),
            Statement::Case(CaseLabel::Value(value)) => (format!("case {}", expression(value)), Vec::new()),
            Statement::Case(CaseLabel::Range(first, last)) => {
                (format!("case {} to {}", expression(first), expression(last)), Vec::new())
            }
            Statement::Case(CaseLabel::Default) => ("default".to_owned(), Vec::new()),
            Statement::Return(value) => {
                (format!("return {}", value.as_ref().map(expression).unwrap_or_default()), Vec::new())
            }
            Statement::Assembly { text, outputs, inputs, labels } => {
                let [outputs, inputs] =
                    [outputs, inputs].map(|all| all.iter().map(expression).collect::<Vec<_>>().join(" "));
                (format!("{text} writes {outputs} reads {inputs} jumps {labels:?}"), Vec::new())
            }
            Statement::Verbatim(text) => (format!("text {}", first_line(text)), Vec::new()),
            Statement::GotoAddress(value) => (format!("goto {}", expression(value)), Vec::new()),
            other => (format!("{other:?}").to_lowercase(), Vec::new()),
        };
        line(out, &format!("{indent}{head}"));
        for (at, part) in parts.into_iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            if at > 0 {
                line(out, &format!("{indent}then"));
            }
            statements(out, part, depth + 1);
        }
    }
}

fn expression(value: &Expression) -> String {
    let (what, parts): (String, Vec<&Expression>) = match &value.kind {
        ExpressionKind::Integer(text) | ExpressionKind::Float(text) | ExpressionKind::Name(text) => {
            (text.clone(), Vec::new())
        }
        ExpressionKind::Literal { spelling, bytes } => (format!("{spelling} {bytes:?}"), Vec::new()),
        ExpressionKind::Known { spelling, value } => (format!("`{spelling}` = {value}"), Vec::new()),
        ExpressionKind::Unary(operator, operand) => (format!("{operator:?}"), vec![operand]),
        ExpressionKind::Binary(operator, left, right) => (operator.spelling().to_owned(), vec![left, right]),
        ExpressionKind::Assign(operator, left, right) => {
            (format!("{}=", operator.map_or("", |operator| operator.spelling())), vec![left, right])
        }
        ExpressionKind::Conditional(condition, then, otherwise) => ("?:".to_owned(), vec![condition, then, otherwise]),
        ExpressionKind::Otherwise(first, other) => ("?:".to_owned(), vec![first, other]),
        ExpressionKind::Call(function, arguments) => {
            ("call".to_owned(), std::iter::once(&**function).chain(arguments).collect())
        }
        ExpressionKind::Member(base, name) => (format!(".{name}"), vec![base]),
        ExpressionKind::Index(base, at) => ("[]".to_owned(), vec![base, at]),
        ExpressionKind::Cast(value) => ("cast".to_owned(), vec![value]),
        ExpressionKind::Implicit(value) => ("to".to_owned(), vec![value]),
        ExpressionKind::Compound(value) => ("compound".to_owned(), vec![value]),
        ExpressionKind::VariableArgument(list) => ("va_arg".to_owned(), vec![list]),
        ExpressionKind::SizeofValue(value) => ("sizeof".to_owned(), vec![value]),
        ExpressionKind::LabelAddress(label) => (format!("&&{label}"), Vec::new()),
        ExpressionKind::Verbatim(text) => (format!("text `{text}`"), Vec::new()),
        ExpressionKind::Braces(list) => return format!("{{{}}}", list.iter().map(part).collect::<Vec<_>>().join(", ")),
        ExpressionKind::Block(body) => {
            let mut out = String::new();
            statements(&mut out, body, 0);
            return format!(
                "(block {}: {})",
                shown(&value.ty),
                out.lines().map(str::trim).collect::<Vec<_>>().join("; ")
            );
        }
        other => (format!("{other:?}"), Vec::new()),
    };
    let parts: String = parts.into_iter().map(|part| format!(" {}", expression(part))).collect();
    format!("({what}:{}{parts})", shown(&value.ty))
}

fn part(part: &Initializer) -> String {
    let steps = part.designators.iter().map(|step| match step {
        Designator::Member(name) => format!(".{name}"),
        Designator::Index(at) => format!("[{}]", expression(at)),
        Designator::Range(first, last) => format!("[{} to {}]", expression(first), expression(last)),
    });
    let steps: String = steps.collect();
    if steps.is_empty() { expression(&part.value) } else { format!("{steps} = {}", expression(&part.value)) }
}
