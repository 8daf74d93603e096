//! Watches a folder, and tells the clients which files have changed.
//!
//! An event of the operating system only starts a new listing. Clients learn the difference between this listing and
//! the one before. So they never learn a name that the folder does not serve, even while its ignore rules change.

use std::{
    collections::HashMap,
    path::{Component, Path, PathBuf},
    sync::{
        Arc, Weak,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use notify::{Config, Event, EventKind, RecommendedWatcher, Watcher, event::ModifyKind};

use super::{
    Directory, FoundFile, Visibility,
    watched_folders::{FileChanges, WatchedFolders},
};
use crate::{
    base::mutex::Mutex,
    serve::resource::{ResourceList, definition::ResourceWatch},
};

/// How long all files must stay unchanged before the folder is listed.
const QUIET: Duration = Duration::from_millis(50);

/// The maximum time for which changes are gathered if files change all the time.
const GATHERED: Duration = Duration::from_millis(500);

/// How long the thread rests after a listing, as a multiple of the time that the listing took.
const REST: u32 = 9;

/// How often a listing is tried if files disappear during the listing.
const TRIES: usize = 5;

/// The maximum number of paths from events that are kept until the next listing.
const MOST_PATHS: usize = 10_000;

impl Directory {
    /// Tells the clients about changes of the files while the server runs. Clients can then subscribe
    /// to resources, as with [`Server::dynamic_resources`](crate::Server::dynamic_resources).
    ///
    /// A client can subscribe to the URI of a file. The client then gets a notification when the file changes, appears
    /// or disappears. The URI must be exactly as in the list. If files appear or disappear, clients also get a
    /// notification that the list has changed. Changes that follow each other closely become one notification. Files
    /// that are not served cause no notification.
    ///
    /// After a change, the server lists the folder again. The watch spends at most a tenth of its time on listings. The
    /// watch ends with the service, or when the resource is removed. If the operating system cannot watch the folder,
    /// [`Server::build`](crate::Server::build) fails. On Linux the number of watched folders is limited
    /// (`fs.inotify.max_user_watches`); folders that are not served are not watched.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_runtime::{Server, resource::Directory};
    ///
    /// # let folder = std::env::temp_dir().join("mcp_watch_example");
    /// # std::fs::create_dir_all(&folder)?;
    /// let service = Server::new("manual", "1.0.0").resource(Directory::new(folder).watch()).build()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(mut self) -> Self {
        self.is_watched = true;
        self
    }

    /// Begins to watch the folder. The watch ends when the result is dropped.
    pub(super) fn begin(&self, list: ResourceList) -> ResourceWatch {
        let failed =
            |error: &dyn std::fmt::Display| format!("cannot watch the folder `{}`: {error}", self.root.display());
        let root = self.root.canonicalize().map_err(|error| failed(&error))?;
        let events = Arc::new(EventRecord { root, visibility: self.visibility, changes: Mutex::default() });
        let (wake, woken) = sync_channel(1);
        let watcher = watcher(Arc::clone(&events), wake).map_err(|error| failed(&error))?;
        let mut folders = WatchedFolders::new(watcher, &events.root).map_err(|error| failed(&error))?;
        let files = self.files(&mut folders, &FileChanges::default()).map_err(|error| failed(&error))?;
        folders.end().map_err(|error| failed(&error))?;
        let folders = Arc::new(Mutex::new(folders));
        let watch = FolderWatch {
            directory: Self { is_watched: false, ..self.clone() },
            list,
            events,
            folders: Arc::downgrade(&folders),
            files,
            problem: None,
        };
        let thread = thread::Builder::new().name("mcp-watch".to_owned());
        thread.spawn(move || watch.run(&woken)).map_err(|error| failed(&error))?;
        Ok(Box::new(folders))
    }

    /// Returns all files that are served, and watches their folders.
    fn files(&self, folders: &mut WatchedFolders, changes: &FileChanges) -> std::io::Result<Files> {
        folders.begin(changes);
        let files = self.folder()?.all(self.visibility, &mut |folder| folders.enter(folder))?;
        Ok(files.into_iter().map(|FoundFile { path, size, modified }| (path, (size, modified))).collect())
    }
}

/// The size of each file, and the time of its last change.
type Files = HashMap<String, (u64, Option<SystemTime>)>;

fn watcher(events: Arc<EventRecord>, wake: SyncSender<()>) -> notify::Result<RecommendedWatcher> {
    let record = move |event: notify::Result<Event>| {
        if events.record(event) {
            // If the channel is full, the thread wakes anyway.
            let _ = wake.try_send(());
        }
    };
    RecommendedWatcher::new(record, Config::default().with_follow_symlinks(false))
}

/// Records the events of the operating system.
struct EventRecord {
    root: PathBuf,
    visibility: Visibility,
    changes: Mutex<FileChanges>,
}

impl EventRecord {
    /// Records an event. Returns whether it can be about a file that is served.
    fn record(&self, event: notify::Result<Event>) -> bool {
        // An error can mean that events were lost.
        let Ok(event) = event else {
            self.changes.lock().is_partial = true;
            return true;
        };
        // The listing itself causes events of this kind.
        if matches!(event.kind, EventKind::Access(_)) {
            return false;
        }
        let changes_content = !matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(_)));
        let mut changes = self.changes.lock();
        changes.is_partial |= event.need_rescan();
        let mut is_relevant = event.need_rescan();
        for path in event.paths.iter().filter_map(|path| self.relevant(path)) {
            is_relevant = true;
            if changes.paths.len() == MOST_PATHS {
                changes.is_partial = true;
            } else if changes_content {
                changes.paths.insert(path);
            }
        }
        is_relevant
    }

    /// Returns the path in the folder, unless the path is hidden. A `.gitignore` itself does not count as hidden.
    fn relevant(&self, path: &Path) -> Option<String> {
        let mut names = Vec::new();
        for component in path.strip_prefix(&self.root).ok()?.components() {
            let Component::Normal(name) = component else { return None };
            names.push(name.to_str()?);
        }
        let (last, parents) = names.split_last()?;
        let is_hidden = |name: &str| name.starts_with('.') && !self.visibility.hidden;
        let is_relevant = !parents.iter().any(|name| is_hidden(name)) && (!is_hidden(last) || *last == ".gitignore");
        is_relevant.then(|| names.join("/"))
    }
}

/// Tells the clients about changes, on a thread of its own.
struct FolderWatch {
    directory: Directory,
    list: ResourceList,
    events: Arc<EventRecord>,
    folders: Weak<Mutex<WatchedFolders>>,
    /// The files of the last listing.
    files: Files,
    /// The last problem that was reported.
    problem: Option<String>,
}

impl FolderWatch {
    /// Runs until the watcher is dropped.
    fn run(mut self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            let gathered = Instant::now();
            while gathered.elapsed() < GATHERED && woken.recv_timeout(QUIET).is_ok() {}
            let Some(folders) = self.folders.upgrade() else { break };
            let started = Instant::now();
            let changes = std::mem::take(&mut *self.events.changes.lock());
            let root = self.events.root.display();
            let (listed, watched) = {
                let mut folders = folders.lock();
                let listed = self.listed(&mut folders, &changes);
                // A listing that failed has not entered all folders, so it must not end the watch of the others.
                let watched = if listed.is_ok() { folders.end() } else { Ok(()) };
                (listed, watched)
            };
            drop(folders);
            let problem = match (&listed, watched) {
                (Err(error), _) => Some(format!("cannot list the folder `{root}`, which is watched: {error}")),
                (_, Err(error)) => Some(format!("cannot watch all folders of `{root}`: {error}")),
                _ => None,
            };
            // The same problem is not reported again after each change.
            if let Some(problem) = problem.as_ref().filter(|_| problem != self.problem) {
                crate::report!("{problem}");
            }
            self.problem = problem;
            if let Ok(files) = listed {
                self.tell(files, &changes);
            }
            thread::sleep(started.elapsed() * REST);
        }
    }

    fn listed(&self, folders: &mut WatchedFolders, changes: &FileChanges) -> std::io::Result<Files> {
        let mut files = self.directory.files(folders, changes);
        for _ in 1..TRIES {
            if files.is_ok() {
                break;
            }
            thread::sleep(QUIET);
            files = self.directory.files(folders, changes);
        }
        files
    }

    fn tell(&mut self, files: Files, changes: &FileChanges) {
        let before = std::mem::replace(&mut self.files, files);
        let mut has_other_files = false;
        for (path, state) in &self.files {
            let known = before.get(path);
            has_other_files |= known.is_none();
            if known != Some(state) || changes.includes(path) {
                self.list.updated(&self.directory.prefix.uri(path));
            }
        }
        for path in before.keys().filter(|path| !self.files.contains_key(*path)) {
            has_other_files = true;
            self.list.updated(&self.directory.prefix.uri(path));
        }
        if has_other_files {
            self.list.notify();
        }
    }
}
