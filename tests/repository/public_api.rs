//! The public API of `mcp-runtime` is the one of `mcp-runtime/public-api.txt`, and the root of the crate stays small.

use std::{collections::BTreeSet, env, fs};

use public_api::Builder;

use crate::repository::{path, read};

const FILE: &str = "mcp-runtime/public-api.txt";

/// The names that the root of the crate may have: macros, modules, and what an author of annotated functions writes.
const MOST_NAMES: usize = 64;

#[test]
#[ignore = "reads the JSON of rustdoc: .ci/public-api"]
fn the_api_changes_only_on_purpose() {
    let json = env::var("PUBLIC_API_JSON").expect("PUBLIC_API_JSON names the JSON of rustdoc");
    let api = Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .unwrap();
    let found: String = api.items().map(|item| format!("{item}\n")).collect();
    if env::var_os("BLESS").is_some() {
        return fs::write(path(FILE), found).unwrap();
    }
    let expected = read(FILE);
    let [found, expected] = [&found, &expected].map(|text| text.lines().collect::<BTreeSet<_>>());
    let added: Vec<_> = found.difference(&expected).collect();
    let removed: Vec<_> = expected.difference(&found).collect();
    assert!(
        added.is_empty() && removed.is_empty(),
        "the public API changed; if that is intended, run `BLESS=1 .ci/public-api`\nadded: {added:#?}\nremoved: {removed:#?}"
    );
}

#[test]
fn the_root_has_few_names() {
    let text = read(FILE);
    let names: BTreeSet<_> = text.lines().filter_map(root_name).collect();
    assert!(names.contains("Server") && names.contains("mcp_tool") && names.contains("elicit"), "{names:?}");
    assert!(names.len() <= MOST_NAMES, "{} names: {names:?}", names.len());
}

/// Returns the name of an item that stands at the root of the crate.
fn root_name(line: &str) -> Option<&str> {
    if line.starts_with("impl") {
        return None;
    }
    let path = line.split_once(" mcp_runtime::")?.1;
    let name =
        &path[..path.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(path.len())];
    let rest = without_generics(&path[name.len()..]);
    (!rest.starts_with("::")).then_some(name)
}

/// Returns the text after the `<…>` at its beginning.
fn without_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at == 0 { text } else { &text[at + 1..] };
        }
    }
    text
}
