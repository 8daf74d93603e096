//! The directory tree that the server shows. Files outside of it cannot be reached.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
    sync::Arc,
};

use ignore::{Walk, WalkBuilder, overrides::OverrideBuilder};
use mcp_runtime::prelude::*;

use crate::{error::CodeError, watch::Watch};

/// What the user chooses.
#[derive(Debug, Settings)]
#[setting(prefix = "CODE_SEARCH")]
pub struct SearchSettings {
    /// The directory with the source code.
    #[setting(default = ".", kind = "directory")]
    pub root: PathBuf,
}

impl SearchSettings {
    /// Opens the tree below the directory.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
    pub fn open(&self) -> io::Result<Root> {
        let named = |error: io::Error| {
            let root = self.root.display();
            io::Error::other(format!(
                "the directory `{root}` of `--root` or `CODE_SEARCH_ROOT` cannot be read: {error}"
            ))
        };
        Root::open(&self.root).map_err(named)
    }
}

/// The root of the directory tree that the server shows. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Root(Arc<Path>);

/// A file or directory in the tree that exists and can be shown.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The absolute path on this machine.
    pub(crate) path: PathBuf,
    /// The path below the root, with `/` between the names. Models read and write this path.
    pub(crate) name: String,
    pub(crate) is_dir: bool,
}

impl Root {
    /// Opens the tree below `directory`.
    ///
    /// # Errors
    /// Fails if `directory` cannot be read.
    pub fn open(directory: impl AsRef<Path>) -> io::Result<Self> {
        let root = fs::canonicalize(directory)?;
        fs::read_dir(&root)?; // fails unless it is a directory that can be read
        Ok(Self(root.into()))
    }

    /// Finds the file or directory `path`, which is relative to the root, or absolute and below it.
    ///
    /// A path exists only if a walk from the root finds it. A walk skips hidden and ignored files, and does not follow
    /// links, so no link leads out of the tree.
    pub(crate) fn entry(&self, path: &str) -> Result<Entry, CodeError> {
        let wanted = self.absolute(path)?;
        if wanted == *self.0 {
            return Ok(Entry { name: ".".into(), path: wanted, is_dir: true });
        }
        let way = wanted.clone();
        let mut walk = walk(&self.0).filter_entry(move |entry| way.starts_with(entry.path())).build();
        let found = walk.find_map(|entry| entry.ok().filter(|entry| entry.path() == wanted));
        let name = self.name(&wanted);
        match found.and_then(|entry| entry.file_type()) {
            Some(kind) if kind.is_dir() => Ok(Entry { path: wanted, name, is_dir: true }),
            Some(kind) if kind.is_file() => Ok(Entry { path: wanted, name, is_dir: false }),
            Some(kind) if kind.is_symlink() => Err(CodeError::Link { path: name }),
            Some(_) => Err(CodeError::Special { path: name }),
            None => Err(CodeError::Missing { nearest: self.nearest(&name), path: path.into() }),
        }
    }

    /// Finds a file. Returns an error for a directory.
    pub(crate) fn file(&self, path: &str) -> Result<Entry, CodeError> {
        let entry = self.entry(path)?;
        if entry.is_dir {
            let first = self.walk_files(&entry).next();
            let file = first.map_or_else(|| "src/lib.rs".into(), |file| file.name);
            return Err(CodeError::Directory { path: entry.name, file });
        }
        Ok(entry)
    }

    /// Returns all files below `start` that match the globs, sorted by path.
    pub(crate) fn files(&self, start: &Entry, globs: &[String], watch: &impl Watch) -> Result<Vec<Entry>, CodeError> {
        let mut overrides = OverrideBuilder::new(&self.0);
        for glob in globs {
            overrides.add(glob).map_err(|reason| CodeError::Glob { glob: glob.clone(), reason })?;
        }
        let overrides = overrides.build().map_err(|reason| CodeError::Glob { glob: globs.join(" "), reason })?;

        let fits = |file: &Path| {
            let mut directories = file.ancestors().skip(1).take_while(|directory| **directory != *self.0);
            !overrides.matched(file, false).is_ignore()
                && !directories.any(|directory| overrides.matched(directory, true).is_ignore())
        };

        let mut files = Vec::new();
        for file in self.walk_files(start) {
            if watch.is_cancelled() {
                return Err(CodeError::Cancelled);
            }
            if fits(&file.path) {
                files.push(file);
            }
        }
        Ok(files)
    }

    fn walk_files(&self, start: &Entry) -> impl Iterator<Item = Entry> {
        walk_sorted(&start.path)
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .map(|entry| Entry { name: self.name(entry.path()), path: entry.into_path(), is_dir: false })
    }

    /// Returns the absolute path, with `.` and `..` resolved without the file system.
    fn absolute(&self, path: &str) -> Result<PathBuf, CodeError> {
        let outside = || CodeError::Outside { path: path.into() };
        let mut absolute = PathBuf::new();
        for part in self.0.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir if absolute.pop() => {}
                Component::ParentDir => return Err(outside()),
                part => absolute.push(part),
            }
        }
        if absolute.starts_with(&self.0) { Ok(absolute) } else { Err(outside()) }
    }

    /// Returns the path below the root.
    fn name(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.0).unwrap_or(path);
        let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }

    /// Returns the files that the model most likely meant. They have the same name in another directory, or a similar
    /// path.
    fn nearest(&self, wanted: &str) -> Vec<String> {
        /// The maximum number of files to compare, so that a suggestion does not take long.
        const LOOK_AT: usize = 20_000;
        const LIKE: f64 = 0.75;

        let file_name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let likeness = |name: &str| {
            let (short, long) = (name.len().min(wanted.len()), name.len().max(wanted.len()));
            if (short as f64) < LIKE * long as f64 && file_name(name) != file_name(wanted) {
                return 0.0; // skips the comparison of texts that cannot be similar
            }
            let alike = strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &wanted.to_lowercase());
            if file_name(name) == file_name(wanted) { 1.0 + alike } else { alike }
        };
        let root = Entry { path: self.0.to_path_buf(), name: String::new(), is_dir: true };
        let names = self.walk_files(&root).take(LOOK_AT).map(|file| file.name);
        let mut near: Vec<_> = names.map(|name| (likeness(&name), name)).filter(|(like, _)| *like >= LIKE).collect();
        near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        near.into_iter().take(3).map(|(_, name)| name).collect()
    }
}

/// Returns a walk that skips hidden and ignored files. The walk does not depend on a `.git` directory or on the user's
/// global ignore rules.
fn walk(start: &Path) -> WalkBuilder {
    let mut walk = WalkBuilder::new(start);
    walk.require_git(false).git_global(false);
    walk
}

fn walk_sorted(start: &Path) -> Walk {
    walk(start).sort_by_file_name(Ord::cmp).build()
}

#[cfg(test)]
mod tests {
    use super::{super::watch::tests::Patient, *};

    fn fixture() -> Root {
        Root::open(concat!(env!("CARGO_MANIFEST_DIR"), "/fixture")).unwrap()
    }

    fn names(globs: &[&str]) -> Vec<String> {
        let globs: Vec<_> = globs.iter().map(ToString::to_string).collect();
        let root = fixture();
        let files = root.files(&root.entry(".").unwrap(), &globs, &Patient).unwrap();
        files.into_iter().map(|file| file.name).collect()
    }

    fn refused(path: &str) -> String {
        fixture().file(path).unwrap_err().to_string()
    }

    #[test]
    fn shows_neither_hidden_nor_ignored_files_nor_links() {
        let all = names(&[]);
        assert!(all.contains(&"src/lib.rs".to_owned()));
        assert!(all.is_sorted(), "{all:?}");
        for absent in [".secrets", "generated/schema.rs", "manifest.toml"] {
            assert!(!all.contains(&absent.to_owned()), "{absent}");
        }
    }

    #[test]
    fn globs_choose_and_leave_out() {
        assert_eq!(names(&["*.rs"]), ["src/average.rs", "src/lib.rs"]);
        assert_eq!(names(&["*.rs", "!src/lib.rs"]), ["src/average.rs"]);
        assert_eq!(
            names(&["!src/", "!/web", "!docs", "!*.md"]),
            ["agent/main.go", "firmware/probe.c", "tools/report.py"]
        );
        assert_eq!(names(&[".secrets"]), [""; 0], "a glob does not include hidden files");
    }

    #[test]
    fn an_invalid_glob_is_rejected_with_its_text() {
        let root = fixture();
        let error = root.files(&root.entry(".").unwrap(), &["src/[".into()], &Patient).unwrap_err().to_string();
        assert!(error.starts_with("`src/[` in `globs` is not a glob: "), "{error}");
    }

    #[test]
    fn equivalent_paths_find_the_same_file() {
        let root = fixture();
        let absolute = root.0.join("src/lib.rs");
        for path in ["src/lib.rs", "./src/lib.rs", "src//lib.rs", "web/../src/lib.rs", absolute.to_str().unwrap()] {
            assert_eq!(root.file(path).unwrap().name, "src/lib.rs", "{path}");
        }
        for path in ["", ".", "src/..", "./"] {
            assert!(root.entry(path).unwrap().is_dir, "{path}");
        }
    }

    #[test]
    fn paths_outside_the_tree_are_rejected() {
        for path in ["..", "../code_search", "/etc/passwd", "src/../../main.rs", "/..", "../fixture-of-another/x"] {
            assert!(refused(path).contains("leads out of the tree"), "{path}: {}", refused(path));
        }
        assert_eq!(
            refused("manifest.toml"),
            "`manifest.toml` is a symbolic link, and links are not followed; name the file it points to"
        );
    }

    #[test]
    fn hidden_and_ignored_files_are_not_found() {
        for path in [".secrets", "generated/schema.rs", "generated"] {
            assert!(refused(path).starts_with(&format!("no file or directory `{path}` here")), "{}", refused(path));
        }
    }

    #[test]
    fn a_missing_file_is_reported_with_the_most_similar_path() {
        for (wanted, nearest) in [("lib.rs", "src/lib.rs"), ("src/averages.rs", "src/average.rs")] {
            assert!(refused(wanted).ends_with(&format!("; did you mean `{nearest}`?")), "{}", refused(wanted));
        }
        assert!(refused("zzz").ends_with("(hidden and ignored files are left out)"));
        assert!(refused("a\0b").starts_with("no file or directory"));
    }

    #[test]
    fn a_directory_is_not_accepted_as_a_file() {
        assert_eq!(refused("src"), "`src` is a directory; name a file in it, such as `src/average.rs`");
    }
}
