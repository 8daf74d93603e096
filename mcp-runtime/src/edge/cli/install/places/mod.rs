//! Where the files of hosts are: the folders of the user and of the project.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::edge::hosts::place::{OperatingSystem, PlacePath};

pub(crate) type VariableLookup = Box<dyn Fn(&str) -> Option<OsString>>;

/// The folders and variables of a user. Tests make their own.
pub(crate) struct Places {
    pub(crate) system: OperatingSystem,
    pub(crate) home: PathBuf,
    /// The folder of the project.
    pub(crate) project: PathBuf,
    /// Returns an environment variable.
    pub(crate) variable: VariableLookup,
}

impl Places {
    /// Returns the places of this process.
    ///
    /// # Errors
    /// If the home directory or the current directory is unknown.
    pub(crate) fn of_process() -> Result<Self, String> {
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        let system = match () {
            () if cfg!(windows) => OperatingSystem::Windows,
            () if cfg!(target_os = "macos") => OperatingSystem::MacOs,
            () => OperatingSystem::Linux,
        };
        Ok(Self {
            system,
            home: home.ok_or("the home directory is unknown; set `HOME`")?,
            project: env::current_dir().map_err(|error| format!("the current directory is unknown: {error}"))?,
            variable: Box::new(|name| env::var_os(name)),
        })
    }

    pub(crate) fn path(&self, path: &PlacePath) -> PathBuf {
        self.resolved(path.on(self.system))
    }

    fn resolved(&self, path: &str) -> PathBuf {
        if let Some(path) = path.strip_prefix("~/") {
            return joined(&self.home, path);
        }
        let variable = path.strip_prefix('{').and_then(|path| path.split_once("}/"));
        let Some((variable, path)) = variable else { return joined(&self.project, path) };
        let (variable, default) = variable.split_once(':').unwrap_or((variable, "~/"));
        let folder = (self.variable)(variable).filter(|folder| !folder.is_empty());
        joined(&folder.map_or_else(|| self.resolved(default), PathBuf::from), path)
    }
}

fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut joined = folder.to_owned();
    joined.extend(path.split('/').filter(|part| !part.is_empty()));
    joined
}

#[cfg(test)]
mod tests;
