//! The mappings of a YAML text, found by their indentation or by their braces.

use std::ops::Range;

use super::super::splice::is_blank;

/// A mapping in the text.
pub(super) enum YamlMapping {
    /// Its members begin lines.
    Block { indent: usize, unit: usize, end: usize, members: Vec<YamlMember> },
    /// It stands in braces: the range of the braces, and what is between the commas.
    Flow { range: Range<usize>, members: Vec<Range<usize>> },
}

#[derive(Clone)]
pub(super) struct YamlMember {
    pub(super) name: String,
    /// The position of its key.
    pub(super) start: usize,
    /// From its key to the end of the colon.
    pub(super) colon: usize,
    /// The end of its value: in a block mapping, the end of its last line, with the line break.
    pub(super) end: usize,
}

impl YamlMapping {
    /// # Errors
    /// If there are two members with this name.
    pub(super) fn member(&self, text: &str, name: &str) -> Result<Option<YamlMember>, String> {
        let mut found = match self {
            Self::Block { members, .. } => {
                members.iter().filter(|member| member.name == name).map(YamlMember::clone).collect()
            }
            Self::Flow { members, .. } => {
                let members = members.iter().filter_map(|range| {
                    let start = range.start + text[range.clone()].len() - text[range.clone()].trim_start().len();
                    let (found, colon) = key(&text[start..range.end])?;
                    Some(YamlMember { name: found, start, colon, end: range.end })
                });
                members.filter(|member| member.name == name).collect::<Vec<_>>()
            }
        };
        if found.len() > 1 {
            return Err(format!("the key `{name}` is there twice"));
        }
        Ok(found.pop())
    }
}

/// A line that is not blank.
struct YamlLine {
    start: usize,
    indent: usize,
    /// With the line break.
    end: usize,
    is_comment: bool,
}

fn lines(text: &str, range: Range<usize>) -> Vec<YamlLine> {
    let mut start = range.start;
    let mut lines = Vec::new();
    for line in text[range].split_inclusive('\n') {
        let content = line.trim_start_matches(' ');
        if !content.trim().is_empty() {
            let (indent, is_comment) = (line.len() - content.len(), content.starts_with('#'));
            lines.push(YamlLine { start, indent, end: start + line.len(), is_comment });
        }
        start += line.len();
    }
    lines
}

/// Returns the mapping at the top of the file. Returns `None` if the file has no content.
pub(super) fn top(text: &str) -> Option<YamlMapping> {
    let mut lines = lines(text, 0..text.len());
    lines.retain(|line| !line.is_comment);
    let is_marker = |line: &&YamlLine| text[line.start..line.end].trim_end() == "---";
    let start = lines.iter().find(is_marker).map_or(0, |line| line.end);
    let stop =
        lines.iter().find(|line| text[line.start..line.end].trim_end() == "...").map_or(text.len(), |line| line.start);
    let first = lines.iter().find(|line| line.start >= start)?;
    if first.start >= stop {
        return None;
    }
    match flow(text, first.start + first.indent) {
        Some(flow) => Some(flow),
        None => Some(block_mapping(text, start..stop, first.indent, 0, stop)),
    }
}

/// Returns the mapping that is the value of a member.
pub(super) fn inner(text: &str, outer: &YamlMapping, member: &YamlMember, table: &str) -> Result<YamlMapping, String> {
    let not_a_mapping = || format!("`{table}` is not a mapping");
    let after_colon = member.start + member.colon;
    let value = text[after_colon..member.end].trim_start_matches(is_blank);
    let value_start = member.end - value.len();
    if let Some(flow) = flow(text, value_start) {
        return Ok(flow);
    }
    let YamlMapping::Block { indent: outer_indent, unit, .. } = outer else { return Err(not_a_mapping()) };
    let is_empty = value.is_empty() || value.starts_with(['\n', '\r', '#']);
    if !is_empty {
        return Err(not_a_mapping());
    }
    let line_end = text[after_colon..member.end].find('\n').map_or(member.end, |end| after_colon + end + 1);
    match lines(text, line_end..member.end).iter().find(|line| !line.is_comment) {
        Some(first) if first.indent <= *outer_indent || text[first.start + first.indent..].starts_with('-') => {
            Err(not_a_mapping())
        }
        Some(first) => Ok(block_mapping(text, line_end..member.end, first.indent, *outer_indent, member.end)),
        None => {
            Ok(YamlMapping::Block { indent: outer_indent + unit, unit: *unit, end: member.end, members: Vec::new() })
        }
    }
}

/// Finds the members of a mapping whose keys have this indentation. `end` is where another member is inserted.
fn block_mapping(text: &str, range: Range<usize>, indent: usize, outer: usize, end: usize) -> YamlMapping {
    let lines = lines(text, range);
    let mut members = Vec::<YamlMember>::new();
    let mut unit = indent - outer;
    for line in lines {
        let start = line.start + line.indent;
        // A comment belongs to the member above if it is indented more, and so does what looks like one in a text.
        if line.is_comment && line.indent <= indent {
            continue;
        }
        let is_key = line.indent == indent && !text[start..].starts_with("- ");
        let found = key(&text[start..line.end]).filter(|_| is_key);
        match (found, members.last_mut()) {
            (Some((name, colon)), _) => members.push(YamlMember { name, start, colon, end: line.end }),
            (None, Some(last)) => {
                last.end = line.end;
                // The first line inside shows how far the file indents.
                if unit == 0 && line.indent > indent && !line.is_comment {
                    unit = line.indent - indent;
                }
            }
            (None, None) => {}
        }
    }
    YamlMapping::Block { indent, unit: if unit == 0 { 2 } else { unit }, end, members }
}

/// Returns the mapping in braces that begins at `start`.
fn flow(text: &str, start: usize) -> Option<YamlMapping> {
    let mut members = Vec::new();
    let mut depth = 0;
    let mut member = start + 1;
    let mut chars = text.get(start..)?.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, char)) = chars.next() {
        let at = start + at;
        match char {
            _ if depth == 0 && char != '{' => return None,
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 1 => {
                if !members.is_empty() || !text[member..at].trim().is_empty() {
                    members.push(member..at);
                }
                return Some(YamlMapping::Flow { range: start..at + 1, members });
            }
            '}' | ']' => depth -= 1,
            ',' if depth == 1 => {
                members.push(member..at);
                member = at + 1;
            }
            // A quote inside of a plain text is an ordinary character.
            '"' | '\'' if before.is_whitespace() || "{[,:".contains(before) => {
                while let Some((_, inside)) = chars.next() {
                    let is_doubled = inside == '\'' && chars.peek().is_some_and(|(_, next)| *next == '\'');
                    if (char == '"' && inside == '\\') || (char == '\'' && is_doubled) {
                        chars.next();
                    } else if inside == char {
                        break;
                    }
                }
            }
            '#' if before.is_whitespace() => while chars.next_if(|(_, inside)| *inside != '\n').is_some() {},
            _ => {}
        }
        before = char;
    }
    None
}

/// Returns the key at the beginning of the text, and the length of the key with its colon.
fn key(text: &str) -> Option<(String, usize)> {
    let (name, length) = match text.chars().next()? {
        '"' => {
            let mut escaped = false;
            let end = text[1..].find(|char| {
                let ends = char == '"' && !escaped;
                escaped = char == '\\' && !escaped;
                ends
            })?;
            (serde_json::from_str(&text[..end + 2]).ok()?, end + 2)
        }
        '\'' => {
            let end = text[1..].find('\'')?;
            (text[1..=end].to_owned(), end + 2)
        }
        _ => {
            let end = text.char_indices().find(|(at, char)| {
                *char == ':' && text[at + 1..].chars().next().is_none_or(|next| next.is_whitespace() || next == '{')
            });
            let end = end?.0;
            (text[..end].trim_end().to_owned(), end)
        }
    };
    let rest = text[length..].trim_start_matches(is_blank);
    rest.starts_with(':').then(|| (name, text.len() - rest.len() + 1))
}
