//! A path from the root into a folder, and the visible entries of that folder.

use std::{
    io::{self, ErrorKind, Read},
    time::Instant,
};

#[cfg(unix)]
use cap_std::fs::OpenOptionsExt as _;
use cap_std::fs::{Dir, DirEntry, File, Metadata, OpenOptions};

use super::ignore_file::IgnoreFile;

const GITIGNORE: &str = ".gitignore";

/// The maximum size of a `.gitignore`, in bytes.
pub(super) const MAX_IGNORE_FILE: u64 = 4 << 20;

/// Which entries of a folder are served.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Visibility {
    /// Whether names that begin with a period are served.
    pub(super) hidden: bool,
    /// Whether entries that a `.gitignore` excludes are served, and `.git`.
    pub(super) ignored: bool,
}

/// The open folders from the root to the current folder.
pub(super) struct OpenPath {
    visibility: Visibility,
    /// When reading of the folders ends with an error.
    until: Option<Instant>,
    levels: Vec<OpenFolder>,
}

struct OpenFolder {
    /// Empty for the root.
    name: String,
    dir: Dir,
    rules: IgnoreFile,
}

/// A file or a folder in the current folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FolderEntry {
    pub(super) name: String,
    pub(super) is_folder: bool,
}

impl OpenPath {
    /// Creates a path whose current folder is the root.
    pub(super) fn new(root: &Dir, visibility: Visibility, until: Option<Instant>) -> io::Result<Self> {
        let mut path = Self { visibility, until, levels: Vec::new() };
        path.push(root.try_clone()?, "")?;
        Ok(path)
    }

    /// Enters a folder that [`entries`](Self::entries) or [`find`](Self::find) returned.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::InvalidData`] if the folder has a `.gitignore` that is not read. The server then does
    /// not know which files to exclude.
    pub(super) fn enter(&mut self, name: &str) -> io::Result<()> {
        self.push(self.current().open_dir(name)?, name)
    }

    /// Returns to the parent of the current folder.
    pub(super) fn leave(&mut self) {
        self.levels.pop();
    }

    /// Returns how many folders were entered.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// Returns the path of an entry of the current folder.
    pub(super) fn path_of(&self, name: &str) -> String {
        self.levels.iter().skip(1).map(|level| &*level.name).chain([name]).collect::<Vec<_>>().join("/")
    }

    /// Returns the visible entries of the current folder, sorted by name.
    pub(super) fn entries(&self) -> io::Result<Vec<FolderEntry>> {
        let mut entries = Vec::new();
        for entry in self.current().entries()? {
            self.check_time()?;
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            entries.extend(self.visible(name, &entry)?);
        }
        entries.sort_unstable();
        Ok(entries)
    }

    /// Returns the visible entry with exactly this name. The name is compared with the names in the folder, because an
    /// operating system can open the same file by several names.
    pub(super) fn find(&self, name: &str) -> io::Result<Option<FolderEntry>> {
        for entry in self.current().entries()? {
            self.check_time()?;
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
        open(self.current(), name)
    }

    fn visible(&self, name: String, entry: &DirEntry) -> io::Result<Option<FolderEntry>> {
        let kind = entry.file_type()?;
        let is_folder = kind.is_dir();
        // A link is neither a file nor a folder here.
        let is_served = (kind.is_file() || is_folder)
            && (self.visibility.hidden || !name.starts_with('.'))
            && (self.visibility.ignored || !self.is_ignored(&name, is_folder));
        Ok(is_served.then_some(FolderEntry { name, is_folder }))
    }

    /// Returns whether Git ignores this entry of the current folder. The deepest `.gitignore` with a rule for the entry
    /// decides.
    fn is_ignored(&self, name: &str, is_folder: bool) -> bool {
        // Git never shows its own folder, which can contain passwords.
        if name.eq_ignore_ascii_case(".git") {
            return true;
        }
        let mut path = name.to_owned();
        for level in self.levels.iter().rev() {
            if let Some(excludes) = level.rules.excludes(&path, is_folder) {
                return excludes;
            }
            path = format!("{}/{path}", level.name);
        }
        false
    }

    fn check_time(&self) -> io::Result<()> {
        match self.until {
            Some(until) if until < Instant::now() => Err(ErrorKind::TimedOut.into()),
            _ => Ok(()),
        }
    }

    /// Makes a folder the current one, and reads its rules.
    fn push(&mut self, dir: Dir, name: &str) -> io::Result<()> {
        let mut rules = IgnoreFile::default();
        if !self.visibility.ignored {
            rules = read_rules(&dir).map_err(|error| {
                let path = if name.is_empty() { GITIGNORE } else { &format!("{}/{GITIGNORE}", self.path_of(name)) };
                io::Error::new(error.kind(), format!("the ignore rules in `{path}` are unknown: {error}"))
            })?;
        }
        self.levels.push(OpenFolder { name: name.to_owned(), dir, rules });
        Ok(())
    }

    fn current(&self) -> &Dir {
        &self.levels.last().expect("a path begins at its root").dir
    }
}

/// Reads the `.gitignore` of a folder, completely or not at all.
fn read_rules(dir: &Dir) -> io::Result<IgnoreFile> {
    let refused = |reason: &str| Err(io::Error::new(ErrorKind::InvalidData, reason));
    let found = match dir.symlink_metadata(GITIGNORE) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(IgnoreFile::default()),
        Err(error) => return Err(error),
    };
    if found.is_dir() {
        return Ok(IgnoreFile::default());
    }
    // Git does not read a link either.
    if !found.is_file() {
        return refused("it is not a regular file; replace it, or serve all files with `Directory::ignored`");
    }
    let file = match open(dir, GITIGNORE) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            return refused("it cannot be read; change its permissions, or serve all files with `Directory::ignored`");
        }
        file => file?,
    };
    if !file.metadata()?.is_file() {
        return refused("it is not a regular file any more");
    }
    let mut text = Vec::new();
    file.take(MAX_IGNORE_FILE + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_IGNORE_FILE {
        return refused(&format!("it is larger than {MAX_IGNORE_FILE} bytes; remove rules that have no effect"));
    }
    Ok(IgnoreFile::parse(text))
}

/// Opens a file for reading. Returns at once, also if another program has replaced the file by a pipe.
fn open(dir: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    dir.open_with(name, &options)
}
