//! Describes allowed values in words, such as `an integer between 1 and 50`.

use std::fmt::Write as _;

use crate::wire::schema::{
    compile::node::{
        ArrayRules, Compiled, CountBound, Logic, Node, NodeId, NumberBound, NumberRules, ObjectRules, StringRules,
        Types,
    },
    value::{instance::Instance, number::Number},
};

/// The maximum number of values that one message lists.
const LISTED: usize = 20;

pub(super) fn of(schema: &Compiled, id: NodeId) -> String {
    of_node(schema, schema.target(id))
}

pub(super) fn of_node(schema: &Compiled, node: &Node) -> String {
    if let Some(literals) = &node.literals {
        return self::literals(&literals.iter().collect::<Vec<_>>());
    }
    let types = if node.types == Types::ANY { types_with_rules(node) } else { node.types };
    if types == Types::NONE {
        let union = node.logic.iter().find_map(|logic| match logic {
            Logic::AnyOf(branches) | Logic::OneOf(branches) => Some(branches),
            _ => None,
        });
        return union.map_or_else(|| "any value".to_owned(), |branches| any_of(schema, branches));
    }
    let several = types.each().count() > 1;
    either(&types.each().map(|(_, named)| of_type(schema, node, named, several)).collect::<Vec<_>>())
}

/// For a schema without `type`, returns the types of values for which the schema has rules.
fn types_with_rules(node: &Node) -> Types {
    [
        (node.number.is_some(), Types::NUMBER),
        (node.string.is_some(), Types::STRING),
        (node.array.is_some(), Types::ARRAY),
        (node.object.is_some(), Types::OBJECT),
    ]
    .into_iter()
    .filter(|(has_rules, _)| *has_rules)
    .fold(Types::NONE, |all, (_, types)| all.or(types))
}

/// Returns a phrase such as `a, b or c`.
fn either(nouns: &[String]) -> String {
    match nouns.split_last() {
        Some((last, others)) if !others.is_empty() => {
            // With long nouns, a comma shows where one ends.
            let comma = if nouns.iter().all(|noun| !noun.contains(['`', ','])) { "" } else { "," };
            format!("{}{comma} or {last}", others.join(", "))
        }
        _ => nouns.concat(),
    }
}

/// Describes the values that fit one of these branches.
pub(super) fn any_of(schema: &Compiled, branches: &[NodeId]) -> String {
    let literals: Option<Vec<_>> = branches.iter().map(|branch| schema.literals(*branch)).collect();
    if let Some(literals) = literals {
        return self::literals(&literals.into_iter().flatten().collect::<Vec<_>>());
    }
    const MAX_LINES: usize = 6;
    let mut nouns: Vec<String> = Vec::new();
    for branch in branches {
        let noun = of(schema, *branch);
        if !nouns.contains(&noun) {
            nouns.push(noun);
        }
    }
    if nouns.len() > MAX_LINES {
        let rest = nouns.split_off(MAX_LINES).len();
        nouns.push(format!("one of {rest} other forms"));
    }
    either(&nouns)
}

fn of_type(schema: &Compiled, node: &Node, types: Types, is_one_of_several: bool) -> String {
    match types {
        Types::NULL => "null".to_owned(),
        Types::BOOLEAN if is_one_of_several => "a boolean".to_owned(),
        Types::BOOLEAN => "true or false".to_owned(),
        Types::INTEGER => numeric("an integer", node.number.as_deref()),
        Types::NUMBER => numeric("a number", node.number.as_deref()),
        Types::STRING => string(node.string.as_deref()),
        Types::ARRAY => array(schema, node.array.as_deref()),
        _ => object(node.object.as_deref()),
    }
}

fn numeric(noun: &str, rules: Option<&NumberRules>) -> String {
    // The range of a 64-bit integer does not help a model.
    const TELLING: i128 = 1 << 31;
    let telling = |bound: Option<NumberBound>| {
        bound.filter(|bound| bound.at > Number::Whole(-TELLING) && bound.at < Number::Whole(TELLING - 1))
    };
    let Some(rules) = rules else { return noun.to_owned() };
    let shown = NumberRules { low: telling(rules.low), high: telling(rules.high), multiple_of: None };
    let mut noun = noun.to_owned();
    if shown.low.is_some() || shown.high.is_some() {
        let range = range(&shown);
        let _ = write!(noun, " {}{range}", if range.starts_with("at ") { "of " } else { "" });
    }
    if let Some(step) = rules.multiple_of {
        let _ = write!(noun, " that is a multiple of {step}");
    }
    noun
}

/// Returns a phrase such as `between 1 and 50`.
pub(crate) fn range(rules: &NumberRules) -> String {
    let low =
        |bound: NumberBound| format!("{} {}", if bound.exclusive { "greater than" } else { "at least" }, bound.at);
    let high = |bound: NumberBound| format!("{} {}", if bound.exclusive { "less than" } else { "at most" }, bound.at);
    match (rules.low, rules.high) {
        (Some(min), Some(max)) if !min.exclusive && !max.exclusive => format!("between {} and {}", min.at, max.at),
        (Some(min), Some(max)) => format!("{} and {}", low(min), high(max)),
        (Some(min), None) => low(min),
        (None, Some(max)) => high(max),
        (None, None) => String::new(),
    }
}

fn string(rules: Option<&StringRules>) -> String {
    let Some(rules) = rules else { return "a string".to_owned() };
    if let Some(format) = rules.format {
        return format.noun().to_owned();
    }
    if let Some(foreign) = rules.foreign.first() {
        return foreign.noun().to_owned();
    }
    format!("a string of {}", count(rules.length, "character", "characters"))
}

fn array(schema: &Compiled, rules: Option<&ArrayRules>) -> String {
    let Some(rules) = rules else { return "an array".to_owned() };
    let items = rules.items.map(|items| schema.types(items));
    let noun = match items {
        Some(Types::STRING) => "strings",
        Some(Types::NUMBER) => "numbers",
        Some(Types::INTEGER) => "integers",
        Some(Types::BOOLEAN) => "booleans",
        Some(Types::ARRAY) => "arrays",
        Some(Types::OBJECT) => "objects",
        _ => "items",
    };
    match (rules.length.is_any(), noun) {
        (true, "items") => "an array".to_owned(),
        (true, noun) => format!("an array of {noun}"),
        (false, noun) => {
            let one = if noun == "items" { "item" } else { &noun[..noun.len() - 1] };
            format!("an array of {}", count(rules.length, one, noun))
        }
    }
}

fn object(rules: Option<&ObjectRules>) -> String {
    let required: Vec<_> = rules
        .into_iter()
        .flat_map(|rules| rules.properties.iter().filter(|property| property.required))
        .map(|property| &*property.name)
        .collect();
    if required.is_empty() { "an object".to_owned() } else { format!("an object with {}", names(&required, "and")) }
}

/// Returns a phrase such as `"a"`, or `one of "a", "b"`.
pub(super) fn literals(literals: &[&Instance<'_>]) -> String {
    let mut texts: Vec<String> = literals.iter().take(LISTED).map(|literal| literal.shortened()).collect();
    if let [only] = &texts[..] {
        return only.clone();
    }
    if literals.len() > LISTED {
        texts.push(format!("or {} others", literals.len() - LISTED));
    }
    format!("one of {}", texts.join(", "))
}

/// Returns a phrase such as `` `a`, `b` and `c` ``.
pub(super) fn names(names: &[&str], conjunction: &str) -> String {
    let mut texts: Vec<String> = names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    if names.len() > LISTED {
        texts.push(format!("{} others", names.len() - LISTED));
    }
    match texts.pop() {
        Some(last) if !texts.is_empty() => format!("{} {conjunction} {last}", texts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// Returns a phrase such as `at least 1 item`.
pub(super) fn count(bound: CountBound, one: &str, many: &str) -> String {
    let noun = |count: u64| if count == 1 { one } else { many };
    match (bound.min, bound.max) {
        (Some(min), Some(max)) if min == max => format!("exactly {min} {}", noun(min)),
        (Some(min), Some(max)) => format!("between {min} and {max} {many}"),
        (Some(min), None) => format!("at least {min} {}", noun(min)),
        (None, Some(max)) => format!("at most {max} {}", noun(max)),
        (None, None) => format!("any number of {many}"),
    }
}
