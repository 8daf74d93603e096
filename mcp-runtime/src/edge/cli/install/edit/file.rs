//! A configuration file on the disk. A new content is written beside the file and renamed, so a program never reads half
//! of it, and a failure leaves the file as it was.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, OpenOptions},
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    process,
};

pub(crate) struct ConfigFile {
    path: PathBuf,
    /// The path without symbolic links.
    target: PathBuf,
    /// `None` if there is no file.
    found: Option<(Vec<u8>, Metadata)>,
    text: String,
}

/// Who may read a file that is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewFile {
    /// Only its owner: it can contain secrets.
    Private,
    /// What the system gives new files.
    Shared,
}

/// Errors are texts for the user that name the file.
impl ConfigFile {
    /// Reads the file, if it exists.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let metadata = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound && !is_link => None,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(format!("`{shown}` is a symbolic link to a file that does not exist"));
            }
            metadata => Some(metadata.map_err(|error| format!("`{shown}` cannot be read: {error}"))?),
        };
        let Some(metadata) = metadata else {
            return Ok(Self { path: path.to_owned(), target: path.to_owned(), found: None, text: String::new() });
        };
        // Reading a pipe would wait forever.
        if !metadata.is_file() {
            return Err(format!("`{shown}` is not a file"));
        }
        let target = fs::canonicalize(path).map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
        let bytes = fs::read(&target).map_err(|error| format!("`{shown}` cannot be read: {error}"))?;
        let text = String::from_utf8(bytes.clone()).map_err(|_| format!("`{shown}` is not UTF-8 text"))?;
        Ok(Self { path: path.to_owned(), target, found: Some((bytes, metadata)), text })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn exists(&self) -> bool {
        self.found.is_some()
    }

    /// Returns the content. A file that does not exist is empty.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the path of the backup that is kept for `reason`.
    pub(crate) fn backup_path(&self, reason: &str) -> PathBuf {
        let mut name = OsString::from(self.path.file_name().unwrap_or_default());
        name.push(format!(".before-{reason}"));
        self.path.with_file_name(name)
    }

    /// Returns the content of the backup, if there is one that can be read.
    pub(crate) fn backup(&self, reason: &str) -> Option<String> {
        let path = self.backup_path(reason);
        let is_file = fs::metadata(&path).is_ok_and(|metadata| metadata.is_file());
        is_file.then(|| fs::read_to_string(path).ok()).flatten()
    }

    /// Copies the file to its backup. An earlier backup is replaced.
    pub(crate) fn back_up(&self, reason: &str) -> Result<(), String> {
        let Some((bytes, metadata)) = &self.found else { return Ok(()) };
        let path = self.backup_path(reason);
        write_beside(&path, bytes, Some(metadata), NewFile::Private)?.rename(&path)
    }

    pub(crate) fn delete_backup(&self, reason: &str) {
        // A backup that stays harms nothing.
        let _ = fs::remove_file(self.backup_path(reason));
    }

    /// Replaces the content, and creates the file and its folder if necessary. The permissions and the owner of an
    /// existing file stay.
    ///
    /// # Errors
    /// If another program has changed the file since it was read, among others. Then nothing is changed.
    pub(crate) fn replace(&self, text: &str, new_file: NewFile) -> Result<(), String> {
        self.check_writable()?;
        if let (None, Some(folder)) = (&self.found, self.target.parent()) {
            fs::create_dir_all(folder)
                .map_err(|error| format!("the folder `{}` cannot be created: {error}", folder.display()))?;
        }
        let metadata = self.found.as_ref().map(|(_, metadata)| metadata);
        let written = write_beside(&self.target, text.as_bytes(), metadata, new_file)?;
        self.check_unchanged()?;
        written.rename(&self.target)
    }

    /// Deletes the file.
    ///
    /// # Errors
    /// As [`replace`](Self::replace).
    pub(crate) fn delete(&self) -> Result<(), String> {
        self.check_writable()?;
        self.check_unchanged()?;
        fs::remove_file(&self.path).map_err(|error| format!("`{}` cannot be deleted: {error}", self.path.display()))
    }

    /// A file that is read-only could be replaced, but its owner does not want that.
    fn check_writable(&self) -> Result<(), String> {
        match &self.found {
            Some((_, metadata)) if metadata.permissions().readonly() => {
                Err(format!("`{}` is read-only; make it writable first", self.path.display()))
            }
            _ => Ok(()),
        }
    }

    fn check_unchanged(&self) -> Result<(), String> {
        let now = match fs::read(&self.target) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(format!("`{}` cannot be read: {error}", self.path.display())),
        };
        if now.as_ref() == self.found.as_ref().map(|(bytes, _)| bytes) {
            return Ok(());
        }
        Err(format!("another program has just changed `{}`; run the command again", self.path.display()))
    }
}

/// A complete file that is deleted again unless it is renamed.
struct WrittenFile {
    path: PathBuf,
    is_renamed: bool,
}

impl WrittenFile {
    fn rename(mut self, path: &Path) -> Result<(), String> {
        fs::rename(&self.path, path).map_err(|error| cannot_write(path, &error))?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for WrittenFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> String {
    format!("`{}` cannot be written: {error}", path.display())
}

/// Writes a new file into the folder of `path`, with the permissions and the owner of the file with this metadata.
fn write_beside(path: &Path, bytes: &[u8], like: Option<&Metadata>, new_file: NewFile) -> Result<WrittenFile, String> {
    let (mut file, written) = create_beside(path, like.is_some() || new_file == NewFile::Private)?;
    let failed = |error| cannot_write(path, &error);
    file.write_all(bytes).map_err(failed)?;
    if let Some(metadata) = like {
        keep_owner(&written.path, &file, metadata).map_err(failed)?;
        file.set_permissions(metadata.permissions()).map_err(failed)?;
    }
    file.sync_all().map_err(failed)?;
    Ok(written)
}

fn create_beside(path: &Path, is_private: bool) -> Result<(File, WrittenFile), String> {
    /// More than so many files of one process are not left over.
    const TRIES: usize = 100;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = is_private;
    let mut tries = 0;
    loop {
        let mut name = OsString::from(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{tries}.tmp", process::id()));
        let beside = path.with_file_name(name);
        match options.open(&beside) {
            Ok(file) => return Ok((file, WrittenFile { path: beside, is_renamed: false })),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
            Err(error) => return Err(cannot_write(path, &error)),
        }
    }
}

/// Gives the file its former owner, which matters if the administrator runs the command. The group is kept if the user may
/// do so.
#[cfg(unix)]
fn keep_owner(path: &Path, file: &File, former: &Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};

    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (former.uid(), former.gid()) {
        return Ok(());
    }
    let changed = chown(path, Some(former.uid()), Some(former.gid()));
    if now.uid() == former.uid() { Ok(()) } else { changed }
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &File, _: &Metadata) -> std::io::Result<()> {
    Ok(())
}
