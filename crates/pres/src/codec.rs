//! The functions of a type's values where no link carries them: their heads, for headers and for the file that defines them. In: a type.
//! Out: functions without bodies.

use cast::build::parameter;
use cast::{Function, Parameter, Type};

/// What a function does with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodecFunction {
    Size,
    Encode,
    Decode,
    Free,
    Equal,
    Copy,
    Format,
    Print,
}

impl CodecFunction {
    pub const ALL: [CodecFunction; 8] = [
        CodecFunction::Size,
        CodecFunction::Encode,
        CodecFunction::Decode,
        CodecFunction::Free,
        CodecFunction::Equal,
        CodecFunction::Copy,
        CodecFunction::Format,
        CodecFunction::Print,
    ];

    /// `direntry_size`
    pub fn name(self, type_name: &str) -> String {
        let ending = match self {
            CodecFunction::Size => "size",
            CodecFunction::Encode => "encode",
            CodecFunction::Decode => "decode",
            CodecFunction::Free => return crate::freeing(type_name),
            CodecFunction::Equal => "equal",
            CodecFunction::Copy => "copy",
            CodecFunction::Format => "format",
            CodecFunction::Print => "print",
        };
        format!("{type_name}_{ending}")
    }

    /// For users, who may not know the others.
    pub fn meaning(self) -> &'static str {
        match self {
            CodecFunction::Size => "how many bytes encoding takes",
            CodecFunction::Encode => "encodes into `room` bytes; `size`, unless it is NULL, says how many were taken",
            CodecFunction::Decode => {
                "decodes a value that takes all bytes or, where `used` is not NULL, some; `limits` may be NULL;\n\
                 what fails leaves an empty value, and nothing allocated"
            }
            CodecFunction::Free => "releases all that the value holds, and empties it",
            CodecFunction::Equal => "whether two values have the same encoding",
            CodecFunction::Copy => "copies a value with all that it holds; what `to` held before is not looked at",
            CodecFunction::Format => {
                "writes JSON and a NUL into `room` bytes, as far as it fits; returns the length of all of it"
            }
            CodecFunction::Print => "prints JSON; false where writing failed",
        }
    }

    /// The head of the function for values of a type. Parameters keep clear of what is taken.
    pub fn head(self, (type_name, ty): (&str, &Type), is_array: bool, is_taken: &dyn Fn(&str) -> bool) -> Function {
        let value = ty.clone().pointer();
        // Before C23 a pointer to an array is none to a constant one.
        let given = if is_array { value.clone() } else { ty.clone().constant().pointer() };
        let size = || Type::named("size_t");
        let status = || Type::Tagged(cast::TagKind::Enum, "whittle_codec_status".to_string());
        let limits = Type::structure("whittle_codec_limits").constant().pointer();
        let (result, parameters): (Type, Vec<(&str, Type)>) = match self {
            CodecFunction::Size => (status(), vec![("value", given), ("size", size().pointer())]),
            CodecFunction::Encode => {
                let buffer = vec![("buffer", Type::Void.pointer()), ("room", size()), ("size", size().pointer())];
                (status(), std::iter::once(("value", given)).chain(buffer).collect())
            }
            CodecFunction::Decode => {
                let bytes = vec![("bytes", Type::Void.constant().pointer()), ("length", size())];
                let rest = vec![("used", size().pointer()), ("limits", limits)];
                (status(), std::iter::once(("value", value)).chain(bytes).chain(rest).collect())
            }
            CodecFunction::Free => (Type::Void, vec![("value", value)]),
            CodecFunction::Equal => (Type::named("bool"), vec![("value", given.clone()), ("other", given)]),
            CodecFunction::Copy => (status(), vec![("to", value), ("from", given)]),
            CodecFunction::Format => {
                (size(), vec![("value", given), ("buffer", Type::CHAR.pointer()), ("room", size())])
            }
            CodecFunction::Print => {
                (Type::named("bool"), vec![("value", given), ("file", Type::named("FILE").pointer())])
            }
        };
        let clear = |usual: &str| {
            let mut name = usual.to_string();
            while is_taken(&name) {
                name.push('_');
            }
            name
        };
        let parameters: Vec<Parameter> = parameters.into_iter().map(|(name, ty)| parameter(clear(name), ty)).collect();
        Function { name: self.name(type_name), result, parameters, ..Function::default() }
    }
}
