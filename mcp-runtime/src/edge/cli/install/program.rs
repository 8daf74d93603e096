//! The program that a host starts: its absolute path, and its own arguments.

use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Component, Path, PathBuf, absolute},
};

/// Returns the absolute path of this program, because hosts have a short `PATH` and start programs in any folder.
///
/// The path is the one that the user typed, or that `PATH` has, and not the file behind its symbolic links: package
/// managers change the links when they install a new version.
///
/// # Errors
/// If the path is unknown or is not UTF-8, which the files of hosts are.
pub(crate) fn program_path(typed: Option<&OsStr>) -> Result<String, String> {
    let file = env::current_exe().map_err(|error| format!("the path of this program is unknown: {error}"))?;
    let typed = typed.map(Path::new).filter(|typed| !typed.as_os_str().is_empty());
    let is_name = typed.is_some_and(|typed| typed.components().count() == 1);
    let folders = env::var_os("PATH").filter(|_| is_name).unwrap_or_default();
    let candidates = match typed {
        Some(typed) if is_name => env::split_paths(&folders).map(|folder| folder.join(typed)).collect(),
        Some(typed) => vec![typed.to_owned()],
        None => Vec::new(),
    };
    let path = candidates.into_iter().find(|candidate| is_same_file(candidate, &file)).unwrap_or(file);
    let path = without_parents(absolute(&path).unwrap_or(path));
    if !path.exists() {
        return Err(format!("this program is not at `{}` any more; start it again", path.display()));
    }
    path.into_os_string().into_string().map_err(|path| format!("the path `{}` is not UTF-8", path.to_string_lossy()))
}

/// Resolves the folder if the path goes up. The name of the file stays as it is.
fn without_parents(path: PathBuf) -> PathBuf {
    match (path.parent().map(fs::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) if path.components().any(|part| part == Component::ParentDir) => {
            folder.join(name)
        }
        _ => path,
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether Cargo built this program without optimizations: it is below `target/debug` or `target/TRIPLE/debug`.
pub(crate) fn is_debug_build(path: &str) -> bool {
    let names: Vec<_> = Path::new(path).iter().collect();
    let is = |at: Option<usize>, name: &str| at.and_then(|at| names.get(at)).is_some_and(|found| *found == name);
    let mut debug = (0..names.len()).filter(|at| is(Some(*at), "debug"));
    debug.any(|at| is(at.checked_sub(1), "target") || is(at.checked_sub(2), "target"))
}

/// Returns the name of the file that a command starts, without its folder and extension. The command can come from any
/// system.
pub(crate) fn file_name(command: &str) -> &str {
    let name = command.rsplit(['/', '\\']).next().unwrap_or(command);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Returns the arguments of this process that stand before those of the command: the program's own flags.
pub(crate) fn own_arguments(process: &[OsString], command: &[OsString]) -> Vec<OsString> {
    process.strip_suffix(command).map(<[OsString]>::to_vec).unwrap_or_default()
}

/// Returns the relative path in an argument, if it is the path of something that exists: the host would look elsewhere.
pub(crate) fn relative_path(argument: &str) -> Option<PathBuf> {
    let value = argument.split_once('=').filter(|(name, _)| name.starts_with('-')).map_or(argument, |(_, value)| value);
    let path = Path::new(value);
    let looks_like_path = value == "." || value == ".." || value.contains(['/', '\\']);
    (looks_like_path && path.is_relative() && path.exists()).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_debug_builds_by_their_folder() {
        for path in
            ["/x/target/debug/app", "/x/target/x86_64-unknown-linux-musl/debug/app", "/x/target/debug/examples/app"]
        {
            assert!(is_debug_build(path), "{path}");
        }
        for path in
            ["/x/target/release/app", "/usr/bin/app", "/x/debug/app", "/home/debug/x/target/release/app", "debug"]
        {
            assert!(!is_debug_build(path), "{path}");
        }
    }

    #[test]
    fn the_name_of_a_program_does_not_depend_on_its_system() {
        for command in ["/opt/flights", "C:\\Programs\\flights.exe", "flights"] {
            assert_eq!(file_name(command), "flights");
        }
    }

    #[test]
    fn the_programs_own_flags_stand_before_the_command() {
        let words = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert_eq!(own_arguments(&words("--root /x install cursor"), &words("install cursor")), words("--root /x"));
        assert_eq!(own_arguments(&words("install cursor"), &words("install cursor")), words(""));
        assert_eq!(own_arguments(&words("other"), &words("install cursor")), words(""));
    }

    #[test]
    fn this_program_has_an_absolute_path() {
        let expected = env::current_exe().unwrap();
        for typed in [None, Some(OsStr::new("")), Some(OsStr::new("no-such-program")), Some(expected.as_os_str())] {
            assert_eq!(program_path(typed).as_deref(), Ok(expected.to_str().unwrap()), "{typed:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_link_with_which_the_program_was_started_is_kept() {
        let folder = fs::canonicalize(env::temp_dir()).unwrap().join(format!("mcp-program-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        let link = folder.join("link");
        std::os::unix::fs::symlink(env::current_exe().unwrap(), &link).unwrap();
        let found = [link.clone(), folder.join("inner/../link")].map(|typed| program_path(Some(typed.as_os_str())));
        fs::remove_dir_all(&folder).unwrap();
        let expected = Ok(link.display().to_string());
        assert_eq!(found, [expected.clone(), expected]);
    }

    #[test]
    fn a_relative_path_is_one_that_exists() {
        assert_eq!(relative_path("--root=."), Some(".".into()));
        assert_eq!(relative_path("./src"), Some("./src".into()));
        for argument in ["--root", "src", "/", "./missing", "a=b/c"] {
            assert_eq!(relative_path(argument), None, "{argument}");
        }
    }
}
