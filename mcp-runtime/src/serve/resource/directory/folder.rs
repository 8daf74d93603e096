//! Lists and opens the files of a folder.

use std::{
    borrow::Cow,
    io::{self, ErrorKind},
    path::Path,
    time::{Instant, SystemTime},
};

use cap_std::{
    ambient_authority,
    fs::{Dir, File, Metadata},
};

use super::open_path::{OpenPath, Visibility};

/// The maximum depth of the folders that are served.
const MAX_DEPTH: usize = 64;

/// An open folder. All files are opened relative to it.
#[derive(Debug)]
pub(super) struct Folder(Dir);

/// A file of the folder.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// The names of the folders and of the file, separated by `/`.
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) modified: Option<SystemTime>,
}

impl Folder {
    /// # Errors
    /// Fails if the path is not a folder, or cannot be opened.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self)
    }

    /// Opens a file and returns its size. Returns `None` if there is no such file, or if it is not served.
    ///
    /// # Errors
    /// Fails if a folder cannot be read, or if it is still being read at `until`.
    pub(super) fn file(
        &self,
        path: &[Cow<'_, str>],
        visibility: Visibility,
        until: Instant,
    ) -> io::Result<Option<(File, u64)>> {
        let found = self.find(path, visibility, until);
        match found {
            // The file or a folder disappeared after it was found.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            found => found,
        }
    }

    fn find(&self, path: &[Cow<'_, str>], visibility: Visibility, until: Instant) -> io::Result<Option<(File, u64)>> {
        let Some((name, parents)) = path.split_last().filter(|(_, parents)| parents.len() <= MAX_DEPTH) else {
            return Ok(None);
        };
        let mut open = OpenPath::new(&self.0, visibility, Some(until))?;
        for parent in parents {
            match open.find(parent)? {
                Some(entry) if entry.is_folder => open.enter(&entry.name)?,
                _ => return Ok(None),
            }
        }
        match open.find(name)? {
            Some(entry) if !entry.is_folder => {
                let file = open.file(&entry.name)?;
                let metadata = file.metadata()?;
                Ok(metadata.is_file().then(|| (file, metadata.len())))
            }
            _ => Ok(None),
        }
    }

    /// Returns at most `limit` files, sorted by path. Skips all files up to the path `after`. Also returns whether more
    /// files follow.
    ///
    /// # Errors
    /// Fails if a folder cannot be read, or if it is still being read at `until`.
    pub(super) fn page(
        &self,
        after: Option<&str>,
        limit: usize,
        visibility: Visibility,
        until: Instant,
    ) -> io::Result<(Vec<FoundFile>, bool)> {
        let mut open = OpenPath::new(&self.0, visibility, Some(until))?;
        let after: Vec<_> = after.into_iter().flat_map(|path| path.split('/')).collect();
        let mut files = Vec::new();
        let has_more = collect(&mut open, &after, limit, &mut files, &mut |_, _| {})?;
        Ok((files, has_more))
    }

    /// Returns all files. Before reading the entries of a subfolder, calls `enter` with the path of the subfolder.
    pub(super) fn all(&self, visibility: Visibility, enter: &mut dyn FnMut(&str)) -> io::Result<Vec<FoundFile>> {
        let mut open = OpenPath::new(&self.0, visibility, None)?;
        let mut files = Vec::new();
        let enter = &mut |open: &OpenPath, name: &str| enter(&open.path_of(name));
        collect(&mut open, &[], usize::MAX, &mut files, enter)?;
        Ok(files)
    }
}

/// Adds the files of the current folder and of the folders in it. Stops at `limit`, and returns whether there are more.
fn collect(
    open: &mut OpenPath,
    after: &[&str],
    limit: usize,
    files: &mut Vec<FoundFile>,
    enter: &mut dyn FnMut(&OpenPath, &str),
) -> io::Result<bool> {
    for entry in open.entries()? {
        let (is_start, after) = match after {
            [first, ..] if entry.name.as_str() < *first => continue,
            [first, rest @ ..] if entry.name == *first => (rest.is_empty(), rest),
            _ => (false, &[][..]),
        };
        if entry.is_folder {
            if open.depth() == MAX_DEPTH {
                continue;
            }
            enter(open, &entry.name);
            if !unless_gone(open.enter(&entry.name))? {
                continue;
            }
            let has_more = collect(open, after, limit, files, enter)?;
            open.leave();
            if has_more {
                return Ok(true);
            }
        } else if !is_start {
            if files.len() == limit {
                return Ok(true);
            }
            // Opens nothing: a file that cannot be read is listed too.
            files.extend(found(open, &entry.name)?);
        }
    }
    Ok(false)
}

fn found(open: &OpenPath, name: &str) -> io::Result<Option<FoundFile>> {
    let of = |metadata: &Metadata| FoundFile {
        path: open.path_of(name),
        size: metadata.len(),
        modified: metadata.modified().ok().map(cap_std::time::SystemTime::into_std),
    };
    match open.metadata(name) {
        Ok(metadata) => Ok(metadata.is_file().then(|| of(&metadata))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether a folder was entered. A folder lists nothing if it has disappeared or cannot be read, or if its
/// ignore rules are unknown.
fn unless_gone(entered: io::Result<()>) -> io::Result<bool> {
    match entered {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            crate::base::report::report_limited!("a folder is not served: {error}");
            Ok(false)
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf, process, time::Duration};

    use super::*;

    /// A folder in the directory for temporary files, which is removed at the end.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let root = std::env::temp_dir().join(format!("mcp_folder_{}_{name}", process::id()));
            let place = Self(root);
            files.iter().for_each(|(path, text)| place.write(path, text));
            place
        }

        fn write(&self, path: &str, text: &str) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(600)
    }

    const DEFAULT: Visibility = Visibility { hidden: false, ignored: false };

    fn paths(place: &Place, limit: usize, visibility: Visibility) -> Vec<String> {
        let folder = Folder::open(&place.0).unwrap();
        let mut paths: Vec<String> = Vec::new();
        loop {
            let (files, has_more) = folder.page(paths.last().map(String::as_str), limit, visibility, later()).unwrap();
            assert!(files.len() <= limit);
            paths.extend(files.into_iter().map(|file| file.path));
            if !has_more {
                return paths;
            }
        }
    }

    fn can_read(place: &Place, path: &str, visibility: Visibility) -> bool {
        let names: Vec<_> = path.split('/').map(Cow::Borrowed).collect();
        Folder::open(&place.0).unwrap().file(&names, visibility, later()).unwrap().is_some()
    }

    #[test]
    fn all_page_sizes_list_the_same_files_in_the_same_order() {
        let files = ["a.md", "a/b.md", "a/c/d.md", "b.md", "a-b.md", "z/y/x.md"].map(|path| (path, ""));
        let place = Place::new("pages", &files);
        let sorted = ["a/b.md", "a/c/d.md", "a-b.md", "a.md", "b.md", "z/y/x.md"];
        for limit in 1..8 {
            assert_eq!(paths(&place, limit, DEFAULT), sorted, "{limit}");
        }
    }

    #[test]
    fn a_list_goes_on_after_a_file_that_disappeared() {
        let place = Place::new("gone", &[("a/b", ""), ("c", ""), ("d", "")]);
        let folder = Folder::open(&place.0).unwrap();
        fs::remove_dir_all(place.0.join("a")).unwrap();
        for after in ["a/b", "a", "b/c/d", "bb"] {
            let (files, _) = folder.page(Some(after), 9, DEFAULT, later()).unwrap();
            assert_eq!(files.iter().map(|file| &*file.path).collect::<Vec<_>>(), ["c", "d"], "{after}");
        }
    }

    #[test]
    fn rules_of_each_gitignore_apply_from_the_deepest_up() {
        let place = Place::new(
            "rules",
            &[
                (".gitignore", "*.log\n/target/\n[invalid\nsecret.*\n"),
                ("a.log", ""),
                ("a.md", ""),
                (".env", ""),
                (".git/config", ""),
                ("target/out.md", ""),
                ("docs/target/kept.md", ""),
                ("docs/.gitignore", "!keep.log\nprivate/\n"),
                ("docs/keep.log", ""),
                ("docs/drop.log", ""),
                ("docs/private/a.md", ""),
                ("docs/secret.md", ""),
            ],
        );
        let visible = ["a.md", "docs/keep.log", "docs/target/kept.md"];
        assert_eq!(paths(&place, 9, DEFAULT), visible);
        let all = paths(&place, 99, Visibility { hidden: true, ignored: true });
        assert_eq!(all.len(), 12);
        for path in &all {
            assert_eq!(can_read(&place, path, DEFAULT), visible.contains(&&**path), "{path}");
            assert!(can_read(&place, path, Visibility { hidden: true, ignored: true }), "{path}");
        }
        assert_eq!(paths(&place, 99, Visibility { hidden: false, ignored: true }).len(), 9 - 1);
    }

    #[test]
    fn folders_that_are_too_deep_are_neither_listed_nor_read() {
        let deep = |depth: usize| format!("{}f", "d/".repeat(depth));
        let place = Place::new("deep", &[(&deep(MAX_DEPTH), ""), (&deep(MAX_DEPTH + 1), "")]);
        assert_eq!(paths(&place, 9, DEFAULT), [deep(MAX_DEPTH)]);
        assert!(can_read(&place, &deep(MAX_DEPTH), DEFAULT));
        assert!(!can_read(&place, &deep(MAX_DEPTH + 1), DEFAULT));
    }

    #[test]
    fn reading_ends_at_the_time_limit() {
        let place = Place::new("time", &[("a.md", "")]);
        let folder = Folder::open(&place.0).unwrap();
        let over = Instant::now().checked_sub(Duration::from_millis(1)).unwrap();
        assert_eq!(folder.page(None, 9, DEFAULT, over).unwrap_err().kind(), ErrorKind::TimedOut);
        assert_eq!(folder.file(&["a.md".into()], DEFAULT, over).unwrap_err().kind(), ErrorKind::TimedOut);
    }
}
