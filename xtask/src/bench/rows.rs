//! One measured number each: what `results.json` is made of.

/// A row of the results.
pub(super) struct Row {
    pub(super) bench: &'static str,
    pub(super) workload: String,
    /// Application bytes of a message.
    pub(super) size: u64,
    /// `whittle`, `whittle-VARIANT`, or a peer.
    pub(super) who: String,
    pub(super) metric: &'static str,
    pub(super) unit: &'static str,
    pub(super) value: f64,
}

/// A row per line, so that results can be compared by eye.
pub(super) fn to_json(rows: &[Row]) -> String {
    let lines: Vec<String> = rows.iter().map(|row| format!("  {}", line(row))).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn line(row: &Row) -> String {
    let text = |value: &str| serde_json::Value::from(value).to_string();
    format!(
        "{{\"bench\": {}, \"workload\": {}, \"size\": {}, \"who\": {}, \"metric\": {}, \"unit\": {}, \"value\": {}}}",
        text(row.bench),
        text(&row.workload),
        row.size,
        text(&row.who),
        text(row.metric),
        text(row.unit),
        serde_json::Value::from(rounded(row.value)),
    )
}

/// Four digits that count.
fn rounded(value: f64) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let digits = 3 - value.abs().log10().floor() as i32;
    let scale = 10f64.powi(digits.abs());
    if digits >= 0 { (value * scale).round() / scale } else { (value / scale).round() * scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_one_line_of_json() {
        let row = Row {
            bench: "drop-in",
            workload: "ints-encode".to_string(),
            size: 64,
            who: "whittle".to_string(),
            metric: "throughput",
            unit: "MB/s",
            value: 7890.123,
        };
        let json = to_json(&[row]);
        let parsed: serde_json::Value = serde_json::from_str(&json).expect("valid JSON");
        assert_eq!(parsed[0]["value"], 7890.0);
        assert_eq!(parsed[0]["who"], "whittle");
        assert_eq!(json.lines().count(), 3);
    }

    #[test]
    fn four_digits_count() {
        assert_eq!(rounded(123_456.0), 123_500.0);
        assert_eq!(rounded(0.001_234_56), 0.001_235);
    }
}
