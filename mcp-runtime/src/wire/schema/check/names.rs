//! A fast check of arguments whose schema only demands types and the names of variants.
//!
//! The deserializer of the author's types rejects wrong types, and for a unit enum also unknown names. But it accepts
//! more than the schema allows: names from `#[serde(alias)]` and `#[serde(other)]`, and `{"name": null}` for `"name"`.
//! So this module compares the arguments with the schema in one pass over their text. If a value is possibly invalid,
//! the full check runs and produces the error messages.

use std::borrow::Cow;

use crate::wire::{
    protocol::scan::{NotJson, Scanner},
    schema::{
        compile::node::{Compiled, Logic, Node, NodeId, Types},
        value::instance::Instance,
    },
};

/// The maximum depth of nesting that this check reads. For deeper values the full check runs.
const DEEPEST: u32 = 64;

/// Returns whether the types and names of the arguments are certainly valid. If so, the arguments need no other check
/// than their deserialization.
pub(crate) fn surely_fit(
    schema: &Compiled,
    aliases: &[(Cow<'static, str>, Cow<'static, str>)],
    arguments: &str,
) -> bool {
    let root = schema.node(Compiled::ROOT);
    if !root.logic.is_empty() || root.literals.is_some() {
        return false;
    }
    let mut scanner = Scanner::new(arguments);
    let is_object = scanner.object(|scanner, name| {
        let name = aliases.iter().find(|(alias, _)| *alias == name).map_or(&*name, |(_, name)| name);
        Look(schema).member(root, name, scanner, 0)
    });
    is_object == Ok(true) && scanner.end().is_ok()
}

struct Look<'s>(&'s Compiled);

impl Look<'_> {
    /// Skips a value. Fails if this fast check cannot show that the value is valid. In this case the full check
    /// decides.
    fn value(&self, id: NodeId, scanner: &mut Scanner<'_>, depth: u32) -> Result<(), NotJson> {
        let node = self.0.node(id);
        if depth > DEEPEST {
            return Err(unsure(scanner));
        }
        match node.logic.as_slice() {
            [] if node.literals.is_some() => {
                let value = scanner.value()?;
                sure(is_listed(node, value), scanner)
            }
            [] => self.typed(node, scanner, depth),
            _ if !node.says_nothing_itself() => Err(unsure(scanner)),
            [Logic::All(inner)] => self.value(*inner, scanner, depth + 1),
            [Logic::AnyOf(branches)] => self.nullable(branches, scanner, depth),
            [Logic::OneOf(branches)] => self.one_of(branches, scanner),
            _ => Err(unsure(scanner)),
        }
    }

    /// Skips a value of one of the types of this node.
    fn typed(&self, node: &Node, scanner: &mut Scanner<'_>, depth: u32) -> Result<(), NotJson> {
        let may_be = |types| node.types.holds(types);
        if may_be(Types::OBJECT) && scanner.object(|scanner, name| self.member(node, &name, scanner, depth))? {
            return Ok(());
        }
        let (mut at, array) = (0, node.array.as_deref());
        let is_array = may_be(Types::ARRAY)
            && scanner.elements(|scanner| {
                let item = array.and_then(|array| array.prefix.get(at).copied().or(array.items));
                at += 1;
                self.value_of(item, scanner, depth)
            })?;
        if is_array {
            return Ok(());
        }
        let value = scanner.value()?;
        let fits = match value.as_bytes() {
            [b'"', ..] => may_be(Types::STRING),
            [b't' | b'f', ..] => may_be(Types::BOOLEAN),
            [b'n', ..] => may_be(Types::NULL),
            [b'0'..=b'9' | b'-', ..] => may_be(Types::NUMBER) || may_be(Types::INTEGER) && is_integer(value),
            _ => false,
        };
        sure(fits, scanner)
    }

    fn member(&self, node: &Node, name: &str, scanner: &mut Scanner<'_>, depth: u32) -> Result<(), NotJson> {
        let Some(rules) = node.object.as_deref() else { return scanner.value().map(drop) };
        if !rules.patterns.is_empty() || !rules.dependent_schemas.is_empty() || rules.names.is_some() {
            return Err(unsure(scanner));
        }
        let declared = rules.property(name).and_then(|property| property.node);
        self.value_of(declared.or(rules.additional), scanner, depth)
    }

    fn value_of(&self, id: Option<NodeId>, scanner: &mut Scanner<'_>, depth: u32) -> Result<(), NotJson> {
        match id {
            Some(id) => self.value(id, scanner, depth + 1),
            None => scanner.value().map(drop),
        }
    }

    /// Skips a value of a nullable type: `null`, or a value that the first of the two branches allows.
    fn nullable(&self, branches: &[NodeId], scanner: &mut Scanner<'_>, depth: u32) -> Result<(), NotJson> {
        match branches {
            [_, null] if scanner.is_null() && self.0.node(*null).types.holds(Types::NULL) => scanner.value().map(drop),
            [value, _] => self.value(*value, scanner, depth + 1),
            _ => Err(unsure(scanner)),
        }
    }

    /// Skips a text. Fails unless exactly one branch lists the text as a name.
    fn one_of(&self, branches: &[NodeId], scanner: &mut Scanner<'_>) -> Result<(), NotJson> {
        let value = scanner.value()?;
        let lists = |branch: &&NodeId| {
            let node = self.0.node(**branch);
            // A branch without a list may allow any name.
            node.literals.is_none() || !node.logic.is_empty() || is_listed(node, value)
        };
        let mut listing = branches.iter().filter(lists).map(|branch| self.0.node(*branch));
        let (first, second) = (listing.next(), listing.next());
        let is_only = first.is_some_and(|node| node.logic.is_empty() && is_listed(node, value)) && second.is_none();
        sure(is_only, scanner)
    }
}

/// Returns whether the node lists this text.
fn is_listed(node: &Node, value: &str) -> bool {
    let Some(literals) = &node.literals else { return false };
    if value == "null" {
        return node.types.holds(Types::NULL) && literals.contains(&Instance::Null);
    }
    let Some(name) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else { return false };
    // A name with an escape is not compared.
    let is_name = |literal: &Instance<'_>| matches!(literal, Instance::String(string) if *string == name);
    node.types.holds(Types::STRING) && !name.contains('\\') && literals.iter().any(is_name)
}

/// Returns whether a number is written as an integer, as serde's integers require.
fn is_integer(number: &str) -> bool {
    number != "-0" && !number.contains(['.', 'e', 'E'])
}

fn sure(fits: bool, scanner: &Scanner<'_>) -> Result<(), NotJson> {
    if fits { Ok(()) } else { Err(unsure(scanner)) }
}

#[cold]
fn unsure(scanner: &Scanner<'_>) -> NotJson {
    scanner.error("what surely fits")
}
