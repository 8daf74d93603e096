//! The result of `outline`: the items that a source file defines, with their line numbers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    error::CodeError,
    language::{Kind, Language},
    root::Root,
    text::text_of,
};

/// What a source file defines.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Outline {
    /// The file's path.
    pub(crate) path: String,
    /// The language of the file.
    pub(crate) language: &'static str,
    /// The items, in the order of the file.
    pub(crate) items: Vec<Item>,
}

/// Something a source file defines.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Item {
    /// The kind of the item.
    pub(crate) kind: Kind,
    /// The name. For an `impl` block, the text between `impl` and the brace.
    pub(crate) name: String,
    /// The number of the item's first line, counting from 1.
    pub(crate) line: usize,
    /// How many other items contain it: 0 at the top level of the file, 1 for a method of a class there.
    pub(crate) depth: usize,
}

impl Root {
    /// Reads a file and finds its items.
    pub(crate) fn outline(&self, path: &str) -> Result<Outline, CodeError> {
        let file = self.file(path)?;
        let Some(language) = Language::of(&file.name) else {
            return Err(CodeError::NoOutline { path: file.name, known: Language::known() });
        };
        let text = text_of(&file)?;
        Ok(Outline { path: file.name, language: language.name, items: items(language, &text) })
    }
}

/// Returns the items of a text. The indentation decides which item contains which, so the code should be formatted.
fn items(language: &Language, text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut around: Vec<(usize, Kind)> = Vec::new(); // the items that contain this line, with their indentations
    for (index, line) in text.lines().enumerate() {
        let Some((kind, name)) = language.item(line) else { continue };
        let indentation = line.len() - line.trim_start().len();
        while around.last().is_some_and(|(outer, _)| *outer >= indentation) {
            around.pop();
        }
        let kind = match around.last() {
            Some((_, outer)) if kind == Kind::Function && outer.has_methods() => Kind::Method,
            _ => kind,
        };
        items.push(Item { kind, name: name.to_owned(), line: index + 1, depth: around.len() });
        around.push((indentation, kind));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(path: &str) -> Vec<String> {
        let root = Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixture")).unwrap();
        let items = root.outline(path).unwrap().items;
        items
            .iter()
            .map(|item| format!("{} {}{:?} {}", item.line, "  ".repeat(item.depth), item.kind, item.name))
            .collect()
    }

    #[test]
    fn an_item_contains_the_items_with_more_indentation() {
        assert_eq!(
            outline("tools/report.py"),
            ["7 Class Report", "11   Method mean", "15   Method send", "16     Function line", "22 Function main"]
        );
    }

    #[test]
    fn every_language_of_the_fixture_has_its_items() {
        for (path, expected) in [
            ("src/lib.rs", "30   Method put"),
            ("web/chart.ts", "16   Method draw"),
            ("agent/main.go", "21 Method Send"),
            ("firmware/probe.c", "15 Function read_once"),
        ] {
            assert!(outline(path).contains(&expected.to_owned()), "{path}: {:#?}", outline(path));
        }
    }

    #[test]
    fn an_unknown_language_is_rejected_with_the_list_of_known_ones() {
        let root = Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixture")).unwrap();
        let error = root.outline("README.md").unwrap_err().to_string();
        assert!(error.starts_with("`README.md` is not in a language that `outline` supports (Rust .rs, "), "{error}");
        assert!(error.ends_with("use `read_lines`"), "{error}");
    }
}
