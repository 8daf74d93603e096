//! Who has called which tool, and when.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
};

use mcp_runtime::{
    Result,
    layer::{CallInfo, Layer},
};
use serde_json::json;

use crate::item::now;

/// Writes one line for each call that begins. A call that goes on after a restart does not begin again.
pub(crate) struct Audit(File);

impl Audit {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        OpenOptions::new().create(true).append(true).open(path).map(Self)
    }
}

impl Layer for Audit {
    async fn admit(&self, call: &CallInfo) -> Result<()> {
        let user = call.principal().map(|principal| principal.name().to_owned());
        let line = json!({ "at": now(), "tool": call.tool(), "user": user });
        (&self.0).write_all(format!("{line}\n").as_bytes())?;
        Ok(())
    }
}
