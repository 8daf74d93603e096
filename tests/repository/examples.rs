//! Each folder of `examples/` is a package that works when it is copied out of this repository.

use std::{fs, path::PathBuf};

use crate::repository::{path, read};

/// The folders of `examples/`, without the template, which is no package before `cargo generate` has named it.
fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir(path("examples")).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = entries.filter(|folder| !folder.ends_with("template")).collect();
    assert!(folders.len() > 5, "{folders:?}");
    folders
}

#[test]
fn each_has_a_manifest_and_a_readme() {
    for folder in folders() {
        for file in ["Cargo.toml", "README.md"] {
            assert!(folder.join(file).is_file(), "{} has no `{file}`", folder.display());
        }
    }
}

/// Without such a test `cargo test` does not build the program, and each test that starts it would have to.
#[test]
fn each_program_has_a_test_of_its_own() {
    for folder in folders() {
        let has = |name: &str| folder.join(name).exists();
        assert!(!has("src/main.rs") || has("tests"), "{} has no `tests`", folder.display());
    }
}

#[test]
fn each_manifest_stands_alone() {
    let root = read("Cargo.toml");
    let shared = ["edition", "rust-version"].map(|key| {
        let value = root.split_once(&format!("\n{key} = \"")).unwrap().1.split('"').next().unwrap();
        format!("\n{key} = \"{value}\"\n")
    });
    for folder in folders() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(manifest.starts_with(&format!("[package]\nname = \"{name}\"\n")), "{name}: {manifest}");
        assert!(!manifest.contains("workspace"), "`{name}` needs this workspace: {manifest}");
        // The version, not the path: this is what an author writes.
        assert!(manifest.contains("\nmcp-runtime = "), "{name}: {manifest}");
        assert!(!manifest.contains("/mcp-runtime\""), "{name}: {manifest}");
        for line in &shared {
            assert!(manifest.contains(line), "`{name}` has not {line:?}");
        }
    }
}
