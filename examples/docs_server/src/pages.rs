//! The pages: all Markdown files of the folder.

use std::{
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// The folder of the documentation.
pub(crate) struct Pages {
    root: PathBuf,
}

impl Pages {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Returns the paths of all pages, sorted. Folders are separated by `/`.
    pub(crate) async fn names(&self) -> io::Result<Vec<String>> {
        let root = self.root.clone();
        let listed = tokio::task::spawn_blocking(move || {
            let mut names = Vec::new();
            collect(&root, "", &mut names).map(|()| names)
        });
        let mut names = listed.await.map_err(io::Error::other)??;
        names.sort();
        Ok(names)
    }

    /// Returns the text of a page, or `None` if there is no such page. Only the names of [`names`](Self::names) are read,
    /// so a client cannot name a file outside of the folder.
    pub(crate) async fn read(&self, name: &str) -> io::Result<Option<String>> {
        if !self.names().await?.iter().any(|known| known == name) {
            return Ok(None);
        }
        match tokio::fs::read_to_string(self.root.join(name)).await {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Adds the pages in a folder and in the folders inside of it. Follows no links, and skips hidden names.
fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let kind = entry.file_type()?;
        if name.starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), names)?;
        } else if kind.is_file() && name.ends_with(".md") {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

/// Returns the headings of a page as a list, indented by their level. Skips what is in a code block.
pub(crate) fn outline(text: &str) -> String {
    let mut outline = String::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !is_code && (1..=6).contains(&level) && title.starts_with(' ') {
            outline.push_str(&format!("{}- {}\n", "  ".repeat(level - 1), title.trim()));
        }
    }
    outline
}
