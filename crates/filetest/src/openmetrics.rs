//! The text format of OpenMetrics 1.0, read strictly. In: what a program exposes. Out: its samples, or the first rule that is broken.
//! Source: the OpenMetrics specification, sections 4.1 (data model) and 4.3 (text format).

use std::collections::{BTreeMap, BTreeSet};

/// One line with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub name: String,
    pub labels: BTreeMap<String, String>,
    pub value: f64,
}

/// All samples of a text.
///
/// # Errors
///
/// The text is none of the format.
pub fn parse(text: &str) -> Result<Vec<Sample>, String> {
    let body = text.strip_suffix("# EOF\n").ok_or("it does not end with `# EOF`")?;
    let mut families: BTreeMap<&str, &str> = BTreeMap::new();
    let mut family = "";
    let (mut samples, mut series): (Vec<Sample>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    for line in body.strip_suffix('\n').unwrap_or(body).split('\n') {
        if let Some(said) = line.strip_prefix("# ") {
            let mut words = said.splitn(3, ' ');
            let (Some(what), Some(name), Some(rest)) = (words.next(), words.next(), words.next()) else {
                return Err(format!("no metadata: {line}"));
            };
            match what {
                "TYPE" if !["counter", "gauge", "histogram"].contains(&rest) => return Err(format!("no type: {line}")),
                "TYPE" if families.insert(name, rest).is_some() => return Err(format!("a family comes twice: {line}")),
                "TYPE" => family = name,
                "HELP" if name == family => {}
                _ => return Err(format!("no metadata of this family: {line}")),
            }
            continue;
        }
        let sample = sample(line)?;
        let suffixes: &[&str] = match families.get(family) {
            Some(&"counter") => &["_total"],
            Some(&"gauge") => &[""],
            Some(_) => &["_bucket", "_count", "_sum"],
            None => return Err(format!("a sample without its family: {line}")),
        };
        let suffix = sample.name.strip_prefix(family);
        if !suffix.is_some_and(|suffix| suffixes.contains(&suffix)) {
            return Err(format!("no sample of `{family}`: {line}"));
        }
        if sample.value.is_nan() || (suffix != Some("") && sample.value < 0.0) {
            return Err(format!("no count: {line}"));
        }
        if !series.insert(format!("{}{:?}", sample.name, sample.labels)) {
            return Err(format!("a sample comes twice: {line}"));
        }
        samples.push(sample);
    }
    histograms(&samples)?;
    Ok(samples)
}

fn sample(line: &str) -> Result<Sample, String> {
    let wrong = |what: &str| format!("{what}: {line}");
    let (name, rest) = line.split_once('{').ok_or_else(|| wrong("no labels"))?;
    if !is_name(name) {
        return Err(wrong("no name"));
    }
    let (mut labels, mut rest) = (BTreeMap::new(), rest);
    loop {
        let (label, behind) = rest.split_once("=\"").ok_or_else(|| wrong("no label"))?;
        let (value, behind) = quoted(behind).ok_or_else(|| wrong("no value of a label"))?;
        if !is_name(label) || labels.insert(label.to_owned(), value).is_some() {
            return Err(wrong("no label of its own"));
        }
        match behind.strip_prefix(',') {
            Some(more) => rest = more,
            None => {
                rest = behind.strip_prefix("} ").ok_or_else(|| wrong("labels do not end"))?;
                break;
            }
        }
    }
    let value = if rest == "+Inf" { f64::INFINITY } else { rest.parse().map_err(|_| wrong("no number"))? };
    Ok(Sample { name: name.to_owned(), labels, value })
}

fn is_name(name: &str) -> bool {
    let is_first = |first: char| first.is_ascii_alphabetic() || first == '_';
    name.starts_with(is_first) && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
}

/// A label's value, and what stands behind its quote.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut at) = (String::new(), text.char_indices());
    while let Some((place, character)) = at.next() {
        match character {
            '"' => return Some((value, &text[place + 1..])),
            '\\' => value.push(match at.next()?.1 {
                'n' => '\n',
                escaped @ ('\\' | '"') => escaped,
                _ => return None,
            }),
            plain => value.push(plain),
        }
    }
    None
}

/// Buckets count up to their bounds, and the last one counts all.
fn histograms(samples: &[Sample]) -> Result<(), String> {
    let mut last: Option<(BTreeMap<String, String>, f64, f64)> = None;
    for sample in samples {
        let mut of = sample.labels.clone();
        if sample.name.ends_with("_bucket") {
            let bound = of.remove("le").ok_or("a bucket without its bound")?;
            let bound = if bound == "+Inf" { f64::INFINITY } else { bound.parse().map_err(|_| "no bound")? };
            if last
                .as_ref()
                .is_some_and(|(same, before, count)| *same == of && (*before >= bound || *count > sample.value))
            {
                return Err(format!("buckets do not grow: {sample:?}"));
            }
            last = Some((of, bound, sample.value));
        } else if sample.name.ends_with("_count") {
            let is_all = last.take().is_some_and(|(same, bound, count)| {
                same == of && bound.is_infinite() && count.to_bits() == sample.value.to_bits()
            });
            if !is_all {
                return Err(format!("the last bucket does not count all: {sample:?}"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::parse;

    const GOOD: &str = "# TYPE a counter\n# HELP a So many.\na_total{x=\"1\\\"\\\\\\n\"} 3\na_total{x=\"2\"} 4\n\
        # TYPE h histogram\nh_bucket{le=\"0.5\"} 1\nh_bucket{le=\"+Inf\"} 2\nh_sum{y=\"\"} 0.5\n# EOF\n";

    #[test]
    fn what_holds_to_the_rules_is_read() {
        let samples = parse(GOOD).unwrap();
        assert_eq!(samples.len(), 5);
        assert_eq!(samples[0].labels["x"], "1\"\\\n");
    }

    #[test]
    fn what_breaks_them_is_not() {
        for (from, to) in [
            ("# EOF\n", ""),
            ("a_total{x=\"2\"}", "a{x=\"2\"}"),
            ("x=\"2\"} 4", "x=\"2\"} 4x"),
            ("{x=\"2\"} 4", "{x=\"1\\\"\\\\\\n\"} 4"),
            ("# TYPE h histogram", "# TYPE a histogram"),
            ("# TYPE h histogram\n", "\n# TYPE h histogram\n"),
            ("\"+Inf\"} 2", "\"+Inf\"} 0"),
            ("x=\"2\"} 4", "x=\"2\"} -4"),
            ("x=\"2\"", "x=\"\\2\""),
        ] {
            assert!(parse(&GOOD.replace(from, to)).is_err(), "{from} {to}");
        }
    }
}
