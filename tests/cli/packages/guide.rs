//! The commands that the guide `shipping` shows.

use std::fs;

use crate::cli::{installs::Home, packages::Folder, program::ended, program::program};

#[test]
fn every_command_of_the_guide_works() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/mcp-runtime/src/docs/guide/shipping.rs");
    let guide = fs::read_to_string(guide).unwrap();
    let commands: Vec<_> = guide.lines().filter_map(|line| line.strip_prefix("//! $ notes ")).collect();
    assert!(commands.len() > 6, "{commands:?}");

    let (folder, home) = (Folder::of_package(), Home::new());
    let manifest = fs::read_to_string(folder.path("Cargo.toml")).unwrap();
    folder.write("Cargo.toml", manifest.replace("packed-crate", "notes-server"));
    folder.write("README.md", "mcp-name: io.github.ann/packed");
    folder.write("notes-linux", b"\x7fELF");
    folder.write("notes-mac", b"\xcf\xfa\xed\xfe");
    folder.write("notes.exe", b"MZ");
    for line in commands {
        let line = line.split_once(" > ").map_or(line, |(command, _)| command);
        let mut words: Vec<_> = line.split(' ').collect();
        // The program of a test is a debug build. The compression of a whole program is tested elsewhere.
        if line.starts_with("install") {
            words.push("--allow-debug");
            // The settings of a program stand before the command.
            words.splice(0..0, ["--user", "ann"]);
        } else if line.contains("--pack") && !line.contains("--binary") {
            words.extend(["--binary", "linux=notes-linux"]);
        }
        let mut command = program("cli_packages");
        command.args(words).envs(home.variables()).current_dir(&folder.0);
        let ran = ended(command.output().unwrap());
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
    }
    assert!(folder.path("notes.mcpb").exists());
}
