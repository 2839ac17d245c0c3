//! The inputs of a program that has none: its globals' initial values. A *division* says which of them the residual
//! program gets to know only when it runs.

use std::path::Path;

use cast::{Declaration, Qualifiers, RecordKind, Scalar, Storage, Type, TypeTable};
use filetest::oracle;
use filetest::random::Random;
use source::SourceMap;

/// Parts of one variable that are inputs at most.
const PARTS: usize = 40;

/// A scalar that a program starts with.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// An lvalue of the program.
    place: String,
    scalar: Scalar,
    /// Parts of one variable have one number.
    variable: usize,
}

/// A program's inputs, and how its `main` is called.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) all: Vec<Input>,
    arguments: usize,
    /// Only `main` under its own name returns 0 where it returns nothing.
    may_return_nothing: bool,
}

/// The inputs of a preprocessed program; none where it has no such `main`, or cannot be read.
pub(crate) fn find(path: &Path, text: String, flags: &[String]) -> Option<Inputs> {
    let input = front_c::Input { path: path.display().to_string(), text, flags: flags.to_vec() };
    let (program, findings) = front_c::import(&[input], &mut SourceMap::new());
    if findings.iter().any(source::Diagnostic::is_error) {
        return None;
    }
    let declarations = &program.units.first()?.file.declarations;
    let main = declarations.iter().find_map(|declaration| match declaration {
        Declaration::Function(function) if function.name == "main" => Some(function),
        _ => None,
    })?;
    let may_return_nothing = may_return_nothing(path, flags);
    let mut inputs = Inputs { all: Vec::new(), arguments: main.parameters.len(), may_return_nothing };
    for (number, declaration) in declarations.iter().enumerate() {
        let Declaration::Variable(variable) = declaration else { continue };
        let is_own = variable.storage != Storage::Extern && variable.header.is_none() && !variable.thread_local;
        // Tentative definitions stand more than once.
        let is_known = inputs.all.iter().any(|input| root(&input.place) == variable.name);
        if is_own && !is_known && !variable.name.contains('@') {
            let mut parts = Vec::new();
            leaves(&program.types, &variable.ty, variable.name.clone(), &mut parts);
            let input = |(place, scalar)| Input { place, scalar, variable: number };
            inputs.all.extend(parts.into_iter().map(input));
        }
    }
    Some(inputs)
}

/// True where clang finds that a function, `main` under another name perhaps, ends without the value it promises.
pub(crate) fn may_return_nothing(source: &Path, flags: &[String]) -> bool {
    let mut ask = oracle::command("clang");
    ask.args(["-fsyntax-only", "-Wno-everything", "-Werror=return-type", "-Dmain=law_original_main"]);
    !ask.args(flags).arg(source).output().is_ok_and(|output| output.status.success())
}

fn root(place: &str) -> &str {
    place.split(['.', '[']).next().unwrap_or(place)
}

/// The scalars that an object consists of. Of a union it is the first member; pointers keep their values.
fn leaves(types: &TypeTable, ty: &Type, place: String, found: &mut Vec<(String, Scalar)>) {
    if found.len() >= PARTS || is_constant(types, ty) {
        return;
    }
    match types.resolve(ty) {
        Type::Scalar(scalar) if !matches!(scalar, Scalar::Int128 | Scalar::UnsignedInt128 | Scalar::Float128) => {
            found.push((place, *scalar));
        }
        Type::Array(element, Some(length)) => {
            let length = cast::array_length(length).unwrap_or(0);
            (0..length.min(PARTS as u64)).for_each(|at| leaves(types, element, format!("{place}[{at}]"), found));
        }
        Type::Tagged(_, tag) => {
            let Some(record) = types.records.get(tag) else { return };
            let count = if record.kind == RecordKind::Union { 1 } else { record.fields.len() };
            for field in &record.fields[..count.min(record.fields.len())] {
                if let Some(name) = &field.name {
                    leaves(types, &field.ty, format!("{place}.{name}"), found);
                }
            }
        }
        _ => {}
    }
}

fn is_constant(types: &TypeTable, ty: &Type) -> bool {
    match ty {
        Type::Qualified(Qualifiers { constant, .. }, inner) => *constant || is_constant(types, inner),
        Type::Named(name) => types.typedefs.get(name).is_some_and(|typedef| is_constant(types, &typedef.ty)),
        Type::Array(element, _) => is_constant(types, element),
        _ => false,
    }
}

impl Input {
    fn is_real(&self) -> bool {
        matches!(self.scalar, Scalar::Float | Scalar::Double | Scalar::LongDouble)
    }
}

impl Inputs {
    /// Some of the variables, as the numbers of their inputs.
    pub(crate) fn division(&self, random: &mut Random, percent: u64) -> Vec<usize> {
        let mut chosen = Vec::new();
        let (mut variable, mut is_in) = (usize::MAX, false);
        for (number, input) in self.all.iter().enumerate() {
            if input.variable != variable {
                (variable, is_in) = (input.variable, random.chance(percent));
            }
            if is_in {
                chosen.push(number);
            }
        }
        chosen
    }

    /// A program that asks the outside for these inputs, then does what `path` does.
    pub(crate) fn program(&self, path: &Path, division: &[usize]) -> String {
        let mut text = String::from("#define main law_original_main\n");
        text.push_str(&format!("#include \"{}\"\n#undef main\n", path.display()));
        text.push_str("extern long long law_input(int number, long long usual);\n");
        text.push_str("extern double law_real(int number, double usual);\n");
        text.push_str("int main(void)\n{\n    static char *law_arguments[] = {\"law\", 0};\n");
        for number in division {
            let Input { place, .. } = &self.all[*number];
            let call = if self.all[*number].is_real() { "law_real" } else { "law_input" };
            text.push_str(&format!("    {place} = {call}({number}, {place});\n"));
        }
        let arguments = if self.arguments == 0 { "" } else { "1, law_arguments" };
        let call = format!("law_original_main({arguments})");
        text.push_str(&match self.may_return_nothing {
            true => format!("    {call};\n    return 0;\n}}\n"),
            false => format!("    return {call};\n}}\n"),
        });
        text
    }

    /// Random values for a division, as the environment gives them: whole numbers, and others.
    pub(crate) fn values(&self, division: &[usize], random: &mut Random) -> (String, String) {
        let (mut whole, mut real) = (Vec::new(), Vec::new());
        for number in division {
            // Some keep the value that they have.
            if random.chance(30) {
                continue;
            }
            if self.all[*number].is_real() {
                real.push(format!("{number}={}", random.below(2000) as f64 / 16.0 - 40.0));
            } else {
                whole.push(format!("{number}={}", value(random)));
            }
        }
        (whole.join(" "), real.join(" "))
    }
}

/// A number of a kind that programs find hard.
pub(crate) fn value(random: &mut Random) -> i64 {
    match random.below(6) {
        0 => 0,
        1 => 1,
        2 => -1,
        3 => random.below(10) as i64,
        4 => 1_i64.checked_shl(u32::try_from(random.below(63)).unwrap_or(0)).unwrap_or(0) - random.below(3) as i64,
        _ => random.word() as i64,
    }
}
