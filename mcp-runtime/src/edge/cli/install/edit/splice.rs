//! What the formats share: changes of a text, and its lines.

use std::ops::Range;

pub(super) const BOM: char = '\u{feff}';

/// Replaces a range of a text. New text has `\n` as its line end.
pub(super) struct TextChange {
    pub(super) range: Range<usize>,
    pub(super) text: String,
}

impl TextChange {
    pub(super) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self { range: at..at, text: text.into() }
    }

    pub(super) fn delete(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// Applies the changes that `find` returns for the text of the file, which begins behind the byte order mark. New lines
/// get the line end that most lines of the file have.
pub(super) fn edit(file: &str, find: impl FnOnce(&str) -> Result<Vec<TextChange>, String>) -> Result<String, String> {
    let text = file.strip_prefix(BOM).unwrap_or(file);
    let mut changes = find(text)?;
    changes.sort_by_key(|change| (change.range.start, change.range.end));
    let has_crlf = text.matches("\r\n").count() * 2 > text.matches('\n').count();
    let mut edited = file[..file.len() - text.len()].to_owned();
    let mut copied = 0;
    for TextChange { range, text: new } in changes {
        let kept =
            text.get(copied..range.start).filter(|_| text.is_char_boundary(range.end) && range.end >= range.start);
        edited.push_str(kept.ok_or("the changes of the file overlap")?);
        match has_crlf {
            true => edited.push_str(&new.replace('\n', "\r\n")),
            false => edited.push_str(&new),
        }
        copied = range.end;
    }
    edited.push_str(&text[copied..]);
    Ok(edited)
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |before| before + 1)
}

/// Returns the end of the text before the line break that ends at `at`. Without a line break there, returns `at`.
pub(super) fn before_line_break(text: &str, at: usize) -> usize {
    let line = text[..at].strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    line.map_or(at, str::len)
}

pub(super) fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}

/// Returns the white space at the beginning of the line.
pub(super) fn indentation(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches(is_blank).len()]
}

/// Whether only white space stands before `at` on its line.
pub(super) fn begins_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].chars().all(is_blank)
}
