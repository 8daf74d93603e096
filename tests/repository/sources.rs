//! Rules about the text of the sources.

use std::{fs, path::Path};

use syn::{Block, Expr, File, Item};

use crate::repository::{path, read};

/// Calls `look` with the path and the text of every Rust file below a folder.
pub(crate) fn for_each_source(folder: &Path, look: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            for_each_source(&path, look);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            look(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn only_one_file_knows_error_codes() {
    let root = path("mcp-runtime/src");
    let mut found = Vec::new();
    for_each_source(&root, &mut |file, text| {
        let is_test = file.ends_with("tests.rs") || file.iter().any(|part| part == "tests");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let mut numbers = line.split("-32").skip(1).map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count());
            if !is_test && numbers.any(|digits| digits == 3) {
                found.push(format!("{}: {}", file.strip_prefix(&root).unwrap().display(), line.trim()));
            }
        }
    });
    let elsewhere: Vec<_> = found.iter().filter(|line| !line.starts_with("wire/protocol/error.rs: ")).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:#?}");
    assert!(found.len() > 5, "the codes were found where they belong: {found:?}");
}

#[test]
fn generated_code_names_only_public_and_private_items() {
    let mut paths = 0;
    for_each_source(&path("ui-tests/expand"), &mut |file, text| {
        if !file.to_string_lossy().ends_with(".expanded.rs") {
            return;
        }
        for rest in text.split("::mcp_runtime::").skip(1) {
            let path: String = rest.chars().take_while(|char| char.is_alphanumeric() || "_:".contains(*char)).collect();
            // Public items are types, such as `Ctx` and `elicit::ElicitRequest`.
            let names_type = path.split("::").any(|name| name.starts_with(|first: char| first.is_uppercase()));
            assert!(path.starts_with("__private") || names_type, "{}: `::mcp_runtime::{path}`", file.display());
            paths += 1;
        }
    });
    assert!(paths > 20, "{paths}");
}

/// A macro crate exports only macros, so both crates have the rule. What one of them accepts and the other refuses would
/// be found only by users.
#[test]
fn both_crates_have_the_same_rule_for_origins() {
    let [of_macros, of_runtime] = ["mcp-macros/src/mcp_view/html/origin.rs", "mcp-runtime/src/wire/protocol/view.rs"]
        .map(|file| rule_for_origins(&syn::parse_file(&read(file)).unwrap()));
    assert_eq!(of_macros, of_runtime);
}

fn rule_for_origins(file: &File) -> (Box<Expr>, Box<Block>) {
    let schemes = file.items.iter().find_map(|item| match item {
        Item::Const(schemes) if schemes.ident == "ORIGIN_SCHEMES" => Some(schemes.expr.clone()),
        _ => None,
    });
    let rule = file.items.iter().find_map(|item| match item {
        Item::Fn(rule) if rule.sig.ident == "is_origin" => Some(rule.block.clone()),
        _ => None,
    });
    (schemes.unwrap(), rule.unwrap())
}
