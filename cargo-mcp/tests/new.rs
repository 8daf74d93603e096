//! The program as a user meets it: projects in empty folders.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

use tempfile::tempdir;

const TEMPLATES: [&str; 3] = ["tool", "app", "contract"];

fn cargo_mcp(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-mcp"));
    // As `cargo` starts it.
    command.arg("mcp").args(arguments).current_dir(folder).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| !path.ends_with(".git"))
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![(path.display().to_string(), fs::read_to_string(&path).unwrap())],
        })
        .collect();
    files.sort();
    files
}

#[test]
fn each_template_becomes_a_project() {
    for template in TEMPLATES {
        let folder = tempdir().unwrap();
        let output = cargo_mcp(folder.path(), &["new", "my-server", "--template", template]);
        assert!(output.status.success(), "{}", errors(&output));
        assert!(errors(&output).contains("cargo test"), "{}", errors(&output));
        let project = folder.path().join("my-server");
        assert!(project.join(".git").is_dir(), "{template}: a repository of its own");
        let files = files(&project);
        let has = |name: &str| files.iter().any(|(path, _)| path.ends_with(name));
        assert!(
            ["Cargo.toml", "README.md", "Dockerfile", ".gitignore", "src/main.rs"].into_iter().all(has),
            "{template}"
        );
        assert!(!has(".liquid") && !has("cargo-generate.toml"), "{template}");
        for (path, text) in &files {
            assert!(!text.contains("{{project-name}}"), "{path}");
        }
        let manifest = fs::read_to_string(project.join("Cargo.toml")).unwrap();
        assert!(manifest.contains("name = \"my-server\""), "{manifest}");
    }
}

#[test]
fn a_project_can_use_a_checkout_of_the_runtime() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folder = tempdir().unwrap();
    let output = cargo_mcp(folder.path(), &["new", "notes", "--runtime", root.to_str().unwrap()]);
    assert!(output.status.success(), "{}", errors(&output));
    let manifest = fs::read_to_string(folder.path().join("notes/Cargo.toml")).unwrap();
    let path = format!("mcp-runtime = {{ path = \"{}\", features = ", root.join("mcp-runtime").display());
    assert_eq!(manifest.matches(&path).count(), 2, "{manifest}");

    let output = cargo_mcp(folder.path(), &["new", "other", "--runtime", "notes"]);
    assert_eq!(errors(&output), "error: `notes` is not a checkout of `mcp-runtime`\n");
    assert!(!folder.path().join("other").exists());
}

#[test]
fn a_folder_with_files_is_refused() {
    let folder = tempdir().unwrap();
    fs::create_dir(folder.path().join("notes")).unwrap();
    fs::write(folder.path().join("notes/mine.txt"), "mine").unwrap();
    let output = cargo_mcp(folder.path(), &["new", "notes"]);
    assert!(!output.status.success());
    assert!(errors(&output).contains("`notes` is not empty"), "{}", errors(&output));
    assert_eq!(files(&folder.path().join("notes")).len(), 1);
}

#[test]
fn an_empty_folder_becomes_the_project() {
    let folder = tempdir().unwrap();
    let output = cargo_mcp(folder.path(), &["new", ".", "--name", "notes"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(folder.path().join("src/notes.rs").is_file());
}

#[test]
fn a_name_that_cargo_refuses_is_refused_before_anything_is_written() {
    let folder = tempdir().unwrap();
    let output = cargo_mcp(folder.path(), &["new", "test"]);
    assert_eq!(
        errors(&output),
        "error: a package cannot be called `test`: Rust or Cargo uses this name; add `--name NAME`\n"
    );
    assert_eq!(files(folder.path()), []);
}
