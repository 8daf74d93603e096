//! Checks the dependencies of the published crates, with all features and on all platforms.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    env,
    process::Command,
};

use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

/// The licences that a program under `MIT OR Apache-2.0` can contain.
const LICENSES: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",             // `notify`: no conditions
    "CDLA-Permissive-2.0", // the certificates of `webpki-root-certs`
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Zlib",
];

/// Crates that are included in several versions, because two dependencies require different versions.
const SEVERAL_VERSIONS: [&str; 10] = [
    "base64",
    "fallible-iterator",
    "getrandom",
    "io-lifetimes",
    "r-efi",
    "rand_core",
    "syn",
    "untrusted",
    "wasi",
    "windows-sys",
];

#[test]
fn every_license_is_allowed() {
    let is_allowed = |license: &LicenseReq| license.license.id().is_some_and(|id| LICENSES.contains(&id.name));
    let refused: Vec<_> = dependencies()
        .iter()
        .filter_map(|package| {
            let text = package["license"].as_str().unwrap_or_default();
            let expression = Expression::parse_mode(text, ParseMode::LAX);
            let allowed = expression.is_ok_and(|expression| expression.evaluate(is_allowed));
            (!allowed).then(|| format!("{}: `{text}`", package["name"]))
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn no_crate_is_there_in_two_versions() {
    let mut versions = BTreeMap::<_, BTreeSet<_>>::new();
    for package in dependencies() {
        let text = |member: &str| package[member].as_str().unwrap().to_owned();
        versions.entry(text("name")).or_default().insert(text("version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let names: Vec<_> = versions.keys().collect();
    assert_eq!(names, SEVERAL_VERSIONS, "{versions:#?}");
}

/// Returns the packages that a program with `mcp-runtime` uses, which are normal and build dependencies.
fn dependencies() -> Vec<Value> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1", "--all-features"]);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let by_id = |list: &Value| -> HashMap<String, Value> {
        let items = list.as_array().unwrap().iter();
        items.map(|item| (item["id"].as_str().unwrap().to_owned(), item.clone())).collect()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let root = packages.iter().find(|(_, package)| package["name"] == "mcp-runtime").unwrap().0;
    let (mut found, mut left) = (BTreeSet::new(), vec![root.as_str()]);
    while let Some(id) = left.pop() {
        if found.insert(id) {
            let needed = nodes[id]["deps"].as_array().unwrap().iter().filter(|dependency| {
                let kinds = dependency["dep_kinds"].as_array().unwrap();
                kinds.iter().any(|kind| kind["kind"] != "dev")
            });
            left.extend(needed.map(|dependency| dependency["pkg"].as_str().unwrap()));
        }
    }
    assert!(found.len() > 100, "{found:?}");
    found.into_iter().map(|id| packages[id].clone()).collect()
}
