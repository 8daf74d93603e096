//! JSON in what a model wrote: models that are asked for JSON wrap it in words and fences.

use memchr::memchr3;
use serde_json::Value;

use crate::protocol::text::offset;

#[cfg(test)]
mod tests;

/// How many texts of each kind are worth a look.
const MOST: usize = 32;

/// How often each byte may be looked at, on average, without anything coming of it.
const LOOKS: usize = 4;

/// So many bytes more may be: a short text is searched to its end, whatever it is.
const FREE: usize = 32 * 1024;

/// The JSON texts in what a model wrote, best first: the whole text; those in fenced code blocks; those in prose;
/// last what it only thought, between `<think>` and `</think>`.
///
/// In prose, and around other text in a fence, objects and arrays count, the outermost ones. One that is cut off at the
/// end has no parts that count: they would be taken for the whole. What is JSON is for `serde_json` to say, and nothing
/// is mended here: the model is better at that.
///
/// The time is linear in the text. A bracket that begins no JSON is found out at the first byte that does not fit, and
/// the search goes on behind the bracket, so that a byte may be looked at again: by `serde_json`'s limit up to 127
/// times for the brackets that are open around it, and as often again for brackets in what those take for strings.
/// That is much for nothing, so after [`LOOKS`] times the length of the text the search ends with what it has. JSON that
/// is broken at its end, and where its parts are looked at once more, is far from that.
pub(super) fn candidates(text: &str) -> Vec<&str> {
    search(text).best_first()
}

fn search(text: &str) -> Search<'_> {
    let text = text.trim_matches(is_blank);
    let mut search = Search { looks: text.len().saturating_mul(LOOKS).saturating_add(FREE), ..Search::default() };
    if is_scalar(text) {
        search.prose.push(text);
        return search;
    }
    let mut rest = text;
    while let Some(fence) = Fence::first_in(rest) {
        search.brackets(fence.before, Place::Prose);
        search.fence(&fence);
        rest = fence.after;
    }
    search.brackets(rest, Place::Prose);
    search
}

/// What is found so far.
#[derive(Default)]
struct Search<'a> {
    fenced: Vec<&'a str>,
    prose: Vec<&'a str>,
    thought: Vec<&'a str>,
    /// While the model thinks: how many there were, fenced and in prose, when it began.
    thinking_from: Option<(usize, usize)>,
    /// How many bytes may still be looked at in vain.
    looks: usize,
}

#[derive(Clone, Copy)]
enum Place {
    Fence,
    Prose,
}

impl<'a> Search<'a> {
    fn best_first(mut self) -> Vec<&'a str> {
        let mut found = self.fenced;
        found.append(&mut self.prose);
        found.append(&mut self.thought);
        found
    }

    fn fence(&mut self, fence: &Fence<'a>) {
        match fence.code.trim_matches(is_blank) {
            scalar if is_scalar(scalar) => self.add(scalar, Place::Fence),
            _ => self.brackets(fence.inside, Place::Fence),
        }
    }

    /// The outermost objects and arrays.
    fn brackets(&mut self, text: &'a str, place: Place) {
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
                Skimmed::Json(json) => {
                    self.add(json, place);
                    at += json.len();
                }
                Skimmed::CutOff => return,
                Skimmed::Wrong { looked_at } if looked_at > self.looks => return,
                Skimmed::Wrong { looked_at } => {
                    self.looks -= looked_at;
                    at += 1;
                }
            }
        }
    }

    fn add(&mut self, json: &'a str, place: Place) {
        let (fenced, prose) = self.thinking_from.unwrap_or_default();
        let (found, from) = match place {
            Place::Fence => (&mut self.fenced, fenced),
            Place::Prose => (&mut self.prose, prose),
        };
        if found.len() < from + MOST {
            found.push(json);
        }
    }

    /// Some servers of models leave the opening tag out: then all before the closing one is thought.
    fn tag(&mut self, text: &str) {
        let is_any = |tags: [&str; 2]| tags.iter().any(|tag| text.starts_with(tag));
        if is_any(["</think>", "</thinking>"]) {
            let (fenced, prose) = self.thinking_from.take().unwrap_or_default();
            self.thought.extend(self.fenced.drain(fenced..).chain(self.prose.drain(prose..)));
            self.thought.truncate(MOST);
        } else if is_any(["<think>", "<thinking>"]) && self.thinking_from.is_none() {
            self.thinking_from = Some((self.fenced.len(), self.prose.len()));
        }
    }
}

/// A fenced code block. One that nothing closes goes on to the end.
struct Fence<'a> {
    before: &'a str,
    /// All behind the mark that opens it: models write there too.
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
            // Behind a mark of backticks there are none, otherwise it is code within a line.
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

/// The lines with their ends, and where they start.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line))
    })
}

/// The backticks or tildes that a line begins with, three at least, and the rest of the line.
fn mark(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(is_blank);
    let first = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let (mark, info) = line.split_at(line.len() - line.trim_start_matches(first).len());
    (mark.len() >= 3).then_some((mark, info))
}

/// Around JSON it says nothing, though `serde_json` takes only some of it.
fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{feff}' | '\u{200b}')
}

/// Whether all of it is JSON, and neither object nor array: those are found by their brackets.
fn is_scalar(text: &str) -> bool {
    !text.starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok()
}

enum Skimmed<'a> {
    /// It begins with this.
    Json(&'a str),
    /// It is JSON up to its end, and goes on behind it.
    CutOff,
    /// It is not JSON.
    Wrong { looked_at: usize },
}

fn skim(text: &str) -> Skimmed<'_> {
    // Not as `IgnoredAny`, which is neither strict nor bounded.
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    match values.next() {
        Some(Ok(_)) => Skimmed::Json(&text[..values.byte_offset()]),
        Some(Err(error)) if !error.is_eof() => Skimmed::Wrong { looked_at: offset(text, &error) + 1 },
        Some(Err(_)) | None => Skimmed::CutOff,
    }
}
