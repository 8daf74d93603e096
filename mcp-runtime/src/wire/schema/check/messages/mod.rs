//! Error messages for models.

use std::{borrow::Cow, fmt::Write as _};

use super::{report::Path, violations::Violation};
use crate::wire::{
    protocol::text::json_string,
    schema::{
        compile::node::{Compiled, CountBound, KeyPattern, Node, NodeId, ObjectRules, Property, Types},
        nearest::nearest,
        value::instance::Instance,
    },
};

mod expected_value;

pub(crate) use self::expected_value::range;

type NamedInstance<'v> = (Cow<'v, str>, Instance<'v>);

fn at(path: &Path<'_>, what: impl Into<String>) -> Violation {
    let mut what = what.into();
    if let Some(hint) = path.hint.map(first_sentence).filter(|hint| !hint.is_empty()) {
        let _ = write!(what, " ({hint})");
    }
    Violation { place: path.place(), what }
}

/// Returns a message such as `got 0, must be at least 1`.
pub(crate) fn must(path: &Path<'_>, value: &Instance<'_>, what: &str) -> Violation {
    at(path, format!("got {}, must {what}", value.shortened()))
}

pub(crate) fn wrong_type(schema: &Compiled, node: &Node, value: &Instance<'_>, path: &Path<'_>) -> Violation {
    if node.types == Types::NONE {
        return at(path, "not allowed here");
    }
    let what = format!("be {}{}", expected_value::of_node(schema, node), cure(node.types, value));
    must(path, value, &what)
}

pub(crate) fn fits_none(schema: &Compiled, branches: &[NodeId], value: &Instance<'_>, path: &Path<'_>) -> Violation {
    let types = branches.iter().fold(Types::NONE, |types, branch| types.or(schema.types(*branch)));
    must(path, value, &format!("be {}{}", expected_value::any_of(schema, branches), cure(types, value)))
}

/// Suggests removing the quotes if a string contains a value of an allowed type. Models make this mistake most often.
fn cure(types: Types, value: &Instance<'_>) -> &'static str {
    let Instance::String(text) = value else { return "" };
    let meant = Instance::read(text).ok().map(|(value, _)| value);
    match meant {
        Some(Instance::String(_)) | None => "",
        Some(meant) if types.holds(Types::of(&meant)) => "; write it without the quotes",
        Some(_) => "",
    }
}

pub(crate) fn wrong_literal<'s>(
    literals: impl IntoIterator<Item = &'s Instance<'static>>,
    value: &Instance<'_>,
    path: &Path<'_>,
) -> Violation {
    let literals: Vec<_> = literals.into_iter().collect();
    let mut what = format!("be {}", expected_value::literals(&literals));
    if let Instance::String(given) = value {
        let strings = literals.iter().filter_map(|literal| match literal {
            Instance::String(string) => Some(&**string),
            _ => None,
        });
        // With only one allowed value, a suggestion is not needed.
        if literals.len() > 1
            && let Some(near) = nearest(given, strings)
        {
            let _ = write!(what, "; did you mean {}?", json_string(near));
        }
    }
    must(path, value, &what)
}

/// Returns a message such as `got "" (0 characters), must have at least 1 character`.
pub(crate) fn counted(
    path: &Path<'_>,
    value: &Instance<'_>,
    given: usize,
    bound: CountBound,
    [one, many]: [&str; 2],
) -> Violation {
    let noun = if given == 1 { one } else { many };
    at(path, format!("got {} ({given} {noun}), must have {}", value.cut().0, expected_value::count(bound, one, many)))
}

pub(crate) fn duplicates(path: &Path<'_>, first: usize, second: usize, item: &Instance<'_>) -> Violation {
    at(path, format!("got {} twice (items {first} and {second}), items must differ", item.shortened()))
}

pub(crate) fn contained(
    schema: &Compiled,
    wanted: NodeId,
    count: CountBound,
    found: usize,
    path: &Path<'_>,
) -> Violation {
    let items = if found == 1 { "item that is" } else { "items that are" };
    let count = expected_value::count(count, "", "");
    at(path, format!("got {found} {items} {}, must have {}", expected_value::of(schema, wanted), count.trim_end()))
}

pub(crate) fn missing(
    schema: &Compiled,
    rules: &ObjectRules,
    property: &Property,
    members: &[NamedInstance<'_>],
    path: &Path<'_>,
) -> Violation {
    let inside = path.key(&property.name);
    let Some(node) = property.node else { return at(&inside, "missing; required") };
    let inside = inside.with_hint(hint(schema, node));
    let mut what = format!("missing; {} is required", expected_value::of(schema, node));
    // If unknown names are allowed, no other message reports a misspelled name.
    let is_open = rules.additional.is_none_or(|additional| schema.node(additional).types != Types::NONE);
    const LOOKED_AT: usize = 100;
    let keys = members.iter().take(LOOKED_AT).map(|(key, _)| &**key);
    let strangers = keys.filter(|key| rules.property(key).is_none());
    if is_open && let Some(near) = nearest(&property.name, strangers) {
        let _ = write!(what, "; did you write it as `{near}`?");
    }
    at(&inside, what)
}

pub(crate) fn missing_tag<'s>(literals: impl Iterator<Item = &'s Instance<'static>>, path: &Path<'_>) -> Violation {
    at(path, format!("missing; {} is required", expected_value::literals(&literals.collect::<Vec<_>>())))
}

pub(crate) fn dependent(schema: &Compiled, rules: &ObjectRules, given: &str, name: &str, path: &Path<'_>) -> Violation {
    let hint = rules.property(name).and_then(|property| hint(schema, property.node?));
    at(&path.key(name).with_hint(hint), format!("missing; required if `{given}` is given"))
}

pub(crate) fn unknown(rules: &ObjectRules, key: &str, path: &Path<'_>) -> Violation {
    let path = path.with_hint(None);
    if let Some(near) = nearest(key, rules.declared()) {
        return at(&path, format!("unknown; did you mean `{near}`?"));
    }
    let declared: Vec<_> = rules.declared().collect();
    if let ([], [(pattern, _)]) = (&declared[..], &rules.patterns[..]) {
        let noun = match pattern {
            KeyPattern::Digits => "a whole number",
            KeyPattern::SignedDigits => "a whole number, which may be negative",
            KeyPattern::Foreign(pattern) => pattern.noun(),
        };
        return at(&path, format!("unknown; each key must be {noun}"));
    }
    if declared.is_empty() {
        return at(&path, "unknown; no properties are allowed here");
    }
    at(&path, format!("unknown; the known names are {}", expected_value::names(&declared, "and")))
}

pub(crate) fn wrong_name(schema: &Compiled, names: NodeId, key: &str, path: &Path<'_>) -> Violation {
    let key = Instance::String(key.into()).shortened();
    at(path, format!("got the key {key}, each key must be {}", expected_value::of(schema, names)))
}

pub(crate) fn no_key<'s>(keys: impl Iterator<Item = &'s str>, value: &Instance<'_>, path: &Path<'_>) -> Violation {
    let keys: Vec<_> = keys.collect();
    let given = match value {
        Instance::Object(members) => members.first().map(|(key, _)| &**key),
        _ => None,
    };
    let mut what = format!("be an object with one of the keys {}", expected_value::names(&keys, "or"));
    if let Some(near) = given.and_then(|given| nearest(given, keys.iter().copied())) {
        let _ = write!(what, "; did you mean `{near}`?");
    }
    must(path, value, &what)
}

pub(crate) fn several(value: &Instance<'_>, fitting: usize, path: &Path<'_>) -> Violation {
    must(path, value, &format!("fit exactly one of the alternatives, but fits {fitting}"))
}

pub(crate) fn refused(refused: &Node, value: &Instance<'_>, path: &Path<'_>) -> Violation {
    match &refused.literals {
        Some(literals) => {
            must(path, value, &format!("not be {}", expected_value::literals(&literals.iter().collect::<Vec<_>>())))
        }
        None => at(path, format!("got {}, which is not allowed", value.shortened())),
    }
}

fn hint(schema: &Compiled, node: NodeId) -> Option<&str> {
    schema.node(node).description.as_deref().or(schema.target(node).description.as_deref())
}

/// Returns the first sentence of a description, in one line.
fn first_sentence(text: &str) -> String {
    const LONGEST: usize = 120;
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = line.split_once(". ").map_or(&*line, |(first, _)| first).trim_end_matches('.');
    match sentence.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &sentence[..cut]),
        None => sentence.to_owned(),
    }
}
