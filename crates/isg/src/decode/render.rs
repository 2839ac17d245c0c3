//! Values as text: for people, with long arrays cut short, and as JSON, with nothing left out.

use std::fmt::Write;

use serde::{Serialize, Serializer};

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
}

/// As JSON: nothing is left out, bytes are a text of two hexadecimal digits each, and what is no number in JSON is a text.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Whole(number) => serializer.serialize_i128(*number),
            Value::Single(number) if number.is_finite() => serializer.serialize_f32(*number),
            Value::Double(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Single(number) => serializer.collect_str(number),
            Value::Double(number) => serializer.collect_str(number),
            Value::Truth(truth) => serializer.serialize_bool(*truth),
            Value::Nothing => serializer.serialize_none(),
            Value::Text(text) => serializer.serialize_str(&String::from_utf8_lossy(text)),
            Value::Bytes(bytes) => {
                let mut digits = String::new();
                bytes.iter().for_each(|byte| say(&mut digits, format_args!("{byte:02x}")));
                serializer.serialize_str(&digits)
            }
            Value::List(values) => serializer.collect_seq(values),
            Value::Structure(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
        }
    }
}

/// Writing to a text cannot fail.
fn say(out: &mut String, what: impl std::fmt::Display) {
    let _ = write!(out, "{what}");
}

/// In quotes, as people read it: what cannot be seen, or misleads, by its number; bytes that are no UTF-8 become U+FFFD.
fn quote(out: &mut String, text: &[u8]) {
    let text = String::from_utf8_lossy(text).replace('\\', "\\\\").replace('"', "\\\"");
    let text = text.replace('\n', "\\n").replace('\t', "\\t");
    say(out, format_args!("\"{}\"", escape::line(&text)));
}
