//! What a plain word of YAML means: the core schema of YAML 1.2, as the npm package `yaml` reads it.

/// What a plain word is.
pub(crate) enum Plain {
    /// `null`, a boolean or a number, as the text of a JSON value.
    Json(String),
    Text,
    /// A number that JSON lacks, or that parsers read differently.
    Refused,
}

/// Returns what a word without quotes means.
pub(crate) fn plain(word: &str) -> Plain {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Plain::Json("null".to_owned()),
        "true" | "True" | "TRUE" => Plain::Json("true".to_owned()),
        "false" | "False" | "FALSE" => Plain::Json("false".to_owned()),
        ".nan" | ".NaN" | ".NAN" => Plain::Refused,
        _ if matches!(unsigned, ".inf" | ".Inf" | ".INF") => Plain::Refused,
        _ => radix(word, "0o", 8).or_else(|| radix(word, "0x", 16)).unwrap_or_else(|| decimal(word, unsigned)),
    }
}

/// Returns the value of a number with this prefix, such as `0x1F`. Returns `None` if the word is not such a number.
fn radix(word: &str, prefix: &str, radix: u32) -> Option<Plain> {
    let digits = word.strip_prefix(prefix)?;
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    // JavaScript rounds a larger number.
    let number = u64::from_str_radix(digits, radix).ok().filter(|number| *number <= 1 << 53);
    Some(number.map_or(Plain::Refused, |number| Plain::Json(number.to_string())))
}

fn decimal(word: &str, unsigned: &str) -> Plain {
    let is_number = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || b"eE.+-".contains(&byte))
        && word.parse::<f64>().is_ok();
    if !is_number {
        return Plain::Text;
    }
    if let Ok(number) = word.parse::<i64>() {
        return Plain::Json(number.to_string());
    }
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Plain::Json(number.to_string()),
        _ => Plain::Refused,
    }
}
