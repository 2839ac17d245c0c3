//! Values as text, free of languages and encodings.

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number, or a name that stands for one: `-1`, `0x10`, `inf`, `RED`, `true`, `none`.
    Word(String),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    Structure(Vec<(String, Value)>),
    /// A label, and the body where there is one.
    Union(String, Option<Box<Value>>),
    Array(Vec<Value>),
}

/// Reads one value and nothing behind it.
pub(crate) fn read(text: &str) -> Result<Value, String> {
    let mut reader = Reader { rest: text };
    let value = reader.value()?;
    reader.skip();
    if reader.rest.is_empty() { Ok(value) } else { Err(format!("`{}` follows the value", reader.rest)) }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes a mark if it is next.
    fn takes(&mut self, mark: char) -> bool {
        self.skip();
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, mark: char) -> Result<(), String> {
        if self.takes(mark) { Ok(()) } else { Err(format!("`{mark}` is expected before `{}`", self.rest)) }
    }

    fn word(&mut self) -> String {
        self.skip();
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && !"_-+.".contains(c)).unwrap_or(self.rest.len());
        let word = self.rest[..end].to_owned();
        self.rest = &self.rest[end..];
        word
    }

    fn value(&mut self) -> Result<Value, String> {
        if self.takes('{') {
            let mut fields = Vec::new();
            while !self.takes('}') {
                let name = self.word();
                self.expect(':')?;
                fields.push((name, self.value()?));
                self.takes(',');
            }
            return Ok(Value::Structure(fields));
        }
        if self.takes('(') {
            let label = self.word();
            let body = if self.takes(':') { Some(Box::new(self.value()?)) } else { None };
            self.expect(')')?;
            return Ok(Value::Union(label, body));
        }
        if self.takes('[') {
            return self.array();
        }
        if self.takes('"') {
            return self.text();
        }
        if self.takes('#') {
            let digits = self.word();
            let pairs = (0..digits.len()).step_by(2).map(|at| digits.get(at..at + 2));
            let bytes: Option<Vec<u8>> = pairs.map(|pair| u8::from_str_radix(pair?, 16).ok()).collect();
            return bytes.map(Value::Bytes).ok_or_else(|| format!("`#{digits}` is no row of bytes"));
        }
        let word = self.word();
        if word.is_empty() { Err(format!("no value begins with `{}`", self.rest)) } else { Ok(Value::Word(word)) }
    }

    fn array(&mut self) -> Result<Value, String> {
        let mut items = Vec::new();
        while !self.takes(']') {
            let item = self.value()?;
            let times = if self.takes('*') { self.word().parse().map_err(|_| "no number of times")? } else { 1 };
            items.extend(std::iter::repeat_n(item, times));
            self.takes(',');
        }
        Ok(Value::Array(items))
    }

    fn text(&mut self) -> Result<Value, String> {
        let end = self.rest.find('"').ok_or("the text has no end")?;
        let text = self.rest.as_bytes()[..end].to_vec();
        self.rest = &self.rest[end + 1..];
        Ok(Value::Text(text))
    }
}
