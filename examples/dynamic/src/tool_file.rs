//! The file of the tools, and the tools that were read from it.

use std::{fs, io, path::PathBuf};

use mcp_runtime::{
    BuildError,
    tool::{ToolChanges, ToolList},
};

use crate::definition::Definition;

/// The file of the tools.
pub(crate) struct ToolFile {
    path: PathBuf,
    /// The tools of the server.
    tools: ToolList,
    /// What the file said when it was last valid.
    loaded: Vec<Definition>,
}

/// The reason why the file cannot be used. The tools of the server are then those of the last valid file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolFileError {
    #[error("cannot read `{}`: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("`{}` is not a list of tools: {error}", path.display())]
    Parse { path: PathBuf, error: serde_json::Error },
    #[error("`{}` has the tool `{name}` twice; rename one", path.display())]
    Twice { path: PathBuf, name: String },
    #[error("the template of the tool `{name}`: {error}")]
    Template { name: String, error: minijinja::Error },
    #[error(transparent)]
    Tools(#[from] BuildError),
}

impl ToolFile {
    /// Creates the file without reading it.
    pub(crate) fn new(path: PathBuf, tools: ToolList) -> Self {
        Self { path, tools, loaded: Vec::new() }
    }

    /// Reads the file, and makes the tools of the server those of the file. Clients get at most one notice.
    ///
    /// # Errors
    /// The file cannot be used.
    pub(crate) fn load(&mut self) -> Result<(), ToolFileError> {
        let path = || self.path.clone();
        let text = fs::read(&self.path).map_err(|error| ToolFileError::Read { path: path(), error })?;
        let wanted: Vec<Definition> =
            serde_json::from_slice(&text).map_err(|error| ToolFileError::Parse { path: path(), error })?;
        for (index, tool) in wanted.iter().enumerate() {
            if wanted[..index].iter().any(|earlier| earlier.name == tool.name) {
                return Err(ToolFileError::Twice { path: path(), name: tool.name.clone() });
            }
        }
        let mut changes = ToolChanges::default();
        for tool in wanted.iter().filter(|tool| !self.loaded.contains(tool)) {
            let failed = |error| ToolFileError::Template { name: tool.name.clone(), error };
            changes.replace(tool.tool().map_err(failed)?);
        }
        for gone in self.loaded.iter().filter(|known| wanted.iter().all(|tool| tool.name != known.name)) {
            changes.remove(&gone.name);
        }
        self.tools.edit(|edited| *edited = changes)?;
        self.loaded = wanted;
        Ok(())
    }
}
