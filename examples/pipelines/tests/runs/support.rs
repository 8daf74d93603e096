//! A copy of the data folder, which a test can change.

use std::{env, fs, path::Path, process::Command};

use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) fn data() -> TempDir {
    let folder = TempDir::new().unwrap();
    copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("data").as_ref(), folder.path());
    folder
}

/// The program, on this folder. Its runs are in memory.
pub(crate) fn program(data: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pipelines"));
    command.env("PIPELINES_DATA", data.path()).env_remove("PIPELINES_STORE");
    command
}

/// The program, on this folder. Its runs are in a file, or in the store that `PIPELINES_STORE` names for these tests.
pub(crate) fn stored(data: &TempDir) -> Command {
    let file = || data.path().join("pipelines.db").into();
    let mut command = program(data);
    command.arg("--store").arg(env::var_os("PIPELINES_STORE").unwrap_or_else(file));
    command
}

pub(crate) fn input(action: &str, params: impl Into<Value>) -> Value {
    json!({ "action": action, "params": params.into() })
}

pub(crate) fn report(data: &TempDir, name: &str) -> String {
    fs::read_to_string(data.path().join("reports").join(name)).unwrap()
}

/// Copies what belongs to the example, without the reports of a run by hand.
fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let copied = to.join(entry.file_name());
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), copied).unwrap();
        } else if entry.file_name() != "reports" {
            fs::create_dir(&copied).unwrap();
            copy(&entry.path(), &copied);
        }
    }
}
