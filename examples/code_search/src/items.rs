//! What `outline` does: the items a source file defines, and their lines.

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
    /// The language it was read as.
    pub(crate) language: &'static str,
    /// The items, in the order of the file.
    pub(crate) items: Vec<Item>,
}

/// Something a source file defines.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Item {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its name; of an `impl` block, what stands between `impl` and the brace.
    pub(crate) name: String,
    /// The line it begins on, counting from 1.
    pub(crate) line: usize,
    /// In how many other items it lies: 0 at the top of the file, 1 for a method of a class there.
    pub(crate) depth: usize,
}

impl Root {
    /// Reads a file and outlines it.
    pub(crate) fn outline(&self, path: &str) -> Result<Outline, CodeError> {
        let file = self.file(path)?;
        let Some(language) = Language::of(&file.name) else {
            return Err(CodeError::NoOutline { path: file.name, known: Language::known() });
        };
        let text = text_of(&file)?;
        Ok(Outline { path: file.name, language: language.name, items: items(language, &text) })
    }
}

/// The items of a text. Indentation says what lies in what: good enough for code that is formatted.
fn items(language: &Language, text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut around: Vec<(usize, Kind)> = Vec::new(); // the items this line lies in, with their indentations
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
    fn items_lie_in_what_is_indented_less() {
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
    fn a_file_in_no_known_language_says_which_are() {
        let root = Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixture")).unwrap();
        let error = root.outline("README.md").unwrap_err().to_string();
        assert!(error.starts_with("`README.md` is in none of the languages with an outline (Rust .rs, "), "{error}");
        assert!(error.ends_with("use `read_lines`"), "{error}");
    }
}
