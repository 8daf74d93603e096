//! The secret keys of the program, files beside the data. A program on several machines takes them from its configuration
//! instead: see `KeyRing`.

use std::{
    error::Error,
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::Path,
};

/// Reads a key, or creates it.
pub(crate) fn key(path: &Path) -> Result<[u8; 32], Box<dyn Error>> {
    match fs::read(path) {
        Ok(stored) => {
            return Ok(stored.try_into().map_err(|_| format!("{} is not a key of 32 bytes", path.display()))?);
        }
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        Err(_) => {}
    }
    let mut key = [0; 32];
    getrandom::fill(&mut key)?;
    // Only a complete key gets the name.
    let unfinished = path.with_extension("new");
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(&key)?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(key)
}
