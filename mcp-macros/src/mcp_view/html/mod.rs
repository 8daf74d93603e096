//! Finds what a page loads from other origins: in its tags, its styles and its scripts. This is a scanner, not a parser:
//! it knows no tree, only tags with their attributes, and the text of `<style>` and `<script>`.

mod css;
mod origin;
mod placeholder;
mod script;
mod tag;

use self::tag::{Attribute, Tag, tags};
pub(super) use self::{
    origin::{covers, is_origin},
    placeholder::{Placeholder, placeholders},
};

/// A URL of another origin in a page.
#[derive(Debug, PartialEq)]
pub(super) struct Reference {
    pub(super) kind: ReferenceKind,
    /// The origin, such as `https://api.example`.
    pub(super) origin: String,
    /// The place of the URL in the page, in bytes.
    pub(super) at: usize,
    /// Whether the page loads it without doubt. A script may contain the text in a part that never runs.
    pub(super) is_certain: bool,
}

/// How a page uses a URL. Each kind has its own list of origins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceKind {
    Connect,
    Resource,
    Frame,
    BaseUri,
}

impl ReferenceKind {
    /// All kinds, in the order of the keys of `csp(…)`.
    pub(super) const ALL: [Self; 4] = [Self::Connect, Self::Resource, Self::Frame, Self::BaseUri];

    /// Returns the key in `csp(…)`.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Resource => "resource",
            Self::Frame => "frame",
            Self::BaseUri => "base_uri",
        }
    }
}

/// The relations of a `<link>` that make a browser load its URL.
const LOADING_RELATIONS: [&str; 10] = [
    "stylesheet",
    "icon",
    "apple-touch-icon",
    "mask-icon",
    "manifest",
    "preload",
    "modulepreload",
    "prefetch",
    "preconnect",
    "dns-prefetch",
];

/// Returns the references of a page to other origins, in the order of the page.
pub(super) fn references(page: &str) -> Vec<Reference> {
    let mut found = Found(Vec::new());
    for tag in tags(page) {
        of_tag(&mut found, page, &tag);
    }
    found.0
}

/// Returns whether the text is a whole HTML document: it begins with `<!doctype html>`, after comments at most.
pub(super) fn is_document(page: &str) -> bool {
    let mut rest = page.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        let Some((_, after)) = comment.split_once("-->") else { return false };
        rest = after.trim_start();
    }
    rest.get(..14).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype html"))
}

/// Returns the line and the column of a byte, both from 1. Columns count characters.
pub(super) fn position(page: &str, at: usize) -> (usize, usize) {
    let before = &page[..at];
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The references that were found so far.
struct Found(Vec<Reference>);

impl Found {
    /// Adds a URL, if it has an origin.
    fn add(&mut self, kind: ReferenceKind, url: &str, at: usize, is_certain: bool) {
        if let Some(origin) = origin::of(url) {
            self.0.push(Reference { kind, origin, at, is_certain });
        }
    }
}

fn of_tag(found: &mut Found, page: &str, tag: &Tag<'_>) {
    for attribute in &tag.attributes {
        let Attribute { name, value, at, .. } = attribute;
        match (&*tag.name, &**name) {
            ("iframe" | "frame" | "embed", "src") | ("object", "data") => {
                found.add(ReferenceKind::Frame, value, *at, true);
            }
            ("base", "href") => found.add(ReferenceKind::BaseUri, value, *at, true),
            ("link", "href") if loads(tag) => found.add(ReferenceKind::Resource, value, *at, true),
            (_, "srcset" | "imagesrcset") => {
                for candidate in value.split(',').filter_map(|candidate| candidate.split_whitespace().next()) {
                    found.add(ReferenceKind::Resource, candidate, *at, true);
                }
            }
            (_, "src" | "poster" | "background") | ("image" | "use" | "feimage", "href" | "xlink:href") => {
                found.add(ReferenceKind::Resource, value, *at, true);
            }
            (_, "style") => css::references(found, value, *at),
            _ => {}
        }
    }
    let text = &page[tag.text.clone()];
    match &*tag.name {
        "style" => css::references(found, text, tag.text.start),
        "script" if is_javascript(tag) => script::references(found, text, tag.text.start),
        _ => {}
    }
}

/// Returns whether a browser loads the URL of this `<link>`.
fn loads(link: &Tag<'_>) -> bool {
    let relations = link.attribute("rel").unwrap_or_default().to_ascii_lowercase();
    relations.split_ascii_whitespace().any(|relation| LOADING_RELATIONS.contains(&relation))
}

fn is_javascript(script: &Tag<'_>) -> bool {
    script.attribute("type").is_none_or(|kind| {
        let kind = kind.trim().to_ascii_lowercase();
        kind.is_empty() || kind == "module" || kind.ends_with("/javascript") || kind.ends_with("/ecmascript")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the references of a page as text.
    fn found(page: &str) -> Vec<String> {
        let written = |Reference { kind, origin, at, is_certain }: Reference| {
            let (line, column) = position(page, at);
            format!("{} {origin} {line}:{column}{}", kind.key(), if is_certain { "" } else { " perhaps" })
        };
        references(page).into_iter().map(written).collect()
    }

    #[test]
    fn finds_what_tags_load() {
        for (page, expected) in [
            ("<script src=\"https://cdn.example/a.js\"></script>", "resource https://cdn.example 1:14"),
            ("<IMG\n SRC=https://cdn.example/a.png>", "resource https://cdn.example 2:6"),
            ("<img src='//cdn.example/a.png'/>", "resource https://cdn.example 1:11"),
            ("<img srcset='a.png 1x, https://cdn.example/b.png 2x'>", "resource https://cdn.example 1:14"),
            ("<video poster=\"https://cdn.example/a.png\">", "resource https://cdn.example 1:16"),
            ("<link rel=\"preload stylesheet\" href=\"https://cdn.example\">", "resource https://cdn.example 1:38"),
            ("<svg><use xlink:href=\"https://cdn.example/a.svg#b\"/>", "resource https://cdn.example 1:23"),
            ("<iframe src=\"https://Frame.example:8080/a\">", "frame https://frame.example:8080 1:14"),
            ("<object data=\"https://frame.example\">", "frame https://frame.example 1:15"),
            ("<base href=\"https://base.example/\">", "base_uri https://base.example 1:13"),
            ("<p style=\"background: url(https://cdn.example/a)\">", "resource https://cdn.example 1:27"),
            ("<title><img></title><img src=\"https://cdn.example\">", "resource https://cdn.example 1:31"),
        ] {
            assert_eq!(found(page), [expected], "{page}");
        }
    }

    #[test]
    fn leaves_out_what_no_browser_loads() {
        for page in [
            "<a href=\"https://other.example\">link</a>",
            "<link rel=\"canonical\" href=\"https://other.example\">",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>",
            "<!-- <img src=\"https://other.example\"> -->",
            "<img src=\"data:image/png;base64,AAAA\"><img src=\"a/b.png\"><img src=\"blob:https://other.example/1\">",
            "<title><img src=\"https://other.example\"></title>",
            "<textarea><img src=\"https://other.example\"></textarea>",
            "<script type=\"application/json\">{ \"a\": fetch(\"https://other.example\") }</script>",
            "<style>/* url(https://other.example) */ @namespace url(http://www.w3.org/1999/xhtml);</style>",
            "<style>p::after { content: \"url(https://other.example)\" }</style>",
            "<p>1 < 2 and src=\"https://other.example\"</p>",
            "<img alt=\"src=https://other.example\">",
        ] {
            assert_eq!(found(page), [""; 0], "{page}");
        }
    }

    #[test]
    fn finds_what_styles_load() {
        for style in [
            "@import \"https://cdn.example/a.css\";",
            "@import url(https://cdn.example/a.css);",
            "p { background: URL( 'https://cdn.example/a.png' ) }",
            "/* ' */ @font-face { src: url(\"https://cdn.example/a.woff2\") }",
        ] {
            let page = format!("<style>{style}</style>");
            let found = references(&page);
            let [Reference { kind: ReferenceKind::Resource, origin, is_certain: true, .. }] = &found[..] else {
                panic!("{style}: {found:?}")
            };
            assert_eq!(origin, "https://cdn.example", "{style}");
        }
    }

    #[test]
    fn guesses_what_scripts_load() {
        for (script, expected) in [
            ("fetch(\"https://api.example/v1\")", "connect https://api.example 1:16 perhaps"),
            ("await fetch( `https://api.example/${id}`)", "connect https://api.example 1:23 perhaps"),
            ("new WebSocket('wss://api.example')", "connect wss://api.example 1:24 perhaps"),
            ("new EventSource(\n'https://api.example')", "connect https://api.example 2:2 perhaps"),
            ("navigator.sendBeacon(\"https://api.example\")", "connect https://api.example 1:31 perhaps"),
            ("import a from \"https://cdn.example/a.js\"", "resource https://cdn.example 1:24 perhaps"),
            ("import \"https://cdn.example/a.js\"", "resource https://cdn.example 1:17 perhaps"),
            ("await import(\"https://cdn.example/a.js\")", "resource https://cdn.example 1:23 perhaps"),
            ("image.src = \"https://cdn.example/a.png\"", "resource https://cdn.example 1:22 perhaps"),
        ] {
            let page = format!("<script>{script}</script>");
            assert_eq!(found(&page), [expected], "{script}");
        }
        for script in [
            "// fetch(\"https://other.example\")",
            "/* fetch(\"https://other.example\") */",
            "const url = \"https://other.example\"",
            "console.log('fetch(\"https://other.example\")')",
            "document.createElementNS(\"http://www.w3.org/2000/svg\", \"a\")",
        ] {
            assert_eq!(found(&format!("<script type=\"module\">{script}</script>")), [""; 0], "{script}");
        }
    }

    #[test]
    fn a_broken_page_does_not_stop_the_scanner() {
        for page in ["<", "<!--", "<a", "<a b", "<a b=", "<a b='", "<script>", "<script", "<style>@import", "<é ü='ö'>"]
        {
            assert_eq!(found(page), [""; 0], "{page}");
        }
    }

    #[test]
    fn recognizes_a_document() {
        for page in ["<!doctype html>", "\u{feff}\n<!DOCTYPE HTML PUBLIC>", "<!-- a --> <!doctype html>"] {
            assert!(is_document(page), "{page}");
        }
        for page in ["", "<html>", "<p>", "doctype html", "<!-- <!doctype html>", "<!doctype svg>"] {
            assert!(!is_document(page), "{page}");
        }
    }
}
