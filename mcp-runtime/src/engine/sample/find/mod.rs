//! Finds JSON in text of a model. Models wrap JSON in prose and code fences.

use memchr::memchr3;
use serde_json::Value;

use crate::wire::protocol::text::offset;

#[cfg(test)]
mod tests;

/// The maximum number of JSON texts that are tried from each source. The sources are fences, prose and thoughts.
const MAX_CANDIDATES: usize = 32;

/// The search ends after scanning the text this many times without finding JSON.
const SCANS_PER_BYTE: usize = 4;

/// The search can scan this many additional bytes, so that a short text is always searched to its end.
const EXTRA_SCANS: usize = 32 * 1024;

/// Returns the JSON texts in a model's text. If the whole text is JSON, returns only the whole text. Otherwise JSON in
/// fenced code blocks comes first, then JSON in prose, and last JSON in the model's thoughts (between `<think>` and
/// `</think>`).
///
/// In prose, and in a fence with other text, only the outermost objects and arrays count. If JSON is cut off at its
/// end, its parts do not count, because they would be mistaken for the whole. `serde_json` decides whether text is
/// JSON. This function repairs nothing, because the model does that better.
///
/// The time is linear in the length of the text. If the text after a bracket is not JSON, the search continues after
/// that bracket. So a byte can be scanned once for each open bracket before it, up to 127 times, which is the depth
/// limit of `serde_json`. Therefore the search ends when it has scanned [`SCANS_PER_BYTE`] times the length of the text
/// without finding JSON. JSON that is broken only at its end needs far fewer scans.
pub(super) fn candidates(text: &str) -> Vec<&str> {
    search(text).best_first()
}

fn search(text: &str) -> JsonScan<'_> {
    let text = text.trim_matches(is_blank);
    let mut search = JsonScan {
        budget: text.len().saturating_mul(SCANS_PER_BYTE).saturating_add(EXTRA_SCANS),
        ..JsonScan::default()
    };
    if is_scalar(text) {
        search.prose.push(text);
        return search;
    }
    let mut rest = text;
    while let Some(fence) = Fence::first_in(rest) {
        search.brackets(fence.before, Source::Prose);
        search.fence(&fence);
        rest = fence.after;
    }
    search.brackets(rest, Source::Prose);
    search
}

/// The JSON texts found so far, by source.
#[derive(Default)]
struct JsonScan<'a> {
    fenced: Vec<&'a str>,
    prose: Vec<&'a str>,
    thought: Vec<&'a str>,
    /// Inside of a thought, the lengths that `fenced` and `prose` had at its beginning. `None` outside of a thought.
    thinking_from: Option<(usize, usize)>,
    /// How many bytes can still be scanned without finding JSON.
    budget: usize,
}

#[derive(Clone, Copy)]
enum Source {
    Fence,
    Prose,
}

impl<'a> JsonScan<'a> {
    fn best_first(mut self) -> Vec<&'a str> {
        let mut found = self.fenced;
        found.append(&mut self.prose);
        found.append(&mut self.thought);
        found
    }

    fn fence(&mut self, fence: &Fence<'a>) {
        match fence.code.trim_matches(is_blank) {
            scalar if is_scalar(scalar) => self.add(scalar, Source::Fence),
            _ => self.brackets(fence.inside, Source::Fence),
        }
    }

    /// Finds the outermost JSON objects and arrays in `text`.
    fn brackets(&mut self, text: &'a str, source: Source) {
        let mut at = 0;
        while let Some(skipped) = memchr3(b'{', b'[', b'<', &text.as_bytes()[at..]) {
            at += skipped;
            let rest = &text[at..];
            if rest.starts_with('<') {
                self.tag(rest);
                at += 1;
                continue;
            }
            match skim(rest) {
                Scanned::Json(json) => {
                    self.add(json, source);
                    at += json.len();
                }
                Scanned::CutOff => return,
                Scanned::Wrong { scanned } if scanned > self.budget => return,
                Scanned::Wrong { scanned } => {
                    self.budget -= scanned;
                    at += 1;
                }
            }
        }
    }

    fn add(&mut self, json: &'a str, source: Source) {
        let (fenced, prose) = self.thinking_from.unwrap_or_default();
        let (found, from) = match source {
            Source::Fence => (&mut self.fenced, fenced),
            Source::Prose => (&mut self.prose, prose),
        };
        if found.len() < from + MAX_CANDIDATES {
            found.push(json);
        }
    }

    /// Handles `<think>` or `</think>`. If a model server omits `<think>`, all text before `</think>` is the model's
    /// thought.
    fn tag(&mut self, text: &str) {
        let is_any = |tags: [&str; 2]| tags.iter().any(|tag| text.starts_with(tag));
        if is_any(["</think>", "</thinking>"]) {
            let (fenced, prose) = self.thinking_from.take().unwrap_or_default();
            self.thought.extend(self.fenced.drain(fenced..).chain(self.prose.drain(prose..)));
            self.thought.truncate(MAX_CANDIDATES);
        } else if is_any(["<think>", "<thinking>"]) && self.thinking_from.is_none() {
            self.thinking_from = Some((self.fenced.len(), self.prose.len()));
        }
    }
}

/// A fenced code block in Markdown. Without a closing mark it extends to the end of the text.
struct Fence<'a> {
    before: &'a str,
    /// Everything after the opening mark, including the rest of its line, because models write JSON there too.
    inside: &'a str,
    /// The lines between the marks.
    code: &'a str,
    after: &'a str,
}

impl<'a> Fence<'a> {
    fn first_in(text: &'a str) -> Option<Self> {
        let mut lines = lines(text);
        let (start, opening, info) = lines.find_map(|(start, line)| {
            let (mark, info) = mark(line)?;
            // A line with further backticks is inline code, not a fence.
            (mark.starts_with('~') || !info.contains('`')).then_some((start, mark, info))
        })?;
        let close = lines.find(|(_, line)| {
            mark(line).is_some_and(|(mark, info)| mark.starts_with(opening) && info.trim_matches(is_blank).is_empty())
        });
        let (close, after) = close.map_or((text.len(), text.len()), |(start, line)| (start, start + line.len()));
        let line = &text[start..close];
        let inside = &line.trim_start_matches(is_blank)[opening.len()..];
        Some(Self { before: &text[..start], inside, code: &inside[info.len()..], after: &text[after..] })
    }
}

/// Returns the lines, including their line ends, with their positions.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line))
    })
}

/// Splits a line that begins with at least three backticks or tildes: returns these characters, and the text after
/// them.
fn mark(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(is_blank);
    let first = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let (mark, info) = line.split_at(line.len() - line.trim_start_matches(first).len());
    (mark.len() >= 3).then_some((mark, info))
}

/// Returns whether the character can be ignored before and after JSON. `serde_json` ignores only some of these
/// characters.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{feff}' | '\u{200b}')
}

/// Returns whether the whole text is a JSON scalar. Objects and arrays are found by their brackets.
fn is_scalar(text: &str) -> bool {
    !text.starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok()
}

enum Scanned<'a> {
    /// The text begins with this JSON.
    Json(&'a str),
    /// The text is the beginning of JSON that is cut off.
    CutOff,
    /// The text does not begin with JSON.
    Wrong { scanned: usize },
}

fn skim(text: &str) -> Scanned<'_> {
    // Not `IgnoredAny`, which is less strict and has no depth limit.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(_)) => Scanned::Json(&text[..values.byte_offset()]),
        Some(Err(error)) if !error.is_eof() => Scanned::Wrong { scanned: offset(text, &error) + 1 },
        Some(Err(_)) | None => Scanned::CutOff,
    }
}
