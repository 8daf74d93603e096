//! The placeholders of a page that a function fills in: `{{name}}` and `{{json}}`.

use super::tag::{Tag, tags};

/// A placeholder in a page.
#[derive(Debug, PartialEq)]
pub(in crate::mcp_view) struct Placeholder<'p> {
    pub(in crate::mcp_view) name: &'p str,
    /// The place in the page, in bytes.
    pub(in crate::mcp_view) at: usize,
    /// The reason why a value cannot be filled in here, if it cannot.
    pub(in crate::mcp_view) problem: Option<&'static str>,
}

/// The placeholder for the whole state, as JSON.
const WHOLE: &str = "json";

/// The attributes whose value is a URL, code or markup, which escaping does not make safe.
const UNSAFE_ATTRIBUTES: [&str; 12] = [
    "href",
    "xlink:href",
    "src",
    "srcset",
    "srcdoc",
    "action",
    "formaction",
    "data",
    "poster",
    "background",
    "style",
    "http-equiv",
];

const NOT_JSON: &str = "`{{json}}` belongs in a `<script type=\"application/json\">`, alone";
const IN_CODE: &str = "a value in a script or a style could be code; read it from a \
                       `<script type=\"application/json\">{{json}}</script>`";
const IN_A_TAG: &str = "a value in a tag belongs between the quotes of an attribute";
const IN_AN_UNSAFE_ATTRIBUTE: &str =
    "a value in this attribute could be code; set the attribute in a script, from the JSON";

/// Returns the placeholders of a page, in order. Other text in braces is not a placeholder.
pub(in crate::mcp_view) fn placeholders(page: &str) -> Vec<Placeholder<'_>> {
    let tags = tags(page);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = page[at..].find("{{").map(|open| at + open) {
        let name = page[open + 2..].split_once("}}").map(|(name, _)| name).filter(|name| is_name(name.trim()));
        let Some(name) = name else {
            at = open + 2;
            continue;
        };
        let after = open + 2 + name.len() + 2;
        let name = name.trim();
        found.push(Placeholder { name, at: open, problem: problem(page, &tags, name, open, after) });
        at = after;
    }
    found
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn problem(page: &str, tags: &[Tag<'_>], name: &str, at: usize, after: usize) -> Option<&'static str> {
    let is_whole = name == WHOLE;
    if let Some(tag) = tags.iter().find(|tag| tag.text.contains(&at)) {
        let is_json =
            tag.name == "script" && tag.attribute("type").is_some_and(|kind| kind.trim() == "application/json");
        let is_alone = page[tag.text.start..at].trim().is_empty() && page[after..tag.text.end].trim().is_empty();
        return match (is_whole, is_json && is_alone) {
            (true, true) => None,
            (true, false) => Some(NOT_JSON),
            (false, _) => Some(IN_CODE),
        };
    }
    if is_whole {
        return Some(NOT_JSON);
    }
    let tag = tags.iter().find(|tag| tag.place.contains(&at))?;
    let attribute = tag.attributes.iter().find(|it| (it.at..it.at + it.value.len()).contains(&at));
    match attribute.filter(|attribute| attribute.is_quoted) {
        None => Some(IN_A_TAG),
        Some(it) if it.name.starts_with("on") || UNSAFE_ATTRIBUTES.contains(&&*it.name) => Some(IN_AN_UNSAFE_ATTRIBUTE),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_can_stand_in_text_in_quoted_attributes_and_whole_in_json() {
        for page in [
            "<p>{{name}}</p>",
            "<title>{{name}}</title>",
            "<p title=\"run {{ name }}\">",
            "<p class='{{name}}'>",
            "<script type=\"application/json\">\n{{json}}\n</script>",
        ] {
            let found = placeholders(page);
            assert!(matches!(&found[..], [Placeholder { problem: None, .. }]), "{page}: {found:?}");
        }
        for (page, problem) in [
            ("<script>let a = \"{{name}}\"</script>", IN_CODE),
            ("<style>p { color: {{name}} }</style>", IN_CODE),
            ("<script>let a = {{json}}</script>", NOT_JSON),
            ("<script type=\"application/json\">{ \"a\": {{json}} }</script>", NOT_JSON),
            ("<p>{{json}}</p>", NOT_JSON),
            ("<p title={{name}}>", IN_A_TAG),
            ("<p {{name}}>", IN_A_TAG),
            ("<a href=\"{{name}}\">", IN_AN_UNSAFE_ATTRIBUTE),
            ("<p onclick='{{name}}'>", IN_AN_UNSAFE_ATTRIBUTE),
        ] {
            let found = placeholders(page);
            assert!(found.iter().all(|it| it.problem == Some(problem)) && found.len() == 1, "{page}: {found:?}");
        }
        for page in ["{{", "{{}}", "{{ a: 1 }}", "{{1a}}", "{ {a} }"] {
            assert_eq!(placeholders(page), [], "{page}");
        }
    }
}
