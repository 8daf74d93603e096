//! Folders for the tests.

use std::{
    fs,
    path::PathBuf,
    process,
    sync::atomic::{AtomicUsize, Ordering},
};

use mcp_runtime::{Server, Service, resource::Directory};

/// A folder in the directory for temporary files, which is removed at the end.
pub(crate) struct Place(pub(crate) PathBuf);

impl Place {
    pub(crate) fn new() -> Self {
        static PLACES: AtomicUsize = AtomicUsize::new(0);
        let number = PLACES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mcp_directory_{}_{number}", process::id()));
        fs::create_dir_all(path.join("docs")).unwrap();
        Self(path)
    }

    /// Writes a file, whose path is relative to this folder. The folder that is served is `docs`.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn directory(&self) -> Directory {
        Directory::new(self.0.join("docs"))
    }

    pub(crate) fn service(&self) -> Service {
        serve(self.directory())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn serve(directory: Directory) -> Service {
    Server::new("files", "1").page_size(3).resource(directory).build().unwrap()
}
