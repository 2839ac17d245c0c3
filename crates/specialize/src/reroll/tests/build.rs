//! Small residual functions, built by hand.

use cast::{Scalar, Type};
use core_c::{
    Argument, BinaryOperator, Block, BlockId, Callee, Expression, ExpressionKind, Function, FunctionId, Linkage, Local,
    LocalId, LocalKind, Place, PlaceBase, Program, Receiver, Statement, StatementKind, Step, StepKind, Terminator,
    TypeId,
};
use la_arena::Arena;

/// `int f(char *buf, int (*a)[4000], int n)` under construction, and a function `int g(int, ...)` to call.
pub(super) struct Build {
    pub(super) program: Program,
    pub(super) function: Function,
    pub(super) buf: LocalId,
    pub(super) array: LocalId,
    pub(super) n: LocalId,
    pub(super) int: TypeId,
    pub(super) unsigned: TypeId,
    pub(super) long: TypeId,
    /// Where statements go.
    pub(super) block: BlockId,
}

pub(super) const ELEMENTS: u64 = 4000;

impl Build {
    pub(super) fn new() -> Build {
        let mut program = Program::default();
        let types = &mut program.types;
        let (int, unsigned) = (types.int(), types.scalar(Scalar::UnsignedInt));
        let long = types.scalar(Scalar::Long);
        let char_pointer = types.intern(&Type::Scalar(Scalar::Char).pointer());
        let length = cast::build::integer(ELEMENTS);
        let array = types.intern(&Type::Array(Box::new(Type::INT), Some(Box::new(length))).pointer());
        let parameters = vec![
            cast::build::parameter("buf", Type::Scalar(Scalar::Char).pointer()),
            cast::build::parameter("a", types.get(array).c.clone()),
            cast::build::parameter("n", Type::INT),
        ];
        let head = cast::FunctionType { result: Type::INT, parameters, ..cast::FunctionType::default() };
        let ty = types.intern(&Type::Function(Box::new(head)));
        let variadic = cast::FunctionType {
            result: Type::INT,
            parameters: vec![cast::build::parameter("first", Type::INT)],
            variadic: true,
            ..cast::FunctionType::default()
        };
        let variadic = types.intern(&Type::Function(Box::new(variadic)));
        let mut function = empty("f", ty);
        function.blocks.alloc(Block { statements: Vec::new(), end: Terminator::Unreachable, span: None });
        let mut build = Build {
            buf: local(&mut function, "buf", char_pointer),
            array: local(&mut function, "a", array),
            n: local(&mut function, "n", int),
            program,
            block: first_block(&function),
            function,
            int,
            unsigned,
            long,
        };
        build.function.parameters = vec![build.buf, build.array, build.n];
        for name in ["g", "__builtin_bswap32", "setjmp"] {
            build.program.functions.alloc(empty(name, variadic));
        }
        let void_pointer = || Type::Void.pointer();
        let parameters = vec![
            cast::build::parameter("to", void_pointer()),
            cast::build::parameter("from", void_pointer()),
            cast::build::parameter("count", Type::Scalar(Scalar::UnsignedLong)),
        ];
        let mover = cast::FunctionType { parameters, ..cast::FunctionType::default() };
        let mover = build.program.types.intern(&Type::Function(Box::new(mover)));
        for name in ["memcpy", "whittle_order32"] {
            build.program.functions.alloc(empty(name, mover));
        }
        build
    }

    /// Puts the function into its program.
    pub(super) fn finish(mut self) -> (Program, FunctionId) {
        let id = self.program.functions.alloc(self.function);
        assert_eq!(core_c::verify_function(&self.program, id), [], "the test's own function is wrong");
        (self.program, id)
    }

    pub(super) fn register(&mut self, name: &str, ty: TypeId) -> LocalId {
        local(&mut self.function, name, ty)
    }

    pub(super) fn read(&self, register: LocalId) -> Expression {
        expression(ExpressionKind::Local(register), self.function.locals[register].ty)
    }

    pub(super) fn number(&self, value: i128) -> Expression {
        expression(ExpressionKind::Integer(value), self.int)
    }

    pub(super) fn add(&self, left: Expression, right: Expression) -> Expression {
        let ty = left.ty;
        expression(ExpressionKind::Binary(BinaryOperator::Add, Box::new(left), Box::new(right)), ty)
    }

    /// `*(unsigned *)(buf + bytes)`, as the specializer spells it: no distance is not spelled.
    pub(super) fn word(&mut self, bytes: i128) -> Place {
        let base = self.read(self.buf);
        self.word_at(base, bytes)
    }

    pub(super) fn word_at(&mut self, base: Expression, bytes: i128) -> Place {
        let wanted = self.program.types.pointer_to(self.unsigned);
        let moved = if bytes == 0 { base } else { self.moved(base, bytes) };
        Place::pointee(expression(ExpressionKind::Convert(Box::new(moved)), wanted), self.unsigned)
    }

    pub(super) fn moved(&self, pointer: Expression, by: i128) -> Expression {
        let ty = pointer.ty;
        let count = Box::new(expression(ExpressionKind::Integer(by), self.long));
        expression(ExpressionKind::Offset { pointer: Box::new(pointer), count, negative: false }, ty)
    }

    /// `(*a)[index]`
    pub(super) fn element(&self, index: i128) -> Place {
        let index = Box::new(expression(ExpressionKind::Integer(index), self.long));
        let pointer = Box::new(self.read(self.array));
        let steps = vec![Step { kind: StepKind::Index(index), ty: self.int }];
        Place { base: PlaceBase::Pointee(pointer), steps, ty: self.int, volatile: false }
    }

    pub(super) fn load(&self, place: Place) -> Expression {
        let ty = place.ty;
        expression(ExpressionKind::Load(Box::new(place)), ty)
    }

    pub(super) fn convert(&self, value: Expression, ty: TypeId) -> Expression {
        expression(ExpressionKind::Convert(Box::new(value)), ty)
    }

    pub(super) fn push(&mut self, kind: StatementKind) {
        self.function.blocks[self.block].statements.push(Statement { kind, span: None });
    }

    /// A new register with that value.
    pub(super) fn set(&mut self, name: &str, value: Expression) -> LocalId {
        let local = self.register(name, value.ty);
        self.assign(local, value);
        local
    }

    pub(super) fn assign(&mut self, local: LocalId, value: Expression) {
        self.push(StatementKind::Set { local, value });
    }

    pub(super) fn store(&mut self, place: Place, value: Expression) {
        self.push(StatementKind::Store { place, value });
    }

    /// A call whose result goes to a new register.
    pub(super) fn call(&mut self, name: &str, arguments: Vec<Expression>) -> LocalId {
        let local = self.register("", self.int);
        let callee = Callee::Function(self.named(name));
        let arguments = arguments.into_iter().map(Argument::Value).collect();
        self.push(StatementKind::Call { receiver: Some(Receiver::Register(local)), callee, arguments });
        local
    }

    pub(super) fn named(&self, name: &str) -> FunctionId {
        let found = self.program.functions.iter().find(|(_, function)| function.name == name);
        found.expect("the function is declared").0
    }

    /// Goes one of two paths, of which the second is gone on with.
    pub(super) fn branch(&mut self, condition: Expression, then: BlockId) {
        let otherwise = self.new_block();
        self.end(Terminator::Branch { condition, then, otherwise });
        self.block = otherwise;
    }

    pub(super) fn less(&self, left: Expression, right: Expression) -> Expression {
        expression(ExpressionKind::Binary(BinaryOperator::Less, Box::new(left), Box::new(right)), self.int)
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        self.function.blocks.alloc(Block { statements: Vec::new(), end: Terminator::Unreachable, span: None })
    }

    pub(super) fn end(&mut self, end: Terminator) {
        self.function.blocks[self.block].end = end;
    }

    pub(super) fn give(&mut self, value: Expression) {
        self.end(Terminator::Return(Some(Argument::Value(value))));
    }

    /// What an encoder does with one element: load, to network order, store.
    pub(super) fn encode(&mut self, index: i128, bytes: i128) {
        let value = self.load(self.element(index));
        let loaded = self.set("", value);
        let swapped = self.call("__builtin_bswap32", vec![self.read(loaded)]);
        let value = self.convert(self.read(swapped), self.unsigned);
        let place = self.word(bytes);
        self.store(place, value);
    }
}

pub(super) fn expression(kind: ExpressionKind, ty: TypeId) -> Expression {
    Expression { kind, ty, span: None }
}

fn empty(name: &str, ty: TypeId) -> Function {
    Function {
        name: name.to_owned(),
        ty,
        linkage: Linkage::External,
        inline: false,
        cold: false,
        parameters: Vec::new(),
        locals: Arena::new(),
        blocks: Arena::new(),
        unit: None,
        refused: None,
        names: Default::default(),
        span: None,
    }
}

fn first_block(function: &Function) -> BlockId {
    function.blocks.iter().next().expect("there is a block").0
}

fn local(function: &mut Function, name: &str, ty: TypeId) -> LocalId {
    function.locals.alloc(Local { name: name.to_owned(), ty, kind: LocalKind::Register, alignment: 0, span: None })
}
