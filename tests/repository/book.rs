//! The rules of the book's pages: code comes from files that are tested, commands are run, and the menu names every page.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::repository::{links::collect_pages, path, read};

/// The languages of blocks whose lines all come from other files.
const INCLUDED: [&str; 9] = ["rust", "toml", "python", "typescript", "json", "yaml", "html", "dockerfile", "text"];

/// The folders whose files are compiled, run or compared by a test.
const TESTED: [&str; 7] =
    ["docs/coming-from/", "docs/guides/", "docs/tutorial/", "examples/", "mcp-runtime/", "tests/", "ui-tests/fail/"];

/// A fenced block of a page.
struct Block {
    page: PathBuf,
    line: usize,
    language: String,
    lines: Vec<String>,
}

impl Block {
    fn place(&self) -> String {
        format!("{}:{}", self.page.display(), self.line)
    }
}

#[test]
fn the_menu_names_every_page() {
    let folder = path("docs/src");
    let mut pages = Vec::new();
    collect_pages(&folder, &mut pages);
    let mut pages: BTreeSet<_> = pages.into_iter().collect();
    pages.remove(&folder.join("SUMMARY.md"));
    let menu = read("docs/src/SUMMARY.md");
    let named = menu.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| folder.join(link));
    assert_eq!(named.collect::<BTreeSet<_>>(), pages);
    assert!(pages.len() > 30, "{}", pages.len());
}

#[test]
fn code_is_included_from_files_that_are_tested() {
    let mut wrong = Vec::new();
    for block in blocks() {
        match &*block.language {
            "console" => {}
            language if INCLUDED.contains(&language) => {
                for line in block.lines.iter().filter(|line| !line.is_empty()) {
                    if let Err(reason) = included(&block.page, line) {
                        wrong.push(format!("{}: {line}: {reason}", block.place()));
                    }
                }
            }
            language => wrong.push(format!("{}: a block of `{language}`", block.place())),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// `docs/check/console.py` runs them.
#[test]
fn blocks_of_the_console_begin_with_a_command() {
    let blocks = blocks();
    let console: Vec<_> = blocks.iter().filter(|block| block.language == "console").collect();
    assert!(console.len() > 20, "{}", console.len());
    for block in console {
        assert!(block.lines[0].starts_with("$ "), "{}", block.place());
    }
}

/// Checks a line of a block: it includes a file, or the part of a file between two comments.
fn included(page: &Path, line: &str) -> Result<(), &'static str> {
    let target = line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"));
    let (file, anchor) = target.map(|target| target.split_once(':').unwrap_or((target, ""))).ok_or("not an include")?;
    let file = fs::canonicalize(page.parent().unwrap().join(file)).map_err(|_| "no such file")?;
    let root = fs::canonicalize(path("")).unwrap();
    let within = file.strip_prefix(root).map_err(|_| "outside of the repository")?.display().to_string();
    if !TESTED.iter().any(|folder| within.starts_with(folder)) {
        return Err("no test knows this file");
    }
    let is_range = anchor.split(':').all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    let text = fs::read_to_string(file).map_err(|_| "not a text")?;
    let marks = text.lines().filter(|line| line.ends_with(&format!(" {anchor}")) && line.contains("ANCHOR"));
    if is_range || marks.count() == 2 { Ok(()) } else { Err("no such anchor, or more than one") }
}

/// Returns the blocks of all pages.
fn blocks() -> Vec<Block> {
    let mut pages = Vec::new();
    collect_pages(&path("docs/src"), &mut pages);
    let mut found = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        let mut open: Option<Block> = None;
        for (index, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(language), None) => {
                    let language = language.split(',').next().unwrap().trim().to_owned();
                    open = Some(Block { page: page.clone(), line: index + 1, language, lines: Vec::new() });
                }
                (Some(_), Some(_)) => found.extend(open.take()),
                (None, Some(block)) => block.lines.push(line.to_owned()),
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block has no end", page.display());
    }
    assert!(found.len() > 50, "{}", found.len());
    found
}
