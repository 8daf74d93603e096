//! JSON with comments and trailing commas.

use std::ops::Range;

use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, ast,
    common::Ranged,
    parse_to_ast,
    tokens::{Token, TokenAndRange},
};
use serde_json::{Map, Value};

use super::splice::{TextChange, before_line_break, begins_line, indentation, is_blank, line_start};
use crate::edge::hosts::{
    format::{SlotPlace, ValueSlot},
    text::{json::lines, one_line},
};

const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

struct JsonText<'a> {
    text: &'a str,
    top: Option<ast::Value<'a>>,
    /// With comments.
    tokens: Vec<TokenAndRange<'a>>,
}

/// An object or a list.
struct Container {
    /// From its opening bracket to its closing bracket.
    range: Range<usize>,
    members: Vec<Range<usize>>,
}

/// How a new member is laid out.
enum Layout<'a> {
    OneLine,
    Lines { indent: &'a str, unit: &'a str },
}

pub(super) fn read(text: &str) -> Result<Value, String> {
    Ok(parse(text)?.top.as_ref().map(data).unwrap_or_default())
}

pub(super) fn insert(text: &str, slot: &ValueSlot, value: &Value) -> Result<Vec<TextChange>, String> {
    let parsed = parse(text)?;
    let unit = parsed.unit();
    let Some(top) = &parsed.top else {
        let line_end = if text.trim_end_matches(is_blank).is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let created = lines(&created(slot, &slot.tables, value), "", unit);
        return Ok(vec![TextChange::insert(text.len(), format!("{line_end}{created}\n"))]);
    };
    let (found, missing) = descend(top, &slot.tables)?;
    if let Some((name, missing)) = missing.split_first() {
        let value = created(slot, missing, value);
        return Ok(parsed.add(&object(found, &slot.tables)?, unit, |layout| member(Some(name), &value, layout)));
    }
    let container = match &slot.place {
        SlotPlace::Member(_) => object(found, &slot.tables)?,
        SlotPlace::Element { .. } => list(found, &slot.tables)?,
    };
    let Some(at) = position(found, &slot.place)? else {
        let name = if let SlotPlace::Member(name) = &slot.place { Some(name) } else { None };
        return Ok(parsed.add(&container, unit, |layout| member(name, value, layout)));
    };
    let layout = match begins_line(text, container.members[at].start) {
        true => Layout::Lines { indent: indentation(text, container.members[at].start), unit },
        false => Layout::OneLine,
    };
    let old = match found {
        ast::Value::Object(object) => object.properties[at].value.range(),
        _ => return Ok(vec![TextChange { range: container.members[at].clone(), text: member(None, value, &layout) }]),
    };
    Ok(vec![TextChange { range: old.start..old.end, text: member(None, value, &layout) }])
}

pub(super) fn remove(text: &str, slot: &ValueSlot) -> Result<Vec<TextChange>, String> {
    let parsed = parse(text)?;
    let found = parsed.top.as_ref().map(|top| descend(top, &slot.tables)).transpose()?;
    let Some((found, [])) = found else { return Ok(Vec::new()) };
    let container = match &slot.place {
        SlotPlace::Member(_) => object(found, &slot.tables)?,
        SlotPlace::Element { .. } => list(found, &slot.tables)?,
    };
    Ok(position(found, &slot.place)?.map(|at| parsed.cut(&container, at)).unwrap_or_default())
}

fn parse(text: &str) -> Result<JsonText<'_>, String> {
    let collected = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    let parsed = parse_to_ast(text, &collected, &OPTIONS).map_err(|error| error.to_string())?;
    Ok(JsonText { text, top: parsed.value, tokens: parsed.tokens.unwrap_or_default() })
}

/// Of several members of one name, the last counts, as in most parsers.
fn data(value: &ast::Value<'_>) -> Value {
    match value {
        ast::Value::StringLit(text) => Value::from(&*text.value),
        // A number that has no `f64` stays a text, which is equal to itself.
        ast::Value::NumberLit(number) => serde_json::from_str(number.value).unwrap_or_else(|_| number.value.into()),
        ast::Value::BooleanLit(value) => value.value.into(),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => array.elements.iter().map(data).collect(),
        ast::Value::Object(object) => {
            let members = object.properties.iter().map(|member| (member.name.as_str().to_owned(), data(&member.value)));
            Value::Object(members.collect())
        }
    }
}

/// Follows the tables as far as they exist. Returns the innermost value, and the tables that are missing.
fn descend<'a, 'b>(
    top: &'a ast::Value<'a>,
    tables: &'b [String],
) -> Result<(&'a ast::Value<'a>, &'b [String]), String> {
    let (mut found, mut missing) = (top, tables);
    while let Some((table, rest)) = missing.split_first() {
        let ast::Value::Object(object) = found else { break };
        let Some(at) = only(object, table)? else { break };
        (found, missing) = (&object.properties[at].value, rest);
    }
    Ok((found, missing))
}

/// Returns the position of the member with this name.
///
/// # Errors
/// If there are two, because the program and this module could mean different ones.
fn only(object: &ast::Object<'_>, name: &str) -> Result<Option<usize>, String> {
    let mut found = (0..object.properties.len()).filter(|at| object.properties[*at].name.as_str() == name);
    match (found.next(), found.next()) {
        (at, None) => Ok(at),
        _ => Err(format!("the key `{name}` is there twice")),
    }
}

fn position(found: &ast::Value<'_>, place: &SlotPlace) -> Result<Option<usize>, String> {
    match (found, place) {
        (ast::Value::Object(object), SlotPlace::Member(name)) => only(object, name),
        (ast::Value::Array(array), SlotPlace::Element { key, id }) => {
            Ok(array.elements.iter().position(|element| data(element)[key] == **id))
        }
        _ => Ok(None),
    }
}

fn object(found: &ast::Value<'_>, tables: &[String]) -> Result<Container, String> {
    let ast::Value::Object(object) = found else { return Err(not_a("an object with members", tables)) };
    let members = object.properties.iter().map(|member| member.range.start..member.range.end).collect();
    Ok(Container { range: object.range.start..object.range.end, members })
}

fn list(found: &ast::Value<'_>, tables: &[String]) -> Result<Container, String> {
    let ast::Value::Array(array) = found else { return Err(not_a("a list", tables)) };
    let members = array.elements.iter().map(|element| element.range().start..element.range().end).collect();
    Ok(Container { range: array.range.start..array.range.end, members })
}

fn not_a(kind: &str, tables: &[String]) -> String {
    match tables {
        [] => format!("the top of the file is not {kind}"),
        tables => format!("`{}` is not {kind}", tables.join(".")),
    }
}

/// Returns the value inside of tables that do not exist yet.
fn created(slot: &ValueSlot, missing: &[String], value: &Value) -> Value {
    let inner = match &slot.place {
        SlotPlace::Member(name) => table(name, value.clone()),
        SlotPlace::Element { .. } => vec![value.clone()].into(),
    };
    missing.iter().rev().fold(inner, |inner, name| table(name, inner))
}

fn table(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn member(name: Option<&String>, value: &Value, layout: &Layout<'_>) -> String {
    let value = match layout {
        Layout::OneLine => one_line(value),
        Layout::Lines { indent, unit } => lines(value, indent, unit),
    };
    name.map_or(value.clone(), |name| format!("{}: {value}", Value::from(name.as_str())))
}

impl JsonText<'_> {
    /// Returns the indentation of one level: that of the first member of the top, if it begins a line.
    fn unit(&self) -> &str {
        let first = match &self.top {
            Some(ast::Value::Object(object)) => object.properties.first(),
            _ => None,
        };
        let indent = first.filter(|first| begins_line(self.text, first.range.start));
        let indent = indent.map(|first| indentation(self.text, first.range.start)).unwrap_or_default();
        if indent.is_empty() { "  " } else { indent }
    }

    fn tokens_in(&self, range: Range<usize>) -> impl Iterator<Item = &TokenAndRange<'_>> {
        self.tokens.iter().filter(move |token| range.start <= token.range.start && token.range.end <= range.end)
    }

    fn comma_in(&self, range: Range<usize>) -> Option<Range<usize>> {
        let comma = self.tokens_in(range).find(|token| matches!(token.token, Token::Comma));
        comma.map(|comma| comma.range.start..comma.range.end)
    }

    /// Adds a member behind the last one, and behind the comments on the line of the last one.
    fn add(&self, container: &Container, unit: &str, member: impl Fn(&Layout<'_>) -> String) -> Vec<TextChange> {
        let text = self.text;
        let close = container.range.end - 1;
        let last = container.members.last();
        let end = last.map_or(container.range.start + 1, |last| last.end);
        let comma = self.comma_in(end..close);
        let mut at = comma.as_ref().map_or(end, |comma| comma.end);
        let mut behind_line_comment = false;
        for token in self.tokens_in(at..close) {
            if last.is_some() && text[at..token.range.start].contains('\n') {
                break;
            }
            at = token.range.end;
            behind_line_comment = matches!(token.token, Token::CommentLine(_));
        }
        // The comment contains the first half of its line end.
        at = if behind_line_comment && text[..at].ends_with('\r') { at - 1 } else { at };
        let mut changes = Vec::new();
        if last.is_some() && comma.is_none() {
            changes.push(TextChange::insert(end, ","));
        }
        let trailing = if comma.is_some() { "," } else { "" };
        // An object with nothing but a comment on its line stays on the line.
        let is_on_line = at > end && !text[container.range.start..close].contains('\n');
        let begins_line = last.map_or(!is_on_line, |last| begins_line(text, last.start));
        let new = if begins_line || behind_line_comment {
            let outer = indentation(text, container.range.start);
            let indent = match last.filter(|_| begins_line) {
                Some(last) => indentation(text, last.start).to_owned(),
                None => format!("{outer}{unit}"),
            };
            let member = member(&Layout::Lines { indent: &indent, unit });
            let is_open = last.is_none() && !text[at..close].contains('\n');
            let line_end = if is_open { format!("\n{outer}") } else { String::new() };
            format!("\n{indent}{member}{trailing}{line_end}")
        } else {
            format!(" {}{trailing}", member(&Layout::OneLine))
        };
        changes.push(TextChange::insert(at, new));
        changes
    }

    /// Removes a member, with its comma and its line.
    fn cut(&self, container: &Container, at: usize) -> Vec<TextChange> {
        let text = self.text;
        let close = container.range.end - 1;
        let member = &container.members[at];
        let next = container.members.get(at + 1).map_or(close, |next| next.start);
        let comma = self.comma_in(member.end..next);
        let end = comma.as_ref().map_or(member.end, |comma| comma.end);
        let mut changes = Vec::new();
        if let (None, Some(before)) = (&comma, at.checked_sub(1)) {
            let comma = self.comma_in(container.members[before].end..member.start);
            changes.extend(comma.map(TextChange::delete));
        }
        let rest = text[end..].trim_start_matches(is_blank);
        let next_text = text.len() - rest.len();
        let line = line_start(text, member.start);
        let ends_line = rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n");
        let range = if begins_line(text, member.start) && ends_line {
            before_line_break(text, line)..next_text
        } else if begins_line(text, member.start) && next_text == close {
            before_line_break(text, line)..end
        } else if begins_line(text, member.start) || next < close {
            member.start..next_text
        } else {
            text[..member.start].trim_end_matches(is_blank).len()..end
        };
        let inside = container.range.start + 1;
        let is_blank_beside =
            [inside..range.start, range.end..close].into_iter().all(|part| text[part].trim().is_empty());
        changes.push(TextChange::delete(if is_blank_beside { inside..close } else { range }));
        changes
    }
}
