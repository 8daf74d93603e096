//! The programs of `examples/`, for tests of other packages.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};

/// Returns the program of this example. When a test requests the program for the first time, Cargo builds it from the
/// current sources.
pub(crate) fn example(name: &str) -> PathBuf {
    static BUILT: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    // This test runs from the folder `deps` beside the programs.
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if !built.contains(name) {
        build(name, folder);
        built.insert(name.to_owned());
    }
    folder.join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// Builds this program into the folder.
///
/// After `cargo test` there is nothing to build, because each example has a test that needs its program. `--examples`
/// matches no target: it makes Cargo enable the features of `[dev-dependencies]` too, as `cargo test` does. All packages
/// share their features then, so `hello` has the command `http`, which its own manifest does not ask for.
fn build(name: &str, folder: &Path) {
    let profile = match folder.file_name().and_then(|name| name.to_str()).unwrap() {
        "debug" => "dev",
        other => other,
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--bin", name, "--examples", "--profile", profile]);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(cargo.status().unwrap().success(), "the example `{name}` does not build");
}
