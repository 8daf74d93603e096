//! A server whose tools are in a file, which can change while the server runs.

mod definition;
mod tool_file;

use std::{env, error::Error, path::PathBuf, process::ExitCode, time::Duration};

use mcp_runtime::prelude::*;
use notify_debouncer_mini::{new_debouncer, notify::RecursiveMode};

use crate::tool_file::ToolFile;

/// How long the file must be unchanged before it is read again.
const SETTLED: Duration = Duration::from_millis(100);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match serve().await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<ExitCode, Box<dyn Error>> {
    let path = PathBuf::from(env::var_os("TOOLS_FILE").unwrap_or_else(|| "tools.json".into())).canonicalize()?;
    let service = Server::new("dynamic", env!("CARGO_PKG_VERSION")).dynamic_tools().build()?;
    let folder = path.parent().ok_or("a file is in a folder")?.to_owned();
    let mut file = ToolFile::new(path, service.tools());
    file.load()?;
    let mut watcher = new_debouncer(SETTLED, move |_| {
        if let Err(error) = file.load() {
            eprintln!("the tools stay as they are: {error}");
        }
    })?;
    // The folder, because many editors replace the file when they save it.
    watcher.watcher().watch(&folder, RecursiveMode::NonRecursive)?;
    Ok(service.run().await)
}
