//! The folder of the program for everything that outlives a process: its keys and its store.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{
    base::{hex::hex, random},
    edge::dev::target::DevStore,
    engine::store::{KeyRing, SqliteStore},
};

/// By default `mcp-dev/PROGRAM` below the folder of Cargo. The processes of all sessions of `dev` share it, so that a
/// call stays open while the program is built again, and while `dev` itself is started again.
pub(super) struct DevFolder {
    path: PathBuf,
    /// The keys as `MCP_STATE_KEY` has them.
    pub(super) keys: String,
    /// The token in the address for hosts, whose configuration contains it.
    pub(super) host_token: String,
    pub(super) store: DevStore,
    /// Shared by all sessions that use the store.
    _lock: File,
}

impl DevFolder {
    /// Opens the folder, and creates what is missing.
    ///
    /// # Errors
    /// Returns the reason why a file cannot be used.
    pub(super) fn open(path: PathBuf) -> Result<Self, String> {
        let failed = |error: io::Error| format!("cannot use the folder `{}`: {error}", path.display());
        fs::create_dir_all(&path).map_err(failed)?;
        let lock = begin_session(&path).map_err(failed)?;
        let keys = secret(&path.join("key"), || STANDARD.encode(random::bytes::<32>())).map_err(failed)?;
        let host_token = secret(&path.join("host-token"), || hex(&random::bytes::<32>())).map_err(failed)?;
        if host_token.len() != 64 || !host_token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            let file = path.join("host-token");
            return Err(format!("`{}` is not a token; remove the file, and a new one is made", file.display()));
        }
        let ring: KeyRing = keys.parse().map_err(|error| {
            format!("`{}`: {error}; remove the file, and a new key is made", path.join("key").display())
        })?;
        let file = store_of(&path);
        let store =
            SqliteStore::open(&file).map_err(|error| format!("cannot open the store `{}`: {error}", file.display()))?;
        Ok(Self { path, keys, host_token, store: DevStore { keys: ring, store }, _lock: lock })
    }

    /// Returns the address of the store, as `MCP_STORE` has it.
    pub(super) fn store_address(&self) -> String {
        format!("sqlite:{}", store_of(&self.path).display())
    }

    /// Records that the clock of the store was moved forward. A store never goes back, so the next session that begins
    /// alone begins with a new store.
    pub(super) fn clock_was_moved(&self) {
        // Without the file, states of the next session only expire later.
        let _ = File::create(clock_of(&self.path));
    }
}

fn store_of(folder: &Path) -> PathBuf {
    folder.join("store.db")
}

fn clock_of(folder: &Path) -> PathBuf {
    folder.join("clock-was-moved")
}

/// Removes a store whose clock was moved, unless another session uses it. Returns the lock of this session.
fn begin_session(folder: &Path) -> io::Result<File> {
    let lock = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("lock"))?;
    if lock.try_lock().is_ok() {
        if clock_of(folder).exists() {
            for end in ["", "-wal", "-shm"] {
                remove(&folder.join(format!("store.db{end}")))?;
            }
            remove(&clock_of(folder))?;
        }
        lock.unlock()?;
    }
    lock.lock_shared()?;
    Ok(lock)
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads the file with a secret, or creates it with a new secret. Only the user can read it.
fn secret(file: &Path, new: impl FnOnce() -> String) -> io::Result<String> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(mut created) => {
            let secret = new();
            created.write_all(secret.as_bytes())?;
            Ok(secret)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(fs::read_to_string(file)?.trim().to_owned()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    struct Temp(PathBuf);

    impl Temp {
        fn new() -> Self {
            let folder = env::temp_dir().join(format!("mcp dev {}", hex(&random::bytes::<8>())));
            fs::create_dir(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Temp {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_keys_and_the_store_stay_the_same() {
        let temp = Temp::new();
        let first = DevFolder::open(temp.0.join("app")).unwrap();
        let second = DevFolder::open(temp.0.join("app")).unwrap();
        assert_eq!(first.keys, second.keys);
        assert_eq!(first.store_address(), second.store_address());
        assert_eq!((first.host_token.len(), &first.host_token), (64, &second.host_token));
        let other = DevFolder::open(temp.0.join("other")).unwrap();
        assert!(first.keys != other.keys && first.host_token != other.host_token);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            for file in ["app/key", "app/host-token"] {
                let mode = fs::metadata(temp.0.join(file)).unwrap().permissions().mode();
                assert_eq!(mode & 0o777, 0o600, "{file}");
            }
        }
    }

    #[test]
    fn a_store_whose_clock_was_moved_is_removed_when_nobody_uses_it() {
        let temp = Temp::new();
        let store = temp.0.join("app/store.db");
        let marked = || fs::metadata(&store).unwrap().len() == 4;
        let first = DevFolder::open(temp.0.join("app")).unwrap();
        first.clock_was_moved();
        let second = DevFolder::open(temp.0.join("app")).unwrap();
        drop((first, second));
        // Not the store of SQLite, so that the test knows the file again.
        fs::write(&store, "mark").unwrap();
        let lock = begin_session(&temp.0.join("app")).unwrap();
        assert!(!store.exists());
        drop(lock);
        fs::write(&store, "mark").unwrap();
        let _lock = begin_session(&temp.0.join("app")).unwrap();
        assert!(marked(), "removed once");
    }

    #[test]
    fn a_key_that_is_no_key_is_an_error_that_names_the_file() {
        let temp = Temp::new();
        drop(DevFolder::open(temp.0.join("app")).unwrap());
        fs::write(temp.0.join("app/key"), "sesame").unwrap();
        let Err(error) = DevFolder::open(temp.0.join("app")) else { panic!("opened") };
        assert!(error.contains("key`: ") && error.ends_with("; remove the file, and a new key is made"), "{error}");

        drop(DevFolder::open(temp.0.join("other")).unwrap());
        // An empty token would be in every address.
        fs::write(temp.0.join("other/host-token"), "").unwrap();
        let Err(error) = DevFolder::open(temp.0.join("other")) else { panic!("opened") };
        assert!(error.ends_with("host-token` is not a token; remove the file, and a new one is made"), "{error}");
    }
}
