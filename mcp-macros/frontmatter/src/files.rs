//! The files of a skill: which they are, how many, and their digests.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use hmac_sha256::Hash;

/// The file that makes a folder a skill.
pub const SKILL_FILE: &str = "SKILL.md";

/// The maximum number of files of a skill that every host accepts.
pub const MAX_FILES: usize = 512;

/// The maximum size of all files of a skill that every host accepts: 16 MiB.
pub const MAX_BYTES: u64 = 16 << 20;

/// A file of a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillFile {
    /// The names of the folders inside of the skill, and of the file, separated by `/`.
    pub path: String,
    /// Where the file is.
    pub place: PathBuf,
    /// The size in bytes.
    pub size: u64,
}

/// Returns the files in a folder and in the folders inside of it, sorted by path. Leaves out names that begin with a
/// period, and does not follow links.
///
/// # Errors
/// Fails if a folder cannot be read, or if a name is not Unicode.
pub fn files(folder: &Path) -> io::Result<Vec<SkillFile>> {
    let mut files = Vec::new();
    collect(folder, "", &mut files)?;
    // The order of a file system differs from machine to machine.
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn collect(folder: &Path, parents: &str, files: &mut Vec<SkillFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let place = entry.path();
        let name = entry.file_name().into_string().map_err(|name| {
            io::Error::new(io::ErrorKind::InvalidData, format!("the name {} is not Unicode", name.display()))
        })?;
        if name.starts_with('.') {
            continue;
        }
        // The type of a link is that of the link itself.
        let kind = entry.file_type()?;
        let path = format!("{parents}{name}");
        if kind.is_dir() {
            collect(&place, &format!("{path}/"), files)?;
        } else if kind.is_file() {
            let size = entry.metadata()?.len();
            files.push(SkillFile { path, place, size });
        }
    }
    Ok(())
}

/// Returns the digest of a file as the protocol writes it: `sha256:` and 64 hexadecimal digits.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)]));
    "sha256:".chars().chain(Hash::hash(bytes).iter().flat_map(digits)).collect()
}
