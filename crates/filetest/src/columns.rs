//! How wide generated C is.

/// The most columns of a line that holds more than one word.
const MOST: usize = 120;

/// The first line that is too long. Directives of the preprocessor cannot be folded, nor can a word; comments are the run time's, and a
/// type's name and what it stands for are on one line.
pub fn too_long(text: &str) -> Option<&str> {
    text.lines().find(|line| {
        let code = line.trim();
        let is_other =
            line.starts_with('#') || code.starts_with("* ") || code.starts_with("/*") || code.starts_with("typedef ");
        line.chars().count() > MOST && !is_other && words(code) > 1
    })
}

/// What spaces separate outside of literals.
fn words(line: &str) -> usize {
    let (mut quote, mut escaped, mut words) = (None, false, 1);
    for letter in line.chars() {
        match quote {
            _ if std::mem::take(&mut escaped) => {}
            Some(_) if letter == '\\' => escaped = true,
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if letter == ' ' => words += 1,
            _ => {}
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_of_one_word_are_none() {
        let long = "n".repeat(130);
        assert_eq!(too_long(&format!("    {long};\n    \"a {long}\",\n#define A {long}\n")), None);
        let line = format!("    a = {long};");
        assert_eq!(too_long(&format!("a;\n{line}\n")), Some(&line[..]));
    }
}
