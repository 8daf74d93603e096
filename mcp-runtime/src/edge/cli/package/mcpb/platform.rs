//! The programs of a bundle: one for each system.

use std::{
    env,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use crate::edge::hosts::entry::entry_name_of;

/// A system that a bundle can have a program for. A bundle does not distinguish processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Platform {
    Linux,
    Darwin,
    Win32,
}

/// A program of a bundle.
#[derive(Debug)]
pub(super) struct BundledProgram {
    pub(super) platform: Platform,
    /// Where the program is now.
    pub(super) path: PathBuf,
    /// Where the program is in the bundle.
    pub(super) inside: String,
}

impl Platform {
    const ALL: [Self; 3] = [Self::Linux, Self::Darwin, Self::Win32];

    /// Returns the name that bundles use.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Linux => "linux",
            Self::Darwin => "darwin",
            Self::Win32 => "win32",
        }
    }

    /// Returns the system of this program, if a bundle can have it.
    fn of_process() -> Option<Self> {
        match env::consts::OS {
            "linux" => Some(Self::Linux),
            "macos" => Some(Self::Darwin),
            "windows" => Some(Self::Win32),
            _ => None,
        }
    }

    /// Returns whether programs of this system begin with these bytes.
    fn begins_program(self, start: &[u8]) -> bool {
        match self {
            Self::Linux => start.starts_with(b"\x7fELF"),
            // 32 and 64 bits in both byte orders, and programs for several processors.
            Self::Darwin => matches!(
                start,
                [0xfe, 0xed, 0xfa, 0xce | 0xcf, ..]
                    | [0xce | 0xcf, 0xfa, 0xed, 0xfe, ..]
                    | [0xca, 0xfe, 0xba, 0xbe, ..]
            ),
            Self::Win32 => start.starts_with(b"MZ"),
        }
    }
}

/// Reads the value of `--binary`.
pub(super) fn binary(text: &str) -> Result<(Platform, PathBuf), String> {
    let (name, path) = text.split_once('=').ok_or("expected SYSTEM=FILE, such as `linux=target/release/app`")?;
    let platform = Platform::ALL.into_iter().find(|platform| platform.as_str() == name);
    let instead = match name {
        "macos" | "mac" | "osx" => "; write `darwin`",
        "windows" | "win" => "; write `win32`",
        _ => "",
    };
    match platform {
        Some(platform) => Ok((platform, path.into())),
        None => Err(format!("`{name}` is not `linux`, `darwin` or `win32`{instead}")),
    }
}

/// Returns the programs of a bundle for the server with this name. If none is given, it is this program.
///
/// # Errors
/// Returns what is wrong with the programs, one sentence each.
pub(super) fn programs(given: Vec<(Platform, PathBuf)>, server: &str) -> Result<Vec<BundledProgram>, Vec<String>> {
    let given = if given.is_empty() { vec![this_program().map_err(|problem| vec![problem])?] } else { given };
    let problems = given.iter().enumerate().filter_map(|(index, (platform, path))| {
        if given[..index].iter().any(|(earlier, _)| earlier == platform) {
            return Some(format!("there are two programs for `{}`; keep one `--binary`", platform.as_str()));
        }
        let (name, shown) = (platform.as_str(), path.display());
        match start(path) {
            Ok(start) if platform.begins_program(&start) => None,
            Ok(_) => Some(format!("`{shown}` is not a program for `{name}`")),
            Err(error) => Some(format!("the program `{shown}` for `{name}` cannot be read: {error}")),
        }
    });
    let problems: Vec<_> = problems.collect();
    if !problems.is_empty() {
        return Err(problems);
    }
    let (name, is_alone) = (entry_name_of(server), given.len() == 1);
    let programs = given.into_iter().map(|(platform, path)| {
        let folder = if is_alone { String::new() } else { format!("{}/", platform.as_str()) };
        let extension = if platform == Platform::Win32 { ".exe" } else { "" };
        BundledProgram { platform, path, inside: format!("server/{folder}{name}{extension}") }
    });
    Ok(programs.collect())
}

fn this_program() -> Result<(Platform, PathBuf), String> {
    let platform = Platform::of_process().ok_or_else(|| {
        format!("bundles are not for `{}`; name the programs for other systems with `--binary`", env::consts::OS)
    })?;
    let path = env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
    Ok((platform, path))
}

/// Returns the first bytes of a file.
fn start(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_programs_of_each_system() {
        for (start, platform) in [
            (&b"\x7fELF\x02"[..], Some(Platform::Linux)),
            (b"\xcf\xfa\xed\xfe", Some(Platform::Darwin)),
            (b"\xca\xfe\xba\xbe", Some(Platform::Darwin)),
            (b"MZ\x90\0", Some(Platform::Win32)),
            (b"#!/b", None),
            (b"", None),
        ] {
            let found = Platform::ALL.into_iter().filter(|platform| platform.begins_program(start));
            assert_eq!(found.collect::<Vec<_>>(), Vec::from_iter(platform), "{start:?}");
        }
    }

    #[test]
    fn a_binary_names_its_system() {
        assert_eq!(binary("win32=a=b.exe"), Ok((Platform::Win32, "a=b.exe".into())));
        assert_eq!(binary("macos=app").unwrap_err(), "`macos` is not `linux`, `darwin` or `win32`; write `darwin`");
        assert!(binary("app").unwrap_err().starts_with("expected SYSTEM=FILE"));
    }
}
