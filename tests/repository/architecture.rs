//! The pages for contributors name files and folders that exist.

use crate::repository::{floors::FLOORS, path, read};

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
fn the_table_of_floors_is_in_their_order() {
    let text = read("ARCHITECTURE.md");
    let floors = text.split_once("## Floors").unwrap().1.split_once("\n## ").unwrap().0;
    let rows = floors.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("/` |")?.0));
    assert_eq!(rows.filter(|name| !name.contains('`')).collect::<Vec<_>>(), FLOORS);
}
