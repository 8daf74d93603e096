//! Where the files of hosts are: the folders of the user and of the project.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatingSystem {
    Linux,
    MacOs,
    Windows,
}

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

/// One path for each system. A path begins with
/// - `~/`, the home directory,
/// - `{NAME:~/folder}/`, the folder in the environment variable, or the one behind the colon,
/// - anything else in the folder of the project.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacePath {
    linux: &'static str,
    macos: &'static str,
    windows: &'static str,
}

impl PlacePath {
    pub(crate) const fn everywhere(path: &'static str) -> Self {
        Self { linux: path, macos: path, windows: path }
    }

    pub(crate) const fn of(linux: &'static str, macos: &'static str, windows: &'static str) -> Self {
        Self { linux, macos, windows }
    }
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
        self.resolved(match self.system {
            OperatingSystem::Linux => path.linux,
            OperatingSystem::MacOs => path.macos,
            OperatingSystem::Windows => path.windows,
        })
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
mod tests {
    use super::*;

    fn places(system: OperatingSystem, variable: impl Fn(&str) -> Option<OsString> + 'static) -> Places {
        Places { system, home: "/home/ada".into(), project: "/work/trip".into(), variable: Box::new(variable) }
    }

    #[test]
    fn a_variable_replaces_its_default() {
        let path = PlacePath::everywhere("{XDG_CONFIG_HOME:~/.config}/Claude/a.json");
        let none = places(OperatingSystem::Linux, |_| None);
        assert_eq!(none.path(&path), Path::new("/home/ada/.config/Claude/a.json"));
        let empty = places(OperatingSystem::Linux, |_| Some(OsString::new()));
        assert_eq!(empty.path(&path), Path::new("/home/ada/.config/Claude/a.json"));
        let set = places(OperatingSystem::Linux, |name| (name == "XDG_CONFIG_HOME").then(|| "/etc/ada".into()));
        assert_eq!(set.path(&path), Path::new("/etc/ada/Claude/a.json"));
    }

    #[test]
    fn each_system_has_its_path() {
        let path = PlacePath::of("a/b", "~/c d/e", "~/f");
        for (system, expected) in [
            (OperatingSystem::Linux, "/work/trip/a/b"),
            (OperatingSystem::MacOs, "/home/ada/c d/e"),
            (OperatingSystem::Windows, "/home/ada/f"),
        ] {
            assert_eq!(places(system, |_| None).path(&path), Path::new(expected));
        }
    }
}
