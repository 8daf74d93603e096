//! Watches a folder, and tells the clients which files have changed.
//!
//! An event of the operating system only starts a new listing. The difference to the listing before it is what clients
//! get to know. So they never get to know a name that the folder does not serve, also while its rules change.

use std::{
    collections::{HashMap, HashSet},
    path::{Component, Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, event::ModifyKind};

use super::{Directory, FoundFile, Visibility};
use crate::{
    mutex::Mutex,
    resource::{ResourceList, ResourceWatch},
};

/// How long no file must change before the folder is listed.
const QUIET: Duration = Duration::from_millis(50);

/// How long changes are gathered at most, while files change all the time.
const GATHERED: Duration = Duration::from_millis(500);

/// How many times as long as the last listing took, the thread rests after it.
const REST: u32 = 9;

/// How often a listing is tried while files disappear during the listing.
const TRIES: usize = 5;

/// The maximum number of paths of events that are kept.
const MOST_WRITTEN: usize = 10_000;

impl Directory {
    /// Tells the clients about changes of the files while the server runs (feature `watch`). Clients can then subscribe
    /// to resources, as with [`Server::dynamic_resources`](crate::Server::dynamic_resources).
    ///
    /// A client that subscribed to the URI of a file, as the list has it, gets a notification when the file changes,
    /// appears or disappears. If files appear or disappear, clients also get one that the list has changed. Changes
    /// that follow each other closely become one notification. Files that are not served cause none.
    ///
    /// After a change the folder is listed again, at most a tenth of the time. The watch ends with the service, or when
    /// the resource is removed. If the operating system cannot watch the folder,
    /// [`Server::build`](crate::Server::build) reports it.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mcp_runtime::{Directory, Server};
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
    pub(super) fn begin_watch(&self, list: ResourceList) -> ResourceWatch {
        let failed =
            |error: &dyn std::fmt::Display| format!("cannot watch the folder `{}`: {error}", self.root.display());
        let root = self.root.canonicalize().map_err(|error| failed(&error))?;
        let written = Arc::new(WrittenFiles { root, visibility: self.visibility, paths: Mutex::default() });
        let (wake, woken) = sync_channel(1);
        let mut watcher = watcher(Arc::clone(&written), wake).map_err(|error| failed(&error))?;
        watcher.watch(&written.root, RecursiveMode::Recursive).map_err(|error| failed(&error))?;
        let files = self.files().map_err(|error| failed(&error))?;
        let watch = FolderWatch { directory: Self { is_watched: false, ..self.clone() }, list, written, files };
        let thread = thread::Builder::new().name("mcp-watch".to_owned());
        thread.spawn(move || watch.run(&woken)).map_err(|error| failed(&error))?;
        Ok(Box::new(std::sync::Mutex::new(watcher)))
    }

    /// Returns all files that are served.
    fn files(&self) -> std::io::Result<Files> {
        let (files, _) = self.folder()?.page(None, usize::MAX, self.visibility)?;
        Ok(files.into_iter().map(|FoundFile { path, size, modified }| (path, (size, modified))).collect())
    }
}

/// The size of each file, and the time of its last change.
type Files = HashMap<String, (u64, Option<SystemTime>)>;

fn watcher(written: Arc<WrittenFiles>, wake: SyncSender<()>) -> notify::Result<RecommendedWatcher> {
    let record = move |event: notify::Result<Event>| {
        // An error can mean that events were lost.
        if event.is_ok_and(|event| !written.record(&event)) {
            return;
        }
        // If the channel is full, the thread wakes anyway.
        let _ = wake.try_send(());
    };
    RecommendedWatcher::new(record, Config::default().with_follow_symlinks(false))
}

/// The files that events name. Size and time can be the same after a change.
struct WrittenFiles {
    root: PathBuf,
    visibility: Visibility,
    paths: Mutex<HashSet<String>>,
}

impl WrittenFiles {
    /// Records an event. Returns whether it can be about a file that is served.
    fn record(&self, event: &Event) -> bool {
        // A listing causes such events itself.
        if matches!(event.kind, EventKind::Access(_)) {
            return false;
        }
        let changes_content = !matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(_)));
        let mut is_relevant = event.need_rescan();
        for path in event.paths.iter().filter_map(|path| self.relevant(path)) {
            is_relevant = true;
            let mut paths = self.paths.lock();
            if changes_content && paths.len() < MOST_WRITTEN {
                paths.insert(path);
            }
        }
        is_relevant
    }

    /// Returns the path in the folder, unless it is hidden. The rules of ignored files are not hidden.
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
    written: Arc<WrittenFiles>,
    /// The files of the last listing.
    files: Files,
}

impl FolderWatch {
    /// Runs until the watcher is dropped.
    fn run(mut self, woken: &Receiver<()>) {
        while woken.recv().is_ok() {
            let gathered = Instant::now();
            while gathered.elapsed() < GATHERED && woken.recv_timeout(QUIET).is_ok() {}
            let started = Instant::now();
            let written = std::mem::take(&mut *self.written.paths.lock());
            match self.files() {
                Ok(files) => self.tell(files, &written),
                Err(error) => {
                    crate::report!(
                        "cannot list the folder `{}`, which is watched: {error}",
                        self.written.root.display()
                    );
                }
            }
            thread::sleep(started.elapsed() * REST);
        }
    }

    fn files(&self) -> std::io::Result<Files> {
        let mut files = self.directory.files();
        for _ in 1..TRIES {
            if files.is_ok() {
                break;
            }
            thread::sleep(QUIET);
            files = self.directory.files();
        }
        files
    }

    fn tell(&mut self, files: Files, written: &HashSet<String>) {
        let before = std::mem::replace(&mut self.files, files);
        let mut has_other_files = false;
        for (path, state) in &self.files {
            let known = before.get(path);
            has_other_files |= known.is_none();
            if known != Some(state) || written.contains(path) {
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
