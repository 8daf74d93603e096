//! The folders that the operating system watches.

use std::{
    collections::{BTreeSet, HashSet},
    io,
    path::{Path, PathBuf},
};

use notify::{ErrorKind, RecommendedWatcher, RecursiveMode, Watcher};

/// Whether the operating system can watch a folder and all folders in it at the cost of one folder. On other systems
/// each watched folder counts, and their number is limited. So these systems watch only folders that are served: a
/// folder that is not served, like `target` or `node_modules`, can have more folders in it than all others.
const WATCHES_TREES: bool = cfg!(any(target_vendor = "apple", windows));

/// The watcher, and the folders that it watches.
#[derive(Debug)]
pub(super) struct WatchedFolders {
    watcher: RecommendedWatcher,
    root: PathBuf,
    /// The paths of these folders in the root. Empty if the tree is watched as a whole.
    folders: BTreeSet<String>,
    /// The folders that were entered since [`begin`](Self::begin).
    entered: BTreeSet<String>,
    failed: Option<notify::Error>,
}

impl WatchedFolders {
    /// Watches the root.
    pub(super) fn new(mut watcher: RecommendedWatcher, root: &Path) -> notify::Result<Self> {
        let mode = if WATCHES_TREES { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        watcher.watch(root, mode)?;
        Ok(Self { watcher, root: root.to_owned(), folders: BTreeSet::new(), entered: BTreeSet::new(), failed: None })
    }

    /// Begins a listing of the folders. Ends the watch of each folder that `changes` can affect, because a watch moves
    /// with its folder when the folder is moved. [`enter`](Self::enter) then begins new watches.
    pub(super) fn begin(&mut self, changes: &FileChanges) {
        let stale: Vec<String> = if changes.is_partial {
            self.folders.iter().cloned().collect()
        } else {
            changes.paths.iter().flat_map(|path| self.at_and_below(path)).cloned().collect()
        };
        stale.iter().for_each(|folder| self.unwatch(folder));
        self.entered.clear();
    }

    /// Watches a folder. This happens before the entries of the folder are read, so that no later change of an entry is
    /// missed.
    pub(super) fn enter(&mut self, folder: &str) {
        if WATCHES_TREES {
            return;
        }
        self.entered.insert(folder.to_owned());
        if self.folders.contains(folder) {
            return;
        }
        match self.watcher.watch(&self.root.join(folder), RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.folders.insert(folder.to_owned());
            }
            Err(error) => {
                if !is_gone(&error) {
                    self.failed = Some(error);
                }
            }
        }
    }

    /// Ends a listing, and stops watching the folders that were not entered.
    ///
    /// # Errors
    /// Fails if the operating system cannot watch one of the folders.
    pub(super) fn end(&mut self) -> notify::Result<()> {
        let left: Vec<String> = self.folders.difference(&self.entered).cloned().collect();
        left.iter().for_each(|folder| self.unwatch(folder));
        self.failed.take().map_or(Ok(()), Err)
    }

    fn unwatch(&mut self, folder: &str) {
        self.folders.remove(folder);
        // A folder that has disappeared is not watched any more.
        let _ = self.watcher.unwatch(&self.root.join(folder));
    }

    fn at_and_below<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a String> {
        let below = move |folder: &&String| folder.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let inside = self.folders.range(format!("{path}/")..).take_while(below);
        self.folders.get(path).into_iter().chain(inside)
    }
}

/// The changes that events have reported since the last listing.
#[derive(Default)]
pub(super) struct FileChanges {
    /// The paths of the changed files and folders, relative to the root. A comparison of two listings does not find all
    /// changes, because a change can leave the size and the time of a file as they were.
    pub(super) paths: HashSet<String>,
    /// Whether there can be changes that `paths` does not contain.
    pub(super) is_partial: bool,
}

impl FileChanges {
    /// Returns whether an event has named the file, or a folder around it: a folder can take the place of another one.
    pub(super) fn includes(&self, file: &str) -> bool {
        let mut folders = file.match_indices('/').map(|(end, _)| &file[..end]);
        self.paths.contains(file) || folders.any(|folder| self.paths.contains(folder))
    }
}

/// Returns whether the folder disappeared after it was found.
fn is_gone(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => error.kind() == io::ErrorKind::NotFound,
        _ => false,
    }
}
