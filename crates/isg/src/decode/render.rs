//! Values as text: for people, with long arrays cut short, and as JSON, with nothing left out.

use std::fmt::Write;

use super::Value;

/// Arrays that are longer are cut.
const LONG: usize = 16;
/// To so many elements.
const SHOWN: usize = 8;

impl Value {
    /// `{width: 400, name: "left", pixels: 399600 bytes 00 01 02 …}`
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write_text(&mut out);
        out
    }

    fn write_text(&self, out: &mut String) {
        match self {
            Value::Whole(number) => say(out, number),
            Value::Single(number) => say(out, number),
            Value::Double(number) => say(out, number),
            Value::Truth(truth) => say(out, truth),
            Value::Nothing => out.push_str("none"),
            Value::Text(text) => quote(out, text),
            Value::Bytes(bytes) => {
                let _ = write!(out, "{} bytes", bytes.len());
                let shown = if bytes.len() > LONG { SHOWN } else { bytes.len() };
                bytes.iter().take(shown).for_each(|byte| say(out, format_args!(" {byte:02x}")));
                out.push_str(if shown < bytes.len() { " …" } else { "" });
            }
            Value::List(values) => {
                let shown = if values.len() > LONG { SHOWN } else { values.len() };
                out.push('[');
                for (at, value) in values.iter().take(shown).enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    value.write_text(out);
                }
                if shown < values.len() {
                    let _ = write!(out, ", … {} in all", values.len());
                }
                out.push(']');
            }
            Value::Structure(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    let _ = write!(out, "{}{name}: ", if at == 0 { "" } else { ", " });
                    value.write_text(out);
                }
                out.push('}');
            }
        }
    }

    /// JSON in one line; bytes are a text of two hexadecimal digits each, and what is no number in JSON is a text.
    pub fn json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        match self {
            Value::Whole(number) => say(out, number),
            Value::Single(number) if number.is_finite() => say(out, number),
            Value::Double(number) if number.is_finite() => say(out, number),
            Value::Single(number) => say(out, format_args!("\"{number}\"")),
            Value::Double(number) => say(out, format_args!("\"{number}\"")),
            Value::Truth(truth) => say(out, truth),
            Value::Nothing => out.push_str("null"),
            Value::Text(text) => quote(out, text),
            Value::Bytes(bytes) => {
                out.push('"');
                bytes.iter().for_each(|byte| say(out, format_args!("{byte:02x}")));
                out.push('"');
            }
            Value::List(values) => {
                out.push('[');
                for (at, value) in values.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    value.write_json(out);
                }
                out.push(']');
            }
            Value::Structure(members) => {
                out.push('{');
                for (at, (name, value)) in members.iter().enumerate() {
                    let _ = write!(out, "{}\"{name}\":", if at == 0 { "" } else { "," });
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }
}

/// Writing to a text cannot fail.
fn say(out: &mut String, what: impl std::fmt::Display) {
    let _ = write!(out, "{what}");
}

/// As JSON has it, which people read as well; bytes that are no UTF-8 become U+FFFD.
fn quote(out: &mut String, text: &[u8]) {
    out.push('"');
    for letter in String::from_utf8_lossy(text).chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => say(out, format_args!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
}
