//! Who has called which tool, and when.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use mcp_runtime::{
    Result,
    layer::{CallInfo, Layer},
};
use serde_json::json;

use crate::item::now;

/// The most bytes of the file. Then it becomes the earlier file, and a new one begins.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Writes one line for each call that begins. A call that goes on after a restart does not begin again.
pub(crate) struct Audit {
    path: PathBuf,
    file: Mutex<File>,
}

impl Audit {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), file: Mutex::new(append_to(path)?) })
    }

    fn write(&self, line: &str) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if file.metadata()?.len() >= MOST_BYTES {
            fs::rename(&self.path, self.path.with_extension("earlier.jsonl"))?;
            *file = append_to(&self.path)?;
        }
        file.write_all(line.as_bytes())
    }
}

impl Layer for Audit {
    async fn admit(&self, call: &CallInfo) -> Result<()> {
        let user = call.principal().map(|principal| principal.name().to_owned());
        let line = json!({ "at": now(), "tool": call.tool(), "user": user });
        self.write(&format!("{line}\n"))?;
        Ok(())
    }
}

fn append_to(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}
