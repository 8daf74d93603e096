//! `manifest mcpb` and `manifest server-json`: packages of a server with settings of every kind.

mod bundle;
mod document;
mod form;
mod guide;
mod secrets;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{self, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

use crate::cli::program::{Ran, ended, program};

/// A temporary folder in which the program runs. It is removed at the end of its test.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mcp-cli-packages-{}-{number}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(fs::canonicalize(folder).unwrap())
    }

    /// Returns a folder with the package that builds the program, as its author has it.
    fn of_package() -> Self {
        let folder = Self::new();
        folder.write(
            "Cargo.toml",
            r#"[package]
name = "packed-crate"
version = "1.2.3"
edition = "2024"
description = "Shows what packages contain."
authors = ["Ann Author <ann@example.com>", "Bob"]
license = "MIT"
repository = "https://github.com/ann/packed"
homepage = "https://example.com/not-shown"
keywords = ["mcp", "packages"]

[[bin]]
name = "cli_packages"
path = "main.rs"

[workspace]
"#,
        );
        folder.write("main.rs", "fn main() {}");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Writes the beginnings of programs for the three systems.
    fn write_programs(&self) {
        self.write("app", b"\x7fELF\x02 for Linux");
        self.write("app-mac", b"\xca\xfe\xba\xbe for macOS");
        self.write("app.exe", b"MZ\x90 for Windows");
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = program("cli_packages");
        command.args(arguments).current_dir(&self.0).env("PACK_TOKEN", secrets::SECRET).stdin(Stdio::null());
        ended(command.output().unwrap())
    }

    /// Returns the JSON that a successful command has printed.
    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments);
        serde_json::from_str(ran.result()).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    }

    /// Returns the errors of a command that was refused.
    fn refused(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.output.as_str()), (Some(2), ""), "{ran:?}");
        ran.errors
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the bytes of the files in a ZIP archive by their names, and their permissions.
fn unpacked(archive: &Path) -> Vec<(String, Vec<u8>, u32)> {
    let mut archive = zip::ZipArchive::new(fs::File::open(archive).unwrap()).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut bytes).unwrap();
        files.push((file.name().unwrap().into_owned(), bytes, file.unix_mode().unwrap() & 0o777));
    }
    files
}
