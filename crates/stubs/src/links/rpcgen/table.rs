//! Dispatch tables, `b_tbl.i`: for each version an array, indexed by procedure, of routines and sizes. The user's file
//! defines `RPCGEN_ACTION`, includes the header (made with `-T`), then this.

use cast::build::{self, call, integer, name};
use cast::{Declaration, Expression, File, FunctionType, Storage, Type, Variable};
use pres::{Conventions, Interface, Operation, PresC, Value};

use super::library::{self, any_function, routine_of};

/// Tables have rows for absent procedures, but not without end.
const MOST_ROWS: i128 = 4096;

/// The tables' file. It includes nothing, as rpcgen's.
pub fn table_file(pres: &PresC) -> File {
    let own = |declaration: &&Declaration| !matches!(declaration, Declaration::Include(_) | Declaration::Undefine(_));
    let mut declarations: Vec<Declaration> = pres.prologue.iter().filter(own).cloned().collect();
    for interface in &pres.interfaces {
        let table = format!("{}_table", interface.dispatch);
        let count = format!("{}_nproc", interface.dispatch);
        let row = Type::structure("rpcgen_table");
        let rows = rows(interface).into_iter().map(|operation| table_row(pres.conventions, operation)).collect();
        let array = Type::Array(Box::new(row.clone()), None);
        declarations.push(variable(&table, array.clone(), build::braces(rows)));
        let all = build::sizeof_value(name(&table, array.clone()));
        let one = build::sizeof_value(build::index(name(&table, array), integer(0)));
        let rows = build::binary(all, cast::BinaryOperator::Divide, one);
        declarations.push(variable(&count, Type::INT, rows));
        declarations.push(Declaration::Blank);
    }
    declarations.pop();
    File { declarations }
}

fn variable(name: &str, ty: Type, initial: Expression) -> Declaration {
    Declaration::Variable(Variable {
        storage: Storage::Automatic,
        name: name.to_string(),
        ty,
        initial: Some(initial),
        ..Variable::default()
    })
}

/// The procedures by number, with gaps; in the file's order where numbers are not known or far apart.
fn rows(interface: &Interface) -> Vec<Option<&Operation>> {
    let numbered: Option<Vec<(i128, &Operation)>> =
        interface.operations.iter().map(|operation| Some((operation.number()?, operation))).collect();
    let Some(numbered) = numbered.filter(|all| all.iter().all(|(number, _)| (0..MOST_ROWS).contains(number))) else {
        return interface.operations.iter().map(Some).collect();
    };
    let last = numbered.iter().map(|(number, _)| *number).max().unwrap_or(-1);
    let find = |at: i128| numbered.iter().find(|(number, _)| *number == at).map(|(_, operation)| *operation);
    (0..=last).map(find).collect()
}

fn table_row(conventions: Conventions, operation: Option<&Operation>) -> Expression {
    let procedure = match operation {
        Some(operation) => {
            let action = call("RPCGEN_ACTION", vec![name(&operation.server, Type::Void)], Type::Void);
            build::cast(procedure_type(conventions), any_function(action))
        }
        None => integer(0),
    };
    let request = operation.and_then(|operation| operation.server_request.value());
    let result = operation.and_then(|operation| operation.server_reply.value());
    build::braces(vec![procedure, routine_of(request), size(request), routine_of(result), size(result)])
}

/// The type of the row's member `proc`.
fn procedure_type(conventions: Conventions) -> Type {
    let bytes = build::unnamed(Type::CHAR.pointer());
    let request = build::unnamed(library::request());
    let (result, parameters) = if conventions.caller_results {
        (Type::named("bool_t"), vec![bytes, build::unnamed(library::void_pointer()), request])
    } else {
        (Type::CHAR.pointer(), vec![bytes, request])
    };
    Type::Function(Box::new(FunctionType { result, parameters, ..FunctionType::default() })).pointer()
}

fn size(value: Option<&Value>) -> Expression {
    value.map_or_else(|| integer(0), |value| build::sizeof_type(value.ty.clone()))
}
