//! The pages for contributors name files and folders that exist.

use crate::repository::{floors::order, names::PUBLIC_TWICE, path, read};

#[test]
fn every_file_that_they_name_exists() {
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = read(page);
        let names = text.split('`').skip(1).step_by(2).filter(|name| name.contains('/'));
        let names: Vec<_> = names.filter(|name| name.ends_with(".rs") || name.ends_with('/')).collect();
        assert!(names.len() > 10, "{page}: {names:?}");
        for name in names {
            let exists = path(name).exists() || path("mcp-runtime/src").join(name).exists();
            assert!(exists, "{page}: there is no `{name}`");
        }
    }
}

#[test]
fn the_table_of_storeys_and_rooms_is_in_their_order() {
    let rows = rows_of_section("Storeys", "/` |");
    // The parts of `base` and `docs` are files.
    let order = order().into_iter().filter(|module| module.len() <= 2 && !matches!(module[..], ["base" | "docs", _]));
    assert_eq!(rows, order.map(|module| module.join("/")).filter(|name| name != "prelude").collect::<Vec<_>>());
}

#[test]
fn the_names_that_stand_for_two_types_have_a_reason() {
    assert_eq!(rows_of_section("Names", "` |"), PUBLIC_TWICE);
}

/// Returns the names in the first column of the first table of a section. `end` is the text behind each name.
fn rows_of_section(section: &str, end: &str) -> Vec<String> {
    let text = read("ARCHITECTURE.md");
    let section = text.split_once(&format!("## {section}\n")).unwrap().1.split("\n## ").next().unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.filter_map(|line| Some(line.strip_prefix("| `")?.split_once(end)?.0.to_owned())).collect()
}
