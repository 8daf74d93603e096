//! The programs of `examples/`, for tests of other packages.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// Returns the program of this example, after Cargo has built it from the sources as they are now.
pub(crate) fn example(name: &str) -> PathBuf {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(build).join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// Builds all programs and returns the folder that has them.
///
/// After `cargo test` there is nothing to build, because each example has a test that needs its program. `--examples`
/// matches no target: it makes Cargo enable the features of `[dev-dependencies]` too, as `cargo test` does. With them
/// `hello` has the command `http`, which its own manifest does not ask for.
fn build() -> PathBuf {
    // This test runs from the folder `deps` beside the programs.
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    let profile = match folder.file_name().and_then(|name| name.to_str()).unwrap() {
        "debug" => "dev",
        other => other,
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--bins", "--examples", "--profile", profile]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(cargo.current_dir(root).status().unwrap().success(), "the examples do not build");
    folder.to_owned()
}
