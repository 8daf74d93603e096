//! Rules about the packages of the workspace: `cargo test` builds the runtime with all features, and runs every test.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

use crate::repository::{path, sources::for_each_source};

#[test]
fn the_tests_are_built_with_every_feature_of_the_runtime() {
    let packages = packages();
    let package = |name: &str| packages.iter().find(|package| package["name"] == name).unwrap();
    let dependencies = package("mcp-suite")["dependencies"].as_array().unwrap().iter();
    let enabled: BTreeSet<_> = dependencies
        .filter(|dependency| dependency["name"] == "mcp-runtime")
        .flat_map(|dependency| dependency["features"].as_array().unwrap())
        .map(|feature| feature.as_str().unwrap())
        .collect();
    let features = package("mcp-runtime")["features"].as_object().unwrap().keys().map(String::as_str);
    let missing: Vec<_> = features.filter(|feature| *feature != "default" && !enabled.contains(feature)).collect();
    assert!(missing.is_empty(), "add the features {missing:?} to `mcp-runtime` in Cargo.toml");
}

#[test]
fn every_file_of_a_test_is_compiled() {
    let (mut compiled, mut folders) = (BTreeSet::new(), Vec::new());
    for package in packages() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        folders.push(manifest.with_file_name("tests"));
        for target in package["targets"].as_array().unwrap() {
            let root = Path::new(target["src_path"].as_str().unwrap());
            compile(root, root.parent().unwrap(), &mut compiled);
        }
    }
    let mut forgotten = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for_each_source(folder, &mut |file, _| {
            if !compiled.contains(file) {
                forgotten.push(file.to_owned());
            }
        });
    }
    assert!(forgotten.is_empty(), "declare these files with `mod`: {forgotten:#?}");
    assert!(compiled.len() > 500, "{} files", compiled.len());
}

/// Returns the packages of the workspace as `cargo metadata` describes them.
fn packages() -> Vec<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1", "--no-deps"]).current_dir(path(""));
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let Value::Array(packages) = metadata["packages"].take() else { panic!("{metadata}") };
    packages
}

/// Adds a file and the files of its modules to `compiled`. `folder` has the files of its modules.
fn compile(file: &Path, folder: &Path, compiled: &mut BTreeSet<PathBuf>) {
    let file = fs::canonicalize(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let items = syn::parse_file(&fs::read_to_string(&file).unwrap()).unwrap().items;
    if compiled.insert(file.clone()) {
        compile_modules(&items, &file, folder, compiled);
    }
}

fn compile_modules(items: &[Item], file: &Path, folder: &Path, compiled: &mut BTreeSet<PathBuf>) {
    for module in items.iter().filter_map(|item| if let Item::Mod(module) = item { Some(module) } else { None }) {
        let inside = folder.join(module.ident.to_string());
        if let Some((_, items)) = &module.content {
            compile_modules(items, file, &inside, compiled);
        } else if let Some(path) = module.attrs.iter().find_map(path_of) {
            let file = file.with_file_name(path);
            compile(&file, file.parent().unwrap(), compiled);
        } else {
            let (alone, in_folder) = (inside.with_extension("rs"), inside.join("mod.rs"));
            compile(if alone.exists() { &alone } else { &in_folder }, &inside, compiled);
        }
    }
}

/// Returns the value of `#[path = "…"]`.
fn path_of(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &meta.value else { return None };
    meta.path.is_ident("path").then(|| text.value())
}
