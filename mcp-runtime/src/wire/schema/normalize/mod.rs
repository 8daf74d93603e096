//! Rewrites arguments that mean the right thing in a form that the schema does not allow.
//!
//! - `null` for a property that is not required means that the property is left out. Many agent frameworks send `null`
//!   for each argument that the model did not set. A property whose type accepts `null` keeps it.
//! - A string that contains JSON stands for this JSON, where the schema allows no string. Many models write lists,
//!   objects and numbers in this way.
//! - `1.0` and `1e3` are integers where the schema requires an integer.
//!
//! This runs only if the arguments as they are do not fit, so that a valid call costs nothing. All other text stays
//! unchanged.

mod applied;

use std::borrow::Cow;

use self::applied::AppliedSchemas;
use crate::wire::{
    protocol::{
        decimal::Decimal,
        scan::{NotJson, Scanner, read_string},
    },
    schema::compile::node::{Compiled, NodeId, Types},
};

type Aliases = [(Cow<'static, str>, Cow<'static, str>)];

/// Which arguments are rewritten. Whole numbers are always rewritten.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rewrites {
    /// Whether `null` means that a property is left out.
    pub(super) nulls: bool,
    /// Whether strings that contain JSON are read.
    pub(super) json_strings: bool,
}

impl Rewrites {
    pub(super) const ALL: Self = Self { nulls: true, json_strings: true };
    pub(super) const INTEGERS: Self = Self { nulls: false, json_strings: false };

    pub(super) fn of(json_strings: bool) -> Self {
        Self { nulls: true, json_strings }
    }
}

/// Returns the text of the arguments in a form that the schema allows, or `None` if nothing changes. The result can still
/// violate the schema.
pub(super) fn normalized(schema: &Compiled, aliases: &Aliases, text: &str, rewrites: Rewrites) -> Option<String> {
    // Limits the time for malicious text. A check has the same limit.
    let steps = 100_000 + 4 * text.len() as u64;
    let mut pass = Normalization { applied: AppliedSchemas { schema, steps }, rewrites };
    let root = pass.applied.with_others(&[Compiled::ROOT]);
    let mut writer = ArgumentsWriter::new(text);
    writer.object(&mut Scanner::new(text), &mut pass, &root, aliases).ok()?;
    if pass.applied.steps == 0 { None } else { writer.finish() }
}

/// One pass over the arguments of a call.
struct Normalization<'s> {
    applied: AppliedSchemas<'s>,
    rewrites: Rewrites,
}

/// Copies a text, with some parts replaced or left out.
struct ArgumentsWriter<'t> {
    text: &'t str,
    out: String,
    /// How many bytes of the text were already copied or replaced.
    copied: usize,
}

impl<'t> ArgumentsWriter<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, out: String::new(), copied: 0 }
    }

    /// Writes `by` in place of the bytes between `start` and `end`.
    fn replace(&mut self, start: usize, end: usize, by: &str) {
        self.out.push_str(&self.text[self.copied..start]);
        self.out.push_str(by);
        self.copied = end;
    }

    /// Returns the new text, or `None` if nothing was replaced.
    fn finish(mut self) -> Option<String> {
        if self.copied == 0 {
            return None;
        }
        self.out.push_str(&self.text[self.copied..]);
        Some(self.out)
    }

    /// Processes a value to which these schemas apply.
    fn value(
        &mut self,
        scanner: &mut Scanner<'t>,
        pass: &mut Normalization<'_>,
        nodes: &[NodeId],
    ) -> Result<(), NotJson> {
        if nodes.is_empty() {
            return scanner.value().map(drop);
        }
        if self.object(scanner, pass, nodes, &[])? || self.items(scanner, pass, nodes)? {
            return Ok(());
        }
        let value = scanner.value()?;
        let types = pass.applied.types(nodes);
        let end = scanner.at();
        let new = match value.as_bytes() {
            [b'"', ..] => in_string(value, types, pass).and_then(|inner| rewritten(&inner, pass, nodes)),
            _ if pass.applied.has_integer(nodes) => integer(value),
            _ => None,
        };
        if let Some(new) = new {
            self.replace(end - value.len(), end, &new);
        }
        Ok(())
    }

    /// Processes an object. Leaves out each member that is `null` and need not be there.
    fn object(
        &mut self,
        scanner: &mut Scanner<'t>,
        pass: &mut Normalization<'_>,
        nodes: &[NodeId],
        aliases: &Aliases,
    ) -> Result<bool, NotJson> {
        // The end of the last member, and whether a member is left before it.
        let (mut last, mut has_kept) = (None, false);
        let begin = scanner.at();
        scanner.object(|scanner, name| {
            let name = aliases.iter().find(|(alias, _)| *alias == name).map_or(&*name, |(_, name)| name);
            let inner = pass.applied.of_member(nodes, name);
            let before = last.unwrap_or_else(|| begin + 1 + self.text[begin..].find('{').unwrap_or_default());
            let is_left_out = self.is_null(scanner, pass, &inner) && pass.applied.is_optional(nodes, name);
            if is_left_out {
                scanner.value()?;
                self.replace(before, scanner.at(), "");
            } else {
                if let (false, Some(before)) = (has_kept, last) {
                    // All members before this one were left out, so its comma has to go too.
                    let comma = self.text[before..].find(',').unwrap_or_default();
                    self.replace(before, before + comma + 1, "");
                }
                has_kept = true;
                self.value(scanner, pass, &inner)?;
            }
            last = Some(scanner.at());
            Ok(())
        })
    }

    /// Returns whether the next value means `null`, and the schemas of the value do not allow `null`.
    fn is_null(&self, scanner: &mut Scanner<'_>, pass: &mut Normalization<'_>, inner: &[NodeId]) -> bool {
        let types = pass.applied.types(inner);
        if !pass.rewrites.nulls || inner.is_empty() || types.holds(Types::NULL) {
            return false;
        }
        scanner.is_null()
            || (scanner.rest().starts_with("\"null\"") && pass.rewrites.json_strings && !types.holds(Types::STRING))
    }

    fn items(
        &mut self,
        scanner: &mut Scanner<'t>,
        pass: &mut Normalization<'_>,
        nodes: &[NodeId],
    ) -> Result<bool, NotJson> {
        if !scanner.rest().trim_ascii_start().starts_with('[') {
            return Ok(false);
        }
        let inner = pass.applied.of_items(nodes);
        let mut at = 0;
        scanner.elements(|scanner| {
            // All items after the fixed ones have the same schema.
            let nodes = &inner[at.min(inner.len() - 1)];
            at += 1;
            self.value(scanner, pass, nodes)
        })
    }
}

/// Returns the JSON that a string contains, if the schema allows a value of its type but no string.
fn in_string(value: &str, types: Types, pass: &Normalization<'_>) -> Option<String> {
    if !pass.rewrites.json_strings || types.holds(Types::STRING) {
        return None;
    }
    let inner = read_string(value)?;
    let found = match inner.trim_ascii().as_bytes() {
        [b'{', ..] => Types::OBJECT,
        [b'[', ..] => Types::ARRAY,
        // Space around a short value is more likely a mistake than a habit.
        short if short.len() < inner.len() => return None,
        [b't' | b'f', ..] => Types::BOOLEAN,
        // Whether the number is whole, the check decides.
        [b'-' | b'0'..=b'9', ..] => Types::INTEGER,
        _ => return None,
    };
    let mut scanner = Scanner::new(&inner);
    // The scanner limits the depth. The code that processes the value is recursive.
    let is_json = scanner.value().and_then(|_| scanner.end()).is_ok();
    (types.holds(found) && is_json).then(|| inner.into_owned())
}

/// Rewrites the JSON from a string. Strings in this JSON are not read as JSON again.
fn rewritten(inner: &str, pass: &mut Normalization<'_>, nodes: &[NodeId]) -> Option<String> {
    let reads_text = std::mem::replace(&mut pass.rewrites.json_strings, false);
    let mut writer = ArgumentsWriter::new(inner);
    let written = writer.value(&mut Scanner::new(inner), pass, nodes);
    pass.rewrites.json_strings = reads_text;
    written.ok()?;
    Some(writer.finish().unwrap_or_else(|| inner.to_owned()))
}

/// Returns a whole number as an integer, if it is written with a fraction or an exponent, which serde's integers do not
/// accept. The number is rewritten digit by digit, never through a float. Numbers of more than 39 digits, the maximum of
/// Rust's integers, stay unchanged.
fn integer(text: &str) -> Option<String> {
    const LONGEST: usize = 39;
    // `-0` is read as a float too.
    let is_float = text == "-0" || text.contains(['.', 'e', 'E']);
    if is_float { Decimal::read(text)?.integer(LONGEST) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_whole_numbers_digit_by_digit() {
        for (text, expected) in [
            ("1.0", "1"),
            ("-1.50e1", "-15"),
            ("1E+3", "1000"),
            ("100e-2", "1"),
            ("0.0", "0"),
            ("-0", "0"),
            ("-0.0e5", "0"),
            ("0e99999999999999999999", "0"),
            ("9007199254740993.0", "9007199254740993"),
            ("0.00012e5", "12"),
            ("1e38", "100000000000000000000000000000000000000"),
        ] {
            assert_eq!(integer(text).as_deref(), Some(expected), "{text}");
        }
        for text in
            ["1", "0", "-5", "1.5", "1e-1", "12e-2", "1e39", "1e400", "1e99999999999999999999", "true", "\"1.0\""]
        {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
