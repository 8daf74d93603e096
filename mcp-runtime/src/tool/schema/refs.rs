//! References written out: some model APIs refuse every `$ref`, so that only a recursive one is left.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::keyword::{describes, for_each_inner};

/// What a reference points at, if it is inside of the schema.
pub(super) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(&percent_decoded(pointer)?)
}

/// Writes out every reference that is not recursive and drops the definitions that are then unused.
///
/// # Errors
/// References that lead nowhere or outside, one sentence each.
pub(super) fn inline(mut schema: Value) -> Result<Value, Vec<String>> {
    let mut references = HashMap::new();
    let depth = gather(&schema, &mut references);
    if depth > DEEPEST {
        return Err(vec!["the schema is nested too deeply".to_owned()]);
    }
    let mut problems: Vec<String> = Vec::new();
    let mut pending: Vec<String> = references.keys().cloned().collect();
    pending.sort();
    for reference in &pending {
        if resolve(&schema, reference).is_none() {
            problems.push(match reference.starts_with('#') {
                true => format!("`$ref: {reference}` is nowhere in the schema: define it under `$defs`"),
                false => format!("`$ref: {reference}` is outside of the schema: copy its target under `$defs`"),
            });
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let original = if references.is_empty() { Value::Null } else { schema.clone() };
    let recursive = recursive(&original, &pending);
    let mut writer = Writer { original: &original, recursive: &recursive, left: LARGEST };
    writer.root(&mut schema);
    if writer.left == 0 {
        return Err(vec!["the schema is too large once its references are written out".to_owned()]);
    }
    keep_definitions(&mut schema, &recursive);
    Ok(schema)
}

/// Deeper schemas are refused, so that none overflows the stack.
const DEEPEST: usize = 128;
/// Schemas that refer to each other twofold double with every step.
const LARGEST: usize = 100_000;

/// Every reference in the schema; gives how deep the schema is.
fn gather(schema: &Value, references: &mut HashMap<String, ()>) -> usize {
    gather_at(schema, references, 0)
}

fn gather_at(schema: &Value, references: &mut HashMap<String, ()>, depth: usize) -> usize {
    use super::keyword::Holds;
    let Value::Object(keywords) = schema else { return depth };
    if depth > DEEPEST {
        return depth;
    }
    let mut deepest = depth;
    let mut enter = |schema: &Value| deepest = deepest.max(gather_at(schema, references, depth + 1));
    for (keyword, value) in keywords {
        match (Holds::of(keyword), value) {
            (Holds::Schema, schema) => enter(schema),
            (Holds::Schemas, Value::Array(schemas)) => schemas.iter().for_each(&mut enter),
            (Holds::NamedSchemas, Value::Object(schemas)) => schemas.values().for_each(&mut enter),
            _ => {}
        }
    }
    if let Some(reference) = keywords.get("$ref").and_then(Value::as_str) {
        references.insert(reference.to_owned(), ());
    }
    deepest
}

/// The references whose target, through whatever others, holds them again.
fn recursive(schema: &Value, references: &[String]) -> HashSet<String> {
    let held: HashMap<&str, HashMap<String, ()>> = references
        .iter()
        .map(|reference| {
            let mut held = HashMap::new();
            if let Some(target) = resolve(schema, reference) {
                gather(target, &mut held);
            }
            (reference.as_str(), held)
        })
        .collect();
    let reaches_itself = |start: &str| {
        let mut seen = HashSet::new();
        let mut pending: Vec<&str> = vec![start];
        while let Some(reference) = pending.pop() {
            for next in held.get(reference).into_iter().flat_map(HashMap::keys) {
                if next == start {
                    return true;
                }
                if seen.insert(next.as_str()) {
                    pending.push(next);
                }
            }
        }
        false
    };
    references.iter().filter(|reference| reaches_itself(reference)).cloned().collect()
}

struct Writer<'s> {
    original: &'s Value,
    recursive: &'s HashSet<String>,
    /// How many more schemas may be written.
    left: usize,
}

impl Writer<'_> {
    /// The root is written out even where it is recursive: hosts read its `properties`.
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
        if self.left == 0 {
            return;
        }
        while let Some(reference) = reference(schema) {
            if self.recursive.contains(reference) || self.left == 0 {
                break;
            }
            let reference = reference.to_owned();
            self.replace(schema, &reference);
        }
        if let Value::Object(keywords) = schema {
            for_each_inner(keywords, |_, inner| self.write(inner));
        }
    }

    /// Puts the target in the place of its reference.
    fn replace(&mut self, schema: &mut Value, reference: &str) {
        self.left = self.left.saturating_sub(1);
        let Some(target) = resolve(self.original, reference) else { return };
        let Value::Object(beside) = schema else { return };
        let mut beside = std::mem::take(beside);
        beside.remove("$ref");
        *schema = match target {
            Value::Object(target) if beside.keys().all(|keyword| describes(keyword)) => {
                let mut merged = target.clone();
                // What is said at the place of use is said of this use.
                merged.extend(beside);
                Value::Object(merged)
            }
            target if beside.is_empty() => target.clone(),
            target => beside_target(beside, target.clone()),
        };
    }
}

/// Both apply: the target, and what stands beside its reference.
fn beside_target(mut beside: Map<String, Value>, target: Value) -> Value {
    match beside.get_mut("allOf") {
        Some(Value::Array(all_of)) => all_of.push(target),
        _ => {
            beside.insert("allOf".to_owned(), Value::Array(vec![target]));
        }
    }
    Value::Object(beside)
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str)
}

/// Leaves the definitions that a recursive reference needs.
fn keep_definitions(schema: &mut Value, recursive: &HashSet<String>) {
    let Value::Object(keywords) = schema else { return };
    for place in ["$defs", "definitions"] {
        let Some(Value::Object(mut definitions)) = keywords.remove(place) else { continue };
        let needed = |name: &str| {
            let name = name.replace('~', "~0").replace('/', "~1");
            let pointer = format!("/{place}/{name}");
            recursive.iter().filter_map(|reference| percent_decoded(reference.strip_prefix('#')?)).any(|reference| {
                reference.strip_prefix(&pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        definitions.retain(|name, _| needed(name));
        if !definitions.is_empty() {
            keywords.insert(place.to_owned(), Value::Object(definitions));
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
