//! The paths of the files of hosts, before the folders of a user are known.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperatingSystem {
    Linux,
    MacOs,
    Windows,
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

    pub(crate) const fn on(&self, system: OperatingSystem) -> &'static str {
        match system {
            OperatingSystem::Linux => self.linux,
            OperatingSystem::MacOs => self.macos,
            OperatingSystem::Windows => self.windows,
        }
    }
}
