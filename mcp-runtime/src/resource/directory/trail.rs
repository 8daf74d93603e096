//! A path from the root into a folder, and the visible entries of that folder.

use std::{
    io::{self, ErrorKind, Read},
    path::Path,
};

use cap_std::fs::{Dir, DirEntry, File, Metadata};
use ignore::{
    Match,
    gitignore::{Gitignore, GitignoreBuilder},
};

/// The maximum number of bytes that are read of a `.gitignore`.
const MOST_RULES: u64 = 1 << 20;

/// Which entries of a folder are served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visibility {
    /// Whether names that begin with a period are served.
    pub(super) hidden: bool,
    /// Whether entries that a `.gitignore` excludes are served.
    pub(super) ignored: bool,
}

/// The open folders from the root to the current folder.
pub(super) struct Trail {
    visibility: Visibility,
    levels: Vec<TrailLevel>,
    /// The names of all levels after the first.
    names: Vec<String>,
}

struct TrailLevel {
    dir: Dir,
    rules: Gitignore,
}

/// A file or a folder in the current folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TrailEntry {
    pub(super) name: String,
    pub(super) is_folder: bool,
}

impl Trail {
    /// Creates a trail whose current folder is the root.
    pub(super) fn new(root: &Dir, visibility: Visibility) -> io::Result<Self> {
        let mut trail = Self { visibility, levels: Vec::new(), names: Vec::new() };
        trail.push(root.try_clone()?)?;
        Ok(trail)
    }

    /// Enters a folder that [`entries`](Self::entries) or [`find`](Self::find) returned.
    pub(super) fn enter(&mut self, name: &str) -> io::Result<()> {
        let dir = self.current().open_dir(name)?;
        self.push(dir)?;
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Returns to the parent of the current folder.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
        self.names.pop();
    }

    /// Returns how many folders were entered.
    pub(super) fn depth(&self) -> usize {
        self.names.len()
    }

    /// Returns the path of an entry of the current folder.
    pub(super) fn path_of(&self, name: &str) -> String {
        self.names.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("/")
    }

    /// Returns the visible entries of the current folder, sorted by name.
    pub(super) fn entries(&self) -> io::Result<Vec<TrailEntry>> {
        let mut entries = Vec::new();
        for entry in self.current().entries()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.extend(self.visible(name, &entry)?);
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// Returns the visible entry with exactly this name. The name is compared with the names in the folder, because an
    /// operating system can open the same file by several names.
    pub(super) fn find(&self, name: &str) -> io::Result<Option<TrailEntry>> {
        for entry in self.current().entries()? {
            let entry = entry?;
            if entry.file_name().to_str() == Some(name) {
                return self.visible(name.to_owned(), &entry);
            }
        }
        Ok(None)
    }

    /// Returns the metadata of an entry of the current folder. For a link, this is the metadata of the link itself.
    pub(super) fn metadata(&self, name: &str) -> io::Result<Metadata> {
        self.current().symlink_metadata(name)
    }

    /// Opens a file that [`find`](Self::find) returned.
    pub(super) fn file(&self, name: &str) -> io::Result<File> {
        self.current().open(name)
    }

    fn visible(&self, name: String, entry: &DirEntry) -> io::Result<Option<TrailEntry>> {
        let kind = entry.file_type()?;
        let is_folder = kind.is_dir();
        // A link is neither a file nor a folder here.
        let is_served = (kind.is_file() || is_folder)
            && (self.visibility.hidden || !name.starts_with('.'))
            && (self.visibility.ignored || !self.is_ignored(&name, is_folder));
        Ok(is_served.then_some(TrailEntry { name, is_folder }))
    }

    /// Returns whether a `.gitignore` excludes this entry of the current folder. The deepest `.gitignore` with a rule
    /// for the entry decides.
    fn is_ignored(&self, name: &str, is_folder: bool) -> bool {
        let mut path = name.to_owned();
        for (depth, level) in self.levels.iter().enumerate().rev() {
            match level.rules.matched(&path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
            if let Some(parent) = depth.checked_sub(1).and_then(|parent| self.names.get(parent)) {
                path = format!("{parent}/{path}");
            }
        }
        false
    }

    fn push(&mut self, dir: Dir) -> io::Result<()> {
        let rules = if self.visibility.ignored { Gitignore::empty() } else { rules(&dir)? };
        self.levels.push(TrailLevel { dir, rules });
        Ok(())
    }

    fn current(&self) -> &Dir {
        &self.levels.last().expect("a trail begins at its root").dir
    }
}

/// Reads the `.gitignore` of a folder. Rules that are invalid are skipped, as git does. If the file cannot be read,
/// returns an error, because the server then does not know which files to exclude.
fn rules(dir: &Dir) -> io::Result<Gitignore> {
    let name = ".gitignore";
    match dir.symlink_metadata(name) {
        Ok(found) if !found.is_dir() => {}
        Ok(_) => return Ok(Gitignore::empty()),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Gitignore::empty()),
        Err(error) => return Err(error),
    }
    let mut text = Vec::new();
    dir.open(name)?.take(MOST_RULES).read_to_end(&mut text)?;
    let mut builder = GitignoreBuilder::new(Path::new("."));
    for line in String::from_utf8_lossy(&text).lines() {
        // Ignores the error: an invalid line does not affect the other lines.
        let _ = builder.add_line(None, line);
    }
    builder.build().map_err(io::Error::other)
}
