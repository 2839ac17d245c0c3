//! Core C as text for people: what `--emit core` prints. It is not read back; C is Core C's own text form.

use std::fmt::Write;

use crate::{
    Argument, BinaryOperator, Block, BlockId, Callee, Expression, ExpressionKind, Function, Global, GlobalId, LocalId,
    LocalKind, Place, PlaceBase, Program, Receiver, Statement, StatementKind, StepKind, Terminator, TypeId,
    UnaryOperator,
};

/// The whole program: objects, then functions.
pub fn dump(program: &Program) -> String {
    let mut text = String::new();
    for (_, global) in program.globals.iter().filter(|(_, global)| global.literal.is_none()) {
        text.push_str(&dump_global(program, global));
    }
    for (_, function) in program.functions.iter() {
        text.push('\n');
        text.push_str(&dump_function(program, function));
    }
    text
}

/// One object and what it starts with.
pub fn dump_global(program: &Program, global: &Global) -> String {
    let writer = Writer { program, function: None };
    let constant = if global.constant { "constant " } else { "" };
    let mut text = format!("{constant}object {}: {}", global.name, writer.ty(global.ty));
    match &global.initial {
        None => text.push_str(", unknown"),
        Some(parts) => {
            for part in parts {
                let bits = part.bits.map(|bits| format!(":{}+{}", bits.first, bits.width)).unwrap_or_default();
                let _ = write!(text, "\n    @{}{bits} {}", part.offset, writer.expression(&part.value));
            }
        }
    }
    text.push('\n');
    text
}

/// One function, its locals, and its blocks.
pub fn dump_function(program: &Program, function: &Function) -> String {
    let writer = Writer { program, function: Some(function) };
    let parameters: Vec<String> = function.parameters.iter().map(|local| writer.local(*local)).collect();
    let mut text = format!("function {}({}): {}", function.name, parameters.join(", "), writer.ty(function.ty));
    if let Some(reason) = &function.refused {
        let _ = write!(text, ", refused: {reason}");
    }
    if function.unit.is_none() && function.blocks.is_empty() {
        text.push_str(", elsewhere");
    }
    text.push('\n');
    for (id, local) in function.locals.iter() {
        let kind = match local.kind {
            LocalKind::Register => "register",
            LocalKind::Memory => "memory",
        };
        let _ = writeln!(text, "    {kind} {}: {}", writer.local(id), writer.ty(local.ty));
    }
    for (id, block) in function.blocks.iter() {
        text.push_str(&writer.block(id, block));
    }
    text
}

/// One statement, without its indentation.
pub fn dump_statement(program: &Program, function: &Function, statement: &Statement) -> String {
    Writer { program, function: Some(function) }.statement(statement)
}

/// One expression of a function, or a constant.
pub fn dump_expression(program: &Program, function: Option<&Function>, expression: &Expression) -> String {
    Writer { program, function }.expression(expression)
}

struct Writer<'a> {
    program: &'a Program,
    function: Option<&'a Function>,
}

impl Writer<'_> {
    fn ty(&self, ty: TypeId) -> String {
        cast::print_type(&self.program.types.get(ty).c)
    }

    /// A local's name; a number is added where it has none, or shares it.
    fn local(&self, id: LocalId) -> String {
        let number = id.into_raw().into_u32();
        let Some(function) = self.function else { return format!("%{number}") };
        let name = &function.locals[id].name;
        let shared = function.locals.values().filter(|local| local.name == *name).count() > 1;
        if name.is_empty() || shared { format!("{name}%{number}") } else { name.clone() }
    }

    fn global(&self, id: GlobalId) -> String {
        let global = &self.program.globals[id];
        global.literal.clone().unwrap_or_else(|| global.name.clone())
    }

    fn block(&self, id: BlockId, block: &Block) -> String {
        let mut text = format!("{}:\n", label(id));
        for statement in &block.statements {
            let _ = writeln!(text, "    {}", self.statement(statement));
        }
        let _ = writeln!(text, "    {}", self.end(&block.end));
        text
    }

    fn statement(&self, statement: &Statement) -> String {
        match &statement.kind {
            StatementKind::Set { local, value } => format!("{} = {}", self.local(*local), self.expression(value)),
            StatementKind::Store { place, value } => {
                format!("store {} = {}", self.place(place), self.expression(value))
            }
            StatementKind::LoadVolatile { local, place } => {
                format!("{} = {}", self.local(*local), self.place(place))
            }
            StatementKind::Copy { to, from } => format!("copy {} = {}", self.place(to), self.place(from)),
            StatementKind::Zero { place } => format!("zero {}", self.place(place)),
            StatementKind::Call { receiver, callee, arguments } => self.call(receiver.as_ref(), callee, arguments),
            StatementKind::Begin { local, size } => {
                let size = size.as_ref().map(|size| format!(" of {} bytes", self.expression(size)));
                format!("begin {}{}", self.local(*local), size.unwrap_or_default())
            }
            StatementKind::Assembly { text, outputs, inputs } => {
                let outputs: Vec<String> = outputs.iter().map(|place| self.place(place)).collect();
                let inputs: Vec<String> = inputs.iter().map(|value| self.expression(value)).collect();
                format!("assembly {text:?} ({}) ({})", outputs.join(", "), inputs.join(", "))
            }
        }
    }

    fn call(&self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument]) -> String {
        let receiver = match receiver {
            None => String::new(),
            Some(Receiver::Register(local)) => format!("{} = ", self.local(*local)),
            Some(Receiver::Object(place)) => format!("object {} = ", self.place(place)),
        };
        let callee = match callee {
            Callee::Function(id) => self.program.functions[*id].name.clone(),
            Callee::Pointer(pointer) => format!("(*{})", self.expression(pointer)),
        };
        let arguments: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
        format!("{receiver}call {callee}({})", arguments.join(", "))
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value) => self.expression(value),
            Argument::Object(place) => format!("object {}", self.place(place)),
        }
    }

    fn end(&self, end: &Terminator) -> String {
        match end {
            Terminator::Goto(to) => format!("goto {}", label(*to)),
            Terminator::Branch { condition, then, otherwise } => {
                format!("if {} goto {} else {}", self.expression(condition), label(*then), label(*otherwise))
            }
            Terminator::Switch { value, cases, default } => {
                let mut text = format!("switch {}", self.expression(value));
                for case in cases {
                    let range = if case.first == case.last { String::new() } else { format!("..{}", case.last) };
                    let _ = write!(text, " [{}{range} {}]", case.first, label(case.target));
                }
                format!("{text} else {}", label(*default))
            }
            Terminator::Return(None) => "return".to_owned(),
            Terminator::Return(Some(value)) => format!("return {}", self.argument(value)),
            Terminator::GotoAddress { address, targets } => {
                let targets: Vec<String> = targets.iter().map(|target| label(*target)).collect();
                format!("goto *{} [{}]", self.expression(address), targets.join(" "))
            }
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut text = match &place.base {
            PlaceBase::Local(local) => self.local(*local),
            PlaceBase::Global(global) => self.global(*global),
            PlaceBase::Pointee(pointer) => match &pointer.kind {
                ExpressionKind::Local(local) => format!("*{}", self.local(*local)),
                _ => format!("*({})", self.expression(pointer)),
            },
        };
        if matches!(place.base, PlaceBase::Pointee(_)) && !place.steps.is_empty() {
            text = format!("({text})");
        }
        for step in &place.steps {
            match &step.kind {
                StepKind::Field { name, .. } => text = format!("{text}.{name}"),
                StepKind::Index(index) => text = format!("{text}[{}]", self.expression(index)),
            }
        }
        if place.volatile { format!("volatile {text}") } else { text }
    }

    fn expression(&self, expression: &Expression) -> String {
        match &expression.kind {
            ExpressionKind::Integer(value) => format!("{value}"),
            ExpressionKind::Float(text) => text.clone(),
            ExpressionKind::Local(local) => self.local(*local),
            ExpressionKind::Load(place) => self.place(place),
            ExpressionKind::Address(place) => format!("&{}", self.place(place)),
            ExpressionKind::Function(id) => self.program.functions[*id].name.clone(),
            ExpressionKind::Label(block) => format!("&&{}", label(*block)),
            ExpressionKind::Unary(UnaryOperator::Negate, value) => format!("-{}", self.inside(value)),
            ExpressionKind::Unary(UnaryOperator::Complement, value) => format!("~{}", self.inside(value)),
            ExpressionKind::Binary(operator, a, b) => {
                format!("{} {} {}", self.inside(a), sign(*operator), self.inside(b))
            }
            ExpressionKind::Offset { pointer, count, negative } => {
                format!(
                    "{} {} {} elements",
                    self.inside(pointer),
                    if *negative { "-" } else { "+" },
                    self.inside(count)
                )
            }
            ExpressionKind::Distance(a, b) => format!("{} - {} in elements", self.inside(a), self.inside(b)),
            ExpressionKind::Convert(value) => format!("({}) {}", self.ty(expression.ty), self.inside(value)),
            ExpressionKind::Opaque { text, operands } => {
                let operands: Vec<String> = operands.iter().map(|value| self.expression(value)).collect();
                format!("opaque {text:?} ({})", operands.join(", "))
            }
        }
    }

    /// As an operand: with parentheses where there is an operator.
    fn inside(&self, expression: &Expression) -> String {
        let text = self.expression(expression);
        match expression.kind {
            ExpressionKind::Binary(..) | ExpressionKind::Offset { .. } | ExpressionKind::Distance(..) => {
                format!("({text})")
            }
            _ => text,
        }
    }
}

fn label(block: BlockId) -> String {
    format!("b{}", block.into_raw().into_u32())
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::GreaterEqual => ">=",
    }
}
