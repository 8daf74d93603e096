//! Rewrites whole numbers as integers.
//!
//! `1.0` and `1e3` are integers in JSON Schema, but serde's integers accept neither. Where the schema requires an
//! integer, this module rewrites such numbers digit by digit, never through a float. All other text stays unchanged.

use std::borrow::Cow;

use super::node::{Compiled, Logic, NodeId, ObjectRules, Types};
use crate::protocol::{
    decimal::Decimal,
    scan::{NotJson, Scanner},
};

type Aliases = [(Cow<'static, str>, Cow<'static, str>)];

/// Rewrites whole numbers as integers where the schema requires integers: `1.0` becomes `1`. Returns the new text.
/// Returns `None` if nothing changes.
pub(super) fn rewritten(schema: &Compiled, aliases: &Aliases, text: &str) -> Option<String> {
    // Limits the time for malicious text. A check has the same limit.
    let steps = 100_000 + 4 * text.len() as u64;
    let mut writer = IntegerWriter { schema, text, out: String::new(), copied: 0, steps };
    let root = writer.applied(&[Compiled::ROOT]);
    let mut scanner = Scanner::new(text);
    let is_object = scanner.object(|scanner, name| {
        let name = aliases.iter().find(|(alias, _)| *alias == name).map_or(&*name, |(_, name)| name);
        let inner = writer.of_member(&root, name);
        writer.value(scanner, &inner)
    });
    is_object.ok()?;
    if writer.copied == 0 || writer.steps == 0 {
        return None;
    }
    let IntegerWriter { mut out, copied, .. } = writer;
    out.push_str(&text[copied..]);
    Some(out)
}

struct IntegerWriter<'s, 't> {
    schema: &'s Compiled,
    text: &'t str,
    out: String,
    /// How many bytes of the text were already copied or rewritten into `out`.
    copied: usize,
    steps: u64,
}

impl IntegerWriter<'_, '_> {
    /// Processes a value to which these nodes apply.
    fn value(&mut self, scanner: &mut Scanner<'_>, nodes: &[NodeId]) -> Result<(), NotJson> {
        if nodes.is_empty() {
            return scanner.value().map(drop);
        }
        let is_object = scanner.object(|scanner, name| {
            let inner = self.of_member(nodes, &name);
            self.value(scanner, &inner)
        })?;
        if is_object || self.items(scanner, nodes)? {
            return Ok(());
        }
        let value = scanner.value()?;
        if nodes.iter().any(|node| is_integer(self.schema, *node))
            && let Some(integer) = integer(value)
        {
            let end = scanner.at();
            self.out.push_str(&self.text[self.copied..end - value.len()]);
            self.out.push_str(&integer);
            self.copied = end;
        }
        Ok(())
    }

    fn items(&mut self, scanner: &mut Scanner<'_>, nodes: &[NodeId]) -> Result<bool, NotJson> {
        let rules = || nodes.iter().filter_map(|node| self.schema.node(*node).array.as_deref());
        let fixed = rules().map(|rules| rules.prefix.len()).max().unwrap_or(0);
        // All items after the fixed ones have the same schema.
        let inner: Vec<_> = (0..=fixed)
            .map(|at| rules().filter_map(|rules| rules.prefix.get(at).copied().or(rules.items)).collect::<Vec<_>>())
            .collect();
        let inner: Vec<_> = inner.into_iter().map(|nodes| self.applied(&nodes)).collect();
        let mut at = 0;
        scanner.elements(|scanner| {
            let nodes = &inner[at.min(fixed)];
            at += 1;
            self.value(scanner, nodes)
        })
    }

    /// Returns the nodes that apply to a member of an object.
    fn of_member(&mut self, nodes: &[NodeId], name: &str) -> Vec<NodeId> {
        let rules = nodes.iter().filter_map(|node| self.schema.node(*node).object.as_deref());
        let inner: Vec<_> = rules.flat_map(|rules| member_schemas(rules, name)).collect();
        self.applied(&inner)
    }

    /// Returns these nodes and all other nodes that apply to the same value, without repetition. Includes all
    /// alternatives of a union, because an integer can be rewritten for each of them.
    fn applied(&mut self, nodes: &[NodeId]) -> Vec<NodeId> {
        let mut all: Vec<NodeId> = Vec::with_capacity(nodes.len());
        let add = |all: &mut Vec<NodeId>, node| {
            if !all.contains(&node) {
                all.push(node);
            }
        };
        nodes.iter().for_each(|node| add(&mut all, *node));
        let mut next = 0;
        while let Some(node) = all.get(next).copied() {
            next += 1;
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 {
                return Vec::new();
            }
            let node = self.schema.node(node);
            for logic in &node.logic {
                match logic {
                    Logic::All(one) => add(&mut all, *one),
                    Logic::AnyOf(branches) | Logic::OneOf(branches) => {
                        branches.iter().for_each(|branch| add(&mut all, *branch));
                    }
                    Logic::If { then, otherwise, .. } => {
                        [*then, *otherwise].into_iter().flatten().for_each(|branch| add(&mut all, branch));
                    }
                    Logic::Not(_) => {}
                }
            }
            let dependent = node.object.iter().flat_map(|object| &object.dependent_schemas);
            dependent.for_each(|(_, schema)| add(&mut all, *schema));
        }
        all
    }
}

/// Returns the schemas that these rules apply to a member with this name.
fn member_schemas(rules: &ObjectRules, name: &str) -> Vec<NodeId> {
    let declared = rules.property(name).and_then(|property| property.node);
    let patterns = rules.patterns.iter().filter(|(pattern, _)| pattern.matches(name)).map(|(_, node)| *node);
    let mut said: Vec<_> = declared.into_iter().chain(patterns).collect();
    if said.is_empty() {
        said.extend(rules.additional);
    }
    said
}

fn is_integer(schema: &Compiled, node: NodeId) -> bool {
    let types = schema.node(node).types;
    types.holds(Types::INTEGER) && !types.holds(Types::NUMBER)
}

/// Returns a whole number as an integer, if it is written with a fraction or an exponent. Numbers of more than 39
/// digits, the maximum of Rust's integers, stay unchanged.
fn integer(text: &str) -> Option<String> {
    const LONGEST: u64 = 39;
    if !text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
        return None;
    }
    // `-0` is read as a float too.
    if text != "-0" && !text.contains(['.', 'e', 'E']) {
        return None;
    }
    let Decimal { negative, digits, exponent } = Decimal::read(text)?;
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = u64::try_from(exponent).ok()?;
    if zeros.checked_add(digits.len() as u64)? > LONGEST {
        return None;
    }
    Some(format!("{}{digits}{}", if negative { "-" } else { "" }, "0".repeat(zeros as usize)))
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
