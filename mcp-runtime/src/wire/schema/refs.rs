//! Replaces references by their targets, because some model APIs reject every `$ref`. Only recursive references are
//! kept.

use serde_json::{Map, Value};

use super::keyword::{describes, for_each_inner, inner};
use crate::wire::protocol::json::set;

/// Returns the target of a reference inside the schema.
pub(super) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&percent_decoded(reference.strip_prefix('#')?)?)
}

/// Replaces each non-recursive reference with its target, and removes unused definitions.
///
/// # Errors
/// Returns a message for each reference that has no target in the schema. Also fails if the schema is nested too
/// deeply, or if the result is too large.
pub(super) fn inline(mut schema: Value) -> Result<Value, Vec<String>> {
    let mut references = Vec::new();
    if gather(&schema, 0, &mut references) > DEEPEST {
        return Err(vec!["the schema is nested too deeply".to_owned()]);
    }
    if references.is_empty() {
        drop_unused_definitions(&mut schema);
        return Ok(schema);
    }
    let lost = references.iter().filter(|reference| resolve(&schema, reference).is_none());
    let lost: Vec<String> = lost
        .map(|reference| match reference.starts_with('#') {
            true => format!("`$ref: {reference}` does not exist in the schema: define it under `$defs`"),
            false => format!("`$ref: {reference}` is outside of the schema: copy its target under `$defs`"),
        })
        .collect();
    if !lost.is_empty() {
        return Err(lost);
    }
    let original = schema.clone();
    let recursive = recursive(&original, &references);
    let mut writer = RefWriter { original: &original, recursive: &recursive, left: LARGEST };
    writer.root(&mut schema);
    if writer.left == 0 {
        return Err(vec!["the schema is too large when each `$ref` is replaced by its target".to_owned()]);
    }
    drop_unused_definitions(&mut schema);
    Ok(schema)
}

/// The maximum depth of a schema. The limit prevents a stack overflow.
const DEEPEST: usize = 128;
/// The maximum number of schemas after inlining. Inlining can multiply schemas exponentially.
const LARGEST: usize = 100_000;

/// Collects every reference in the schema and returns its depth.
fn gather(schema: &Value, depth: usize, references: &mut Vec<String>) -> usize {
    let Value::Object(keywords) = schema else { return depth };
    if depth > DEEPEST {
        return depth;
    }
    if let Some(reference) = reference(schema) {
        add(references, reference);
    }
    inner(keywords).iter().map(|inner| gather(inner.schema, depth + 1, references)).max().unwrap_or(depth)
}

/// Returns the references that lead back to themselves, directly or through others.
fn recursive(schema: &Value, references: &[String]) -> Vec<String> {
    let held = |reference: &str| {
        let mut held = Vec::new();
        resolve(schema, reference).map(|target| gather(target, 0, &mut held));
        held
    };
    let held: Vec<Vec<String>> = references.iter().map(|reference| held(reference)).collect();
    let reaches_itself = |start: &String| {
        let mut reached = vec![start.clone()];
        let mut next = 0;
        while let Some(reference) = reached.get(next) {
            let index = references.iter().position(|known| known == reference);
            for held in index.into_iter().flat_map(|index| &held[index]) {
                if held == start {
                    return true;
                }
                add(&mut reached, held);
            }
            next += 1;
        }
        false
    };
    references.iter().filter(|reference| reaches_itself(reference)).cloned().collect()
}

/// Adds a reference if it is new. A linear search is fast enough, because a schema refers to few types.
fn add(references: &mut Vec<String>, reference: &str) {
    if !references.iter().any(|known| known == reference) {
        references.push(reference.to_owned());
    }
}

struct RefWriter<'s> {
    original: &'s Value,
    recursive: &'s [String],
    /// How many more schemas can be written.
    left: usize,
}

impl RefWriter<'_> {
    /// Inlines the root even if it is recursive, because hosts read its `properties`.
    fn root(&mut self, schema: &mut Value) {
        const UNROLLED: usize = 16;
        for _ in 0..UNROLLED {
            let Some(reference) = reference(schema).filter(|reference| *reference != "#") else { break };
            let reference = reference.to_owned();
            self.replace(schema, &reference);
        }
        self.write(schema);
    }

    fn write(&mut self, schema: &mut Value) {
        self.left = self.left.saturating_sub(1);
        while let Some(reference) = reference(schema)
            && self.left > 0
            && !self.recursive.iter().any(|recursive| recursive == reference)
        {
            let reference = reference.to_owned();
            self.replace(schema, &reference);
        }
        if let Value::Object(keywords) = schema
            && self.left > 0
        {
            for_each_inner(keywords, |_, inner| self.write(inner));
        }
    }

    /// Replaces a reference by its target.
    fn replace(&mut self, schema: &mut Value, reference: &str) {
        self.left = self.left.saturating_sub(1);
        let Some(target) = resolve(self.original, reference) else { return };
        let Value::Object(beside) = schema else { return };
        let mut beside = std::mem::take(beside);
        beside.shift_remove("$ref");
        *schema = match target {
            Value::Object(target) if beside.keys().all(|keyword| describes(keyword)) => {
                let mut merged = target.clone();
                // Descriptions beside the reference describe this use of the target.
                merged.extend(beside);
                Value::Object(merged)
            }
            target if beside.is_empty() => target.clone(),
            target => both(beside, target.clone()),
        };
    }
}

/// Combines the target of a reference with the keywords that stand beside the reference. A value must satisfy both.
fn both(mut beside: Map<String, Value>, target: Value) -> Value {
    match beside.get_mut("allOf") {
        Some(Value::Array(all_of)) => all_of.push(target),
        _ => {
            set(&mut beside, "allOf", Value::Array(vec![target]));
        }
    }
    Value::Object(beside)
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str)
}

/// Keeps only the definitions that the root uses, directly or through others.
fn drop_unused_definitions(schema: &mut Value) {
    const PLACES: [&str; 2] = ["$defs", "definitions"];
    let Value::Object(keywords) = schema else { return };
    let mut taken: Vec<(&str, Map<String, Value>)> = Vec::new();
    for place in PLACES {
        if let Some(Value::Object(definitions)) = keywords.shift_remove(place) {
            taken.push((place, definitions));
        }
    }
    if taken.is_empty() {
        return;
    }
    let mut references = Vec::new();
    gather(schema, 0, &mut references);
    let mut used: Vec<(&str, String)> = Vec::new();
    let mut next = 0;
    while let Some(reference) = references.get(next) {
        next += 1;
        let pointer = reference.strip_prefix('#').and_then(percent_decoded).unwrap_or_default();
        let mut steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
        let (Some(place), Some(name)) = (steps.next(), steps.next()) else { continue };
        let Some((place, definitions)) = taken.iter().find(|(known, _)| *known == place) else { continue };
        if let Some(definition) = definitions.get(&name) {
            used.push((place, name));
            gather(definition, 0, &mut references);
        }
    }
    let Value::Object(keywords) = schema else { return };
    for (place, mut definitions) in taken {
        definitions.retain(|name, _| used.iter().any(|used| used.0 == place && used.1 == *name));
        if !definitions.is_empty() {
            set(keywords, place, definitions.into());
        }
    }
}

fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, others)) = rest.split_first() {
        rest = others;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (hex, others) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?);
        rest = others;
    }
    String::from_utf8(bytes).ok()
}
