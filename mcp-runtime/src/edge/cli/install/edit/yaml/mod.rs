//! YAML. The members are located without a parser, and the result is checked with one. A text that is located wrongly
//! therefore fails the check.

mod mapping;

use std::ops::Range;

use serde_json::{Map, Value};
use yaml_serde::Value as YamlValue;

use self::mapping::{YamlMapping, YamlMember, inner, top};
use super::splice::{TextChange, before_line_break, is_blank, line_start};
use crate::edge::hosts::text::{one_line, quoted, yaml::block};

/// The number of brackets that may be open at the same time.
const DEEPEST: usize = 1000;

pub(super) fn read(text: &str) -> Result<Value, String> {
    // The time of the parser grows with the square of the depth.
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} brackets are open at the same time"));
        }
    }
    let value: YamlValue = yaml_serde::from_str(text).map_err(|error| error.to_string())?;
    Ok(data(&value))
}

pub(super) fn insert(text: &str, tables: &[String], name: &str, value: &Value) -> Result<Vec<TextChange>, String> {
    let mut mapping = top(text);
    let mut missing = tables;
    while let (Some(found), Some((table, rest))) = (&mapping, missing.split_first()) {
        let Some(member) = found.member(text, table)? else { break };
        (mapping, missing) = (Some(inner(text, found, &member, table)?), rest);
    }
    let outer = missing.split_first();
    let (key, value) = match outer {
        None => (name, value.clone()),
        Some((first, rest)) => {
            let names = rest.iter().map(String::as_str).chain([name]);
            let wrap = |value, name: &str| Value::Object(Map::from_iter([(name.to_owned(), value)]));
            (first.as_str(), names.rev().fold(value.clone(), wrap))
        }
    };
    let value = &value;
    if let (Some(mapping), None) = (&mapping, outer)
        && let Some(old) = mapping.member(text, name)?
    {
        return Ok(vec![replaced(text, mapping, &old, value)]);
    }
    Ok(match mapping {
        None => vec![append(text, text.len(), &block(key, value, 0, 2))],
        Some(YamlMapping::Block { indent, unit, end, .. }) => vec![append(text, end, &block(key, value, indent, unit))],
        Some(YamlMapping::Flow { range, members }) => {
            let member = format!("{}: {}", quoted(key), one_line(value));
            let (at, comma) = match members.last() {
                None => (range.start + 1, ""),
                // Behind a trailing comma, the last member is empty.
                Some(last) if text[last.clone()].trim().is_empty() => {
                    return Ok(vec![TextChange::insert(last.start, format!(" {member},"))]);
                }
                Some(last) => (last.start + text[last.clone()].trim_end().len(), ", "),
            };
            vec![TextChange::insert(at, format!("{comma}{member}"))]
        }
    })
}

/// Returns the change that replaces a member where it is.
fn replaced(text: &str, mapping: &YamlMapping, old: &YamlMember, value: &Value) -> TextChange {
    match mapping {
        YamlMapping::Block { indent, unit, .. } => {
            let block = block(&old.name, value, *indent, *unit);
            let range = line_start(text, old.start)..old.end;
            let is_open = !text[range.clone()].ends_with('\n');
            TextChange { range, text: if is_open { block.trim_end() } else { &block }.to_owned() }
        }
        YamlMapping::Flow { .. } => {
            let end = old.start + text[old.start..old.end].trim_end().len();
            TextChange { range: old.start..end, text: format!("{}: {}", quoted(&old.name), one_line(value)) }
        }
    }
}

pub(super) fn remove(text: &str, tables: &[String], name: &str) -> Result<Vec<TextChange>, String> {
    let Some(mut mapping) = top(text) else { return Ok(Vec::new()) };
    let mut key_end = None;
    for table in tables {
        let Some(member) = mapping.member(text, table)? else { return Ok(Vec::new()) };
        key_end = Some(member.start + member.colon);
        mapping = inner(text, &mapping, &member, table)?;
    }
    let Some(member) = mapping.member(text, name)? else { return Ok(Vec::new()) };
    Ok(match &mapping {
        YamlMapping::Flow { members, .. } => vec![TextChange::delete(cut_flow(text, members, &member))],
        YamlMapping::Block { members, .. } => {
            let start = line_start(text, member.start);
            let at_end = member.end == text.len() && !text.ends_with('\n');
            let start = if at_end { before_line_break(text, start) } else { start };
            // A key without a value would be null, which is not an empty mapping.
            let emptied = key_end.filter(|_| members.len() == 1).map(|at| TextChange::insert(at, " {}"));
            emptied.into_iter().chain([TextChange::delete(start..member.end)]).collect()
        }
    })
}

/// Numbers and tags become texts, except numbers that JSON has.
fn data(value: &YamlValue) -> Value {
    match value {
        YamlValue::Null => Value::Null,
        YamlValue::Bool(value) => (*value).into(),
        YamlValue::Number(number) => {
            serde_json::from_str(&number.to_string()).unwrap_or_else(|_| number.to_string().into())
        }
        YamlValue::String(text) => text.as_str().into(),
        YamlValue::Sequence(elements) => elements.iter().map(data).collect(),
        YamlValue::Mapping(members) => {
            Value::Object(members.iter().map(|(key, value)| (name(key), data(value))).collect())
        }
        YamlValue::Tagged(tagged) => vec![format!("{}", tagged.tag).into(), data(&tagged.value)].into(),
    }
}

/// Returns a key as a text. A key that is not a string gets a text that a string hardly has.
fn name(key: &YamlValue) -> String {
    key.as_str().map_or_else(|| format!("\0{}", data(key)), str::to_owned)
}

/// Inserts lines. If the text has no line break before them, it keeps none behind them.
fn append(text: &str, at: usize, block: &str) -> TextChange {
    match text[..at].is_empty() || text[..at].ends_with('\n') {
        true => TextChange::insert(at, block),
        false => TextChange::insert(at, format!("\n{}", block.trim_end_matches('\n'))),
    }
}

/// Returns a member with the comma before or behind it.
fn cut_flow(text: &str, members: &[Range<usize>], member: &YamlMember) -> Range<usize> {
    let at = members.iter().position(|range| range.contains(&member.start)).unwrap_or_default();
    let end = member.start + text[member.start..member.end].trim_end().len();
    match (at.checked_sub(1), members.get(at + 1)) {
        (Some(before), _) => members[before].end..end,
        (None, Some(_)) => {
            let behind = text[member.end + 1..].trim_start_matches(is_blank);
            member.start..text.len() - behind.len()
        }
        (None, None) => member.start..end,
    }
}
