//! Real files in a temporary home: each host with the documents that people have.

mod documents;
mod files;
mod others;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicUsize, Ordering},
};

use serde_json::Value;

use super::*;
use crate::edge::hosts::{entry::SecretVariable, known::host, place::OperatingSystem};

/// A temporary folder with the home of a user and a project.
struct Computer {
    root: PathBuf,
    places: Places,
}

impl Computer {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Canonical, because the folder for temporary files can be behind a link.
        let root = fs::canonicalize(env::temp_dir()).unwrap().join(format!("mcp-install-{}-{number}", process::id()));
        fs::create_dir(&root).unwrap();
        for folder in ["home", "project"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        let places = Places {
            system: OperatingSystem::Linux,
            home: root.join("home"),
            project: root.join("project"),
            variable: Box::new(|_| None),
        };
        Self { root, places }
    }

    fn installer(&self) -> Installer<'_> {
        Installer { places: &self.places, scope: Scope::User, program: "flights", force: false, dry_run: false }
    }

    fn path(&self, host: &KnownHost) -> PathBuf {
        self.places.path(host.file(Scope::User).unwrap())
    }

    /// Writes the file of a host, and returns its path.
    fn write(&self, host: &KnownHost, text: &str) -> PathBuf {
        let path = self.path(host);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns all files, with their content.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.clone(), fs::read(&path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
}

impl Drop for Computer {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.root));
    }
}

fn entry() -> ServerEntry {
    ServerEntry {
        name: "flights".to_owned(),
        target: ServerTarget::Program {
            path: "/opt/flights".to_owned(),
            arguments: vec!["--day".to_owned(), "on".to_owned()],
        },
        variables: vec![("LOG".to_owned(), "a \"b\" \\ # c".to_owned())],
        secrets: Vec::new(),
    }
}

fn with_secret(mut entry: ServerEntry, name: &str) -> ServerEntry {
    entry.secrets.push(SecretVariable { name: name.to_owned(), description: format!("The {name}.") });
    entry
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
