//! The tags of a page, with their attributes and the text of elements without tags inside.

use std::ops::Range;

/// An opening tag.
pub(super) struct Tag<'p> {
    /// The name, in lower case.
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute<'p>>,
    /// The place of the tag itself, with its brackets.
    pub(super) place: Range<usize>,
    /// The place of the text of a `<script>` or `<style>`. Empty for all other tags.
    pub(super) text: Range<usize>,
}

/// An attribute with a value.
pub(super) struct Attribute<'p> {
    /// The name, in lower case.
    pub(super) name: String,
    pub(super) value: &'p str,
    /// The place of the value in the page, in bytes.
    pub(super) at: usize,
    pub(super) is_quoted: bool,
}

/// The elements whose content is text, in which `<` begins no tag.
const TEXT_ELEMENTS: [&str; 6] = ["script", "style", "title", "textarea", "noscript", "xmp"];

impl Tag<'_> {
    /// Returns the value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.value)
    }
}

/// Returns the opening tags of a page.
pub(super) fn tags(page: &str) -> Vec<Tag<'_>> {
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(open) = page[at..].find('<').map(|found| at + found) {
        let rest = &page[open + 1..];
        if rest.starts_with("!--") {
            at = page[open..].find("-->").map_or(page.len(), |end| open + end + 3);
        } else if rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            let tag;
            (tag, at) = read(page, open + 1);
            tags.push(tag);
        } else {
            at = open + 1;
        }
    }
    tags
}

/// Reads the tag whose name begins at `start`. Returns the tag, and the place after it and after its text.
fn read(page: &str, start: usize) -> (Tag<'_>, usize) {
    let is_end = |char: char| char.is_ascii_whitespace() || char == '/' || char == '>';
    let end_of_name = page[start..].find(is_end).map_or(page.len(), |end| start + end);
    let name = page[start..end_of_name].to_ascii_lowercase();
    let (attributes, mut at) = attributes(page, end_of_name);
    let place = start - 1..at;
    let mut text = at..at;
    if TEXT_ELEMENTS.contains(&&*name) {
        let end = end_of_text(page, at, &name);
        if name == "script" || name == "style" {
            text = at..end;
        }
        at = end;
    }
    (Tag { name, attributes, place, text }, at)
}

/// Reads the attributes that begin at `at`. Returns them, and the place after the `>` of the tag.
fn attributes(page: &str, mut at: usize) -> (Vec<Attribute<'_>>, usize) {
    let mut attributes = Vec::new();
    let skip = |at: usize, is_skipped: fn(char) -> bool| {
        page[at..].find(|char| !is_skipped(char)).map_or(page.len(), |found| at + found)
    };
    loop {
        at = skip(at, |char| char.is_ascii_whitespace() || char == '/');
        if at == page.len() {
            return (attributes, at);
        }
        if page[at..].starts_with('>') {
            return (attributes, at + 1);
        }
        let is_end = |char: char| char.is_ascii_whitespace() || "=>/".contains(char);
        // The first character belongs to the name, even if it is a `=`.
        let first = page[at..].chars().next().map_or(0, char::len_utf8);
        let end = page[at + first..].find(is_end).map_or(page.len(), |end| at + first + end);
        let name = page[at..end].to_ascii_lowercase();
        at = skip(end, |char| char.is_ascii_whitespace());
        if !page[at..].starts_with('=') {
            continue;
        }
        at = skip(at + 1, |char| char.is_ascii_whitespace());
        let (start, end, after) = match page[at..].chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let end = page[at + 1..].find(quote).map_or(page.len(), |end| at + 1 + end);
                (at + 1, end, (end + 1).min(page.len()))
            }
            _ => {
                let is_end = |char: char| char.is_ascii_whitespace() || char == '>';
                let end = page[at..].find(is_end).map_or(page.len(), |end| at + end);
                (at, end, end)
            }
        };
        attributes.push(Attribute { name, value: &page[start..end], at: start, is_quoted: start > at });
        at = after;
    }
}

/// Returns the place of the closing tag after `at`, or the end of the page.
fn end_of_text(page: &str, at: usize, name: &str) -> usize {
    let is_closing = |(found, _): &(usize, &str)| {
        let rest = &page[at + found + 2..];
        rest.get(..name.len()).is_some_and(|closed| closed.eq_ignore_ascii_case(name))
    };
    page[at..].match_indices("</").find(is_closing).map_or(page.len(), |(found, _)| at + found)
}
