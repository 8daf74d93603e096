//! Canonical arguments. Two texts of arguments with the same meaning have the same canonical text.
//!
//! A client sends the arguments again with every round, and may have parsed and serialized them between two rounds. The
//! canonical text has no white space. Members are sorted by the bytes of their names. Strings are escaped in one way. A
//! number is written as its digits without zeros at either end, and a power of ten: `1`, `1.0` and `1e0` become `1`,
//! and `-250` becomes `-25e1`. Numbers are never read as floats, so that different numbers stay different. Members with
//! the same name all stay, in their order. Strings with a lone surrogate, and numbers whose exponent does not fit into
//! 64 bits, keep their spelling.

use std::{borrow::Cow, ops::Range};

use super::{
    scan::{NotJson, Scanner, read_string},
    text::push_json_string,
};

/// Values that are nested deeper than this keep their spelling. No message has such a depth.
const DEEPEST: u32 = 128;

/// The arguments of a call as canonical text.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct CanonicalArguments(Vec<u8>);

impl CanonicalArguments {
    /// Canonicalizes the text of `arguments`. If a request has no arguments, the text is `{}`.
    pub(crate) fn of(arguments: &str) -> Self {
        let mut text = Vec::with_capacity(arguments.len());
        Self::push(&mut text, arguments);
        Self(text)
    }

    /// Appends the canonical text of `arguments`.
    pub(crate) fn push(out: &mut Vec<u8>, arguments: &str) {
        let start = out.len();
        if push_canonical(out, arguments).is_err() {
            // Text that cannot be read, for example a lone surrogate in a name, keeps its spelling.
            out.truncate(start);
            out.extend_from_slice(arguments.as_bytes());
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Canonicalizes JSON text.
fn push_canonical(out: &mut Vec<u8>, text: &str) -> Result<(), NotJson> {
    let mut scanner = Scanner::new(text);
    push_value(out, &mut scanner, 0)?;
    scanner.end()
}

fn push_value(out: &mut Vec<u8>, scanner: &mut Scanner<'_>, depth: u32) -> Result<(), NotJson> {
    if let Some((text, is_escaped)) = scanner.string()? {
        // Text without an escape is canonical already; an unreadable string keeps its spelling.
        match is_escaped.then(|| read_string(text)).flatten() {
            Some(string) => push_json_string(out, &string),
            None => out.extend_from_slice(text.as_bytes()),
        }
        return Ok(());
    }
    if depth < DEEPEST && (push_object(out, scanner, depth)? || push_array(out, scanner, depth)?) {
        return Ok(());
    }
    let text = scanner.value()?;
    match text.as_bytes()[0] {
        b'-' | b'0'..=b'9' => push_number(out, text),
        _ => out.extend_from_slice(text.as_bytes()),
    }
    Ok(())
}

fn push_array(out: &mut Vec<u8>, scanner: &mut Scanner<'_>, depth: u32) -> Result<bool, NotJson> {
    let mut before = b'[';
    let array = scanner.elements(|scanner| {
        out.push(before);
        before = b',';
        push_value(out, scanner, depth + 1)
    })?;
    match (array, before) {
        (true, b'[') => out.extend_from_slice(b"[]"),
        (true, _) => out.push(b']'),
        (false, _) => {}
    }
    Ok(array)
}

fn push_object<'a>(out: &mut Vec<u8>, scanner: &mut Scanner<'a>, depth: u32) -> Result<bool, NotJson> {
    let start = out.len();
    let mut members: Vec<(Cow<'a, str>, Range<usize>)> = Vec::new();
    let object = scanner.object(|scanner, name| {
        out.push(b',');
        let member = out.len();
        push_json_string(out, &name);
        out.push(b':');
        push_value(out, scanner, depth + 1)?;
        members.push((name, member - start..out.len() - start));
        Ok(())
    })?;
    if object && members.is_empty() {
        out.extend_from_slice(b"{}");
    } else if object {
        if !members.is_sorted_by(|(left, _), (right, _)| left <= right) {
            members.sort_by(|(left, _), (right, _)| left.cmp(right));
            let unsorted = out.split_off(start);
            for (_, member) in members {
                out.push(b',');
                out.extend_from_slice(&unsorted[member]);
            }
        }
        out[start] = b'{';
        out.push(b'}');
    }
    Ok(object)
}

fn push_number(out: &mut Vec<u8>, text: &str) {
    let start = out.len();
    let (sign, unsigned) = text.strip_prefix('-').map_or(("", text), |unsigned| ("-", unsigned));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

    out.extend_from_slice(sign.as_bytes());
    let digits = out.len();
    out.extend(whole.bytes().chain(fraction.bytes()).skip_while(|&digit| digit == b'0'));
    let written = out.len();
    while digits < out.len() && out.ends_with(b"0") {
        out.pop();
    }
    if out.len() == digits {
        out.truncate(start);
        out.push(b'0');
        return;
    }
    let shift = (written - out.len()) as i64 - fraction.len() as i64;
    match exponent.parse::<i64>().ok().and_then(|exponent| exponent.checked_add(shift)) {
        Some(0) => {}
        Some(exponent) => out.extend_from_slice(format!("e{exponent}").as_bytes()),
        None => {
            out.truncate(start);
            out.extend_from_slice(text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests;
