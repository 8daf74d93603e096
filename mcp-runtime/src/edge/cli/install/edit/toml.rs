//! TOML. A new table gets a header of its own at the end of the file, `[tables.name]`.

use std::ops::Range;

use serde_json::{Map, Value};
use toml::{
    Spanned,
    de::{DeString, DeTable, DeValue},
};

use super::splice::{TextChange, before_line_break, begins_line, is_blank, line_start};
use crate::edge::hosts::text::toml::{block, inline, key};

type TomlValue<'a> = Spanned<DeValue<'a>>;
type TomlMember<'a> = (&'a Spanned<DeString<'a>>, &'a TomlValue<'a>);

pub(super) fn read(text: &str) -> Result<Value, String> {
    Ok(object(parse(text)?.get_ref()))
}

pub(super) fn insert(text: &str, tables: &[String], name: &str, value: &Value) -> Result<Vec<TextChange>, String> {
    let document = parse(text)?;
    let path: Vec<_> = tables.iter().map(String::as_str).chain([name]).collect();
    let block = match value {
        Value::Object(members) => block(&path, members),
        _ => return Err(format!("`{name}` is not a table")),
    };
    if let Some((_, found)) = descend(document.get_ref(), tables)?.and_then(|table| member(table, name)) {
        return Ok(replaced(text, document.get_ref(), found, value, &block));
    }
    let mut at = document.get_ref();
    for (depth, table) in tables.iter().enumerate() {
        let Some((_, found)) = member(at, table) else { break };
        match found.get_ref() {
            DeValue::Table(_) if is_inline(text, found) => {
                let (missing, value) = (&tables[depth + 1..], value.clone());
                let outer = missing.iter().map(String::as_str).chain([name]);
                let (key, value) = outer.rev().fold((None, value), |(key, value), name| match key {
                    None => (Some(name), value),
                    Some(inner) => (Some(name), Value::Object(Map::from_iter([(inner.to_owned(), value)]))),
                });
                return Ok(vec![add_inline(text, found.span(), key.unwrap_or(name), &value)]);
            }
            DeValue::Table(inner) => at = inner,
            _ => return Err(format!("`{table}` is not a table")),
        }
    }
    let new = match text {
        "" => block,
        // A file without a line end at its end keeps none, so that the file without the value is the same again.
        _ if !text.ends_with('\n') => format!("\n\n{}", block.trim_end()),
        _ => format!("\n{block}"),
    };
    Ok(vec![TextChange::insert(text.len(), new)])
}

pub(super) fn remove(text: &str, tables: &[String], name: &str) -> Result<Vec<TextChange>, String> {
    let document = parse(text)?;
    let Some(table) = descend(document.get_ref(), tables)? else { return Ok(Vec::new()) };
    let Some((key, found)) = member(table, name) else { return Ok(Vec::new()) };
    if has_headers(text, found) {
        return Ok(blocks(text, document.get_ref(), found).iter().map(|block| block.delete(text)).collect());
    }
    let range = key.span().start..found.span().end;
    let line_end = text[range.end..].find('\n').map_or(text.len(), |end| range.end + end + 1);
    let line = line_start(text, range.start)..line_end;
    let is_alone = begins_line(text, range.start) && parse(&text[line.clone()]).is_ok();
    Ok(vec![TextChange::delete(if is_alone { line } else { cut_inline(text, range) })])
}

/// Returns the changes that replace a value where it is.
fn replaced(text: &str, top: &DeTable<'_>, found: &TomlValue<'_>, value: &Value, block: &str) -> Vec<TextChange> {
    if !has_headers(text, found) {
        return vec![TextChange { range: found.span(), text: inline(value) }];
    }
    let blocks = blocks(text, top, found);
    let mut changes: Vec<_> = blocks.iter().skip(1).map(|block| block.delete(text)).collect();
    changes.extend(blocks.first().map(|first| {
        let is_open = !text[first.start..first.end].ends_with('\n');
        TextChange { range: first.start..first.end, text: if is_open { block.trim_end() } else { block }.to_owned() }
    }));
    changes
}

/// Returns the innermost of the tables, if they exist.
fn descend<'a>(top: &'a DeTable<'a>, tables: &[String]) -> Result<Option<&'a DeTable<'a>>, String> {
    let mut at = top;
    for table in tables {
        let Some((_, found)) = member(at, table) else { return Ok(None) };
        let DeValue::Table(inner) = found.get_ref() else { return Err(format!("`{table}` is not a table")) };
        at = inner;
    }
    Ok(Some(at))
}

/// Whether a value is a table that is not written in braces.
fn has_headers(text: &str, value: &TomlValue<'_>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_)) && !is_inline(text, value)
}

fn parse(text: &str) -> Result<Spanned<DeTable<'_>>, String> {
    DeTable::parse(text).map_err(|error| {
        let line = error.span().map(|span| text.get(..span.start).unwrap_or_default().matches('\n').count() + 1);
        line.map_or_else(|| error.message().to_owned(), |line| format!("{} on line {line}", error.message()))
    })
}

/// Returns the members in the order of the file.
fn members<'a>(table: &'a DeTable<'a>) -> Vec<TomlMember<'a>> {
    let mut members: Vec<_> = table.iter().collect();
    members.sort_by_key(|(key, _)| key.span().start);
    members
}

fn member<'a>(table: &'a DeTable<'a>, name: &str) -> Option<TomlMember<'a>> {
    table.iter().find(|(key, _)| key.get_ref() == name)
}

fn object(table: &DeTable<'_>) -> Value {
    let members = members(table).into_iter().map(|(key, value)| (key.get_ref().to_string(), data(value)));
    Value::Object(members.collect())
}

fn data(value: &TomlValue<'_>) -> Value {
    match value.get_ref() {
        DeValue::String(text) => Value::from(&**text),
        DeValue::Integer(number) if number.radix() == 10 => number_or_text(number.as_str()),
        DeValue::Integer(number) => format!("{}:{}", number.radix(), number.as_str()).into(),
        DeValue::Float(number) => number_or_text(number.as_str()),
        DeValue::Boolean(value) => (*value).into(),
        DeValue::Datetime(moment) => moment.to_string().into(),
        DeValue::Array(elements) => elements.iter().map(data).collect(),
        DeValue::Table(table) => object(table),
    }
}

fn number_or_text(number: &str) -> Value {
    serde_json::from_str(number).unwrap_or_else(|_| number.into())
}

fn is_inline(text: &str, value: &TomlValue<'_>) -> bool {
    text[value.span()].starts_with('{')
}

/// Adds the starts of all table headers below `table`, and whether they are part of `wanted`. The position of a table
/// with a header is that of the header.
fn collect_headers(
    text: &str,
    table: &DeTable<'_>,
    wanted: &TomlValue<'_>,
    is_inside: bool,
    headers: &mut Vec<(usize, bool)>,
) {
    for (_, value) in table.iter() {
        let is_inside = is_inside || std::ptr::eq(value, wanted);
        let mut collect = |value: &TomlValue<'_>| {
            if text[value.span()].starts_with('[') {
                headers.push((value.span().start, is_inside));
            }
            if let DeValue::Table(inner) = value.get_ref() {
                collect_headers(text, inner, wanted, is_inside, headers);
            }
        };
        match value.get_ref() {
            DeValue::Table(_) => collect(value),
            DeValue::Array(elements) => {
                elements.iter().filter(|element| matches!(element.get_ref(), DeValue::Table(_))).for_each(collect);
            }
            _ => {}
        }
    }
}

/// The lines of one or several tables.
struct TomlBlock {
    /// The start of the blank line before it, or its own start.
    before: usize,
    start: usize,
    end: usize,
}

impl TomlBlock {
    fn delete(&self, text: &str) -> TextChange {
        // Without a line end at the end of the text, none stays.
        let is_open = self.end == text.len() && !text.ends_with('\n');
        TextChange::delete(if is_open { before_line_break(text, self.before) } else { self.before }..self.end)
    }
}

/// Returns the lines of all tables that are part of the wanted one. The comments above the next header are not part of it.
fn blocks(text: &str, top: &DeTable<'_>, wanted: &TomlValue<'_>) -> Vec<TomlBlock> {
    let mut headers = Vec::new();
    collect_headers(text, top, wanted, false, &mut headers);
    headers.sort_by_key(|(start, _)| *start);
    let mut blocks = Vec::new();
    for run in headers.chunk_by(|(_, before), (_, after)| before == after) {
        let (Some((start, true)), Some((last, _))) = (run.first(), run.last()) else { continue };
        let start = line_start(text, *start);
        let next = headers.iter().find(|(header, _)| header > last);
        let mut end = next.map_or(text.len(), |(next, _)| line_start(text, *next));
        for line in text[start..end].split_inclusive('\n').rev() {
            if !(line.trim().is_empty() || line.trim_start().starts_with('#')) {
                break;
            }
            end -= line.len();
        }
        let before = line_start(text, before_line_break(text, start));
        let before = if text[before..start].trim().is_empty() { before } else { start };
        blocks.push(TomlBlock { before, start, end });
    }
    blocks
}

/// Adds a member to a table in braces.
fn add_inline(text: &str, table: Range<usize>, name: &str, value: &Value) -> TextChange {
    let inside = &text[table.start + 1..table.end - 1];
    let kept = inside.trim_end();
    let member = format!("{} = {}", key(name), inline(value));
    let at = table.start + 1 + kept.len();
    match kept.chars().next_back() {
        None => TextChange::insert(at, format!(" {member}{}", if inside.is_empty() { " " } else { "" })),
        Some(',') => TextChange::insert(at, format!(" {member}")),
        Some(_) => TextChange::insert(at, format!(", {member}")),
    }
}

/// Returns a member of a table in braces, with the comma before or behind it.
fn cut_inline(text: &str, member: Range<usize>) -> Range<usize> {
    let is_space = |char: char| char.is_whitespace();
    let before = text[..member.start].trim_end_matches(is_space);
    let behind = text[member.end..].trim_start_matches(is_space);
    if before.ends_with(',') {
        return before.len() - 1..member.end;
    }
    match behind.strip_prefix(',') {
        Some(behind) => member.start..text.len() - behind.trim_start_matches(is_blank).len(),
        None => before.len()..text.len() - behind.len(),
    }
}
