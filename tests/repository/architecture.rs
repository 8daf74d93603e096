//! `ARCHITECTURE.md` names files and folders that exist.

use crate::{floors::FLOORS, path, read};

#[test]
fn every_file_that_it_names_exists() {
    let text = read("ARCHITECTURE.md");
    let mut named = 0;
    for name in text.split('`').skip(1).step_by(2).filter(|name| name.ends_with(".rs") || name.ends_with('/')) {
        named += 1;
        assert!(path(name).exists() || path("mcp-runtime/src").join(name).exists(), "there is no `{name}`");
    }
    assert!(named > 20, "{named}");
}

#[test]
fn it_names_every_floor_in_order() {
    let text = read("ARCHITECTURE.md");
    let floors = text.split_once("## Floors").unwrap().1.split_once("\n## ").unwrap().0;
    let rows = floors.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("/`"));
    assert_eq!(rows.map(|(name, _)| name).collect::<Vec<_>>(), FLOORS);
}
