//! The README is correct. Each of its code blocks equals a part of a file in this repository, or is built or run.

use std::{collections::BTreeMap, process::Command};

use crate::{
    repository::{path, read},
    support::example,
};

/// Returns the README's code blocks in this language, in order.
fn blocks(language: &str) -> Vec<String> {
    let readme = read("README.md");
    let mut parts = readme.split("```").skip(1).step_by(2);
    let mut found = Vec::new();
    for part in &mut parts {
        let (name, body) = part.split_once('\n').unwrap();
        if name == language {
            found.push(body.to_owned());
        }
    }
    found
}

/// Returns the command for a program of `examples/`, which runs in the root of the repository.
fn program(name: &str) -> Command {
    let mut command = Command::new(example(name));
    command.current_dir(path("."));
    command
}

#[test]
fn the_readme_is_short() {
    assert!(read("README.md").lines().count() <= 170);
}

#[test]
fn the_first_program_is_the_example_hello() {
    assert_eq!(blocks("rust")[0], read("examples/hello/src/main.rs"));
}

#[test]
fn the_dependencies_are_those_of_the_example_hello() {
    assert_eq!(published(&blocks("toml")[0]), dependencies("examples/hello/Cargo.toml"));
}

/// `tests/readme` builds the Rust of the README. It has the first dependencies, and those that a later part adds.
#[test]
fn the_pasted_programs_have_the_dependencies_shown() {
    let mut shown = BTreeMap::new();
    for block in blocks("toml") {
        shown.extend(by_name(&published(&block)));
    }
    assert_eq!(by_name(&dependencies("tests/readme/Cargo.toml")), shown);
}

/// Returns the section `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> String {
    let manifest = read(manifest);
    manifest.split("\n\n").find(|section| section.starts_with("[dependencies]")).unwrap().trim_end().to_owned() + "\n"
}

/// Returns dependencies as they are when the crates are published: with the version of this repository.
fn published(dependencies: &str) -> String {
    let workspace = read("Cargo.toml");
    let repository = workspace.lines().find_map(|line| line.strip_prefix("repository = ")).unwrap();
    let version = env!("CARGO_PKG_VERSION").rsplit_once('.').unwrap().0;
    let unpublished = format!("git = {repository}");
    assert!(dependencies.contains(&unpublished), "{dependencies}");
    dependencies.replace(&unpublished, &format!("version = \"{version}\""))
}

/// Returns the lines of a section by the names of their crates.
fn by_name(dependencies: &str) -> BTreeMap<String, String> {
    let lines = dependencies.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" = ")).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[test]
fn the_two_commands_are_those_that_ci_runs() {
    let [commands] = blocks("sh").try_into().unwrap();
    let (first, second) = commands.trim_end().split_once('\n').unwrap();
    let script = read(".ci/run");
    let step = |name: &str| script.split_once(&format!("\n{name}() {{\n")).unwrap().1.split_once("\n}\n").unwrap().0;
    // It takes the command from README.md.
    assert!(first.starts_with("cargo run ") && step("readme").contains("grep -m 1 '^cargo run ' README.md"));
    assert_eq!(step("tests").lines().last().map(str::trim_start), Some(second));
}

#[test]
fn the_first_command_searches() {
    let [commands] = blocks("sh").try_into().unwrap();
    let search = commands.lines().next().unwrap();
    let arguments = search.strip_prefix("cargo run -p code_search -- ").unwrap();
    // As a shell splits it: no argument holds an escape, and quotes hold whole words.
    let arguments = arguments.split('"').enumerate().flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    let output = program("code_search").args(arguments).output().unwrap();
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(found.contains("async fn "), "{found}");
}

#[test]
fn the_compile_error_is_that_of_the_compiler() {
    let [error] = blocks("text").try_into().unwrap();
    assert_eq!(error, read("ui-tests/fail/readme.stderr"));
}
