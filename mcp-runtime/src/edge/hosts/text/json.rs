//! New values of a JSON file.

use serde::Serialize;
use serde_json::{Serializer, Value, ser::PrettyFormatter};

/// Returns a value on lines of its own. All lines but the first begin with `indent`.
pub(crate) fn lines(value: &Value, indent: &str, unit: &str) -> String {
    let mut text = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(unit.as_bytes()));
    // Neither a `Value` nor a `Vec` fails.
    let _ = value.serialize(&mut serializer);
    String::from_utf8_lossy(&text).replace('\n', &format!("\n{indent}"))
}
