//! Watches the sources, and says when they have changed.

use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _, event::ModifyKind};
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    time::{Instant, timeout, timeout_at},
};

use super::Project;

/// How long all sources must stay unchanged before the program is built.
const QUIET: Duration = Duration::from_millis(100);

/// The maximum time for which changes are gathered if sources change all the time.
const GATHERED: Duration = Duration::from_secs(2);

/// The maximum number of watched folders. Linux allows a user some ten thousand.
const MOST_FOLDERS: usize = 8192;

/// The files of the root of a workspace that are sources of all its packages.
const OF_WORKSPACE: [&str; 4] = ["Cargo.toml", "Cargo.lock", "rust-toolchain", "rust-toolchain.toml"];

/// Watches the sources of a project until this value is dropped.
///
/// Each folder is watched by itself. A recursive watch of a package would have the folder `target` in it, with its tens
/// of thousands of files.
pub(crate) struct SourceWatch {
    watcher: RecommendedWatcher,
    folders: HashSet<PathBuf>,
    changes: Receiver<()>,
    /// Whether a manifest or a lock file is among the changes.
    of_manifest: Arc<AtomicBool>,
}

impl SourceWatch {
    /// Begins to watch.
    ///
    /// # Errors
    /// Returns the reason why the operating system does not watch the folders.
    pub(crate) fn new(project: &Project) -> Result<Self, String> {
        let (changed, changes) = channel(1);
        let of_manifest = Arc::new(AtomicBool::new(false));
        let filter = SourceFilter {
            workspace: project.workspace.clone(),
            sources: project.sources.clone(),
            of_manifest: Arc::clone(&of_manifest),
        };
        let watcher = RecommendedWatcher::new(
            move |event: notify::Result<Event>| filter.tell(event, &changed),
            Config::default().with_follow_symlinks(false),
        );
        let watcher = watcher.map_err(|error| format!("cannot watch the sources: {error}"))?;
        let mut watch = Self { watcher, folders: HashSet::new(), changes, of_manifest };
        watch.add_folders(project)?;
        Ok(watch)
    }

    /// Waits until sources have changed, and then stay unchanged for a moment. Changes since the last wait count, too.
    /// Returns whether a manifest or a lock file has changed.
    pub(crate) async fn changed(&mut self, project: &Project) -> bool {
        // The sender lives in the watcher, as long as this value.
        let _ = self.changes.recv().await;
        let until = Instant::now() + GATHERED;
        while let Ok(Ok(Some(()))) = timeout_at(until, timeout(QUIET, self.changes.recv())).await {}
        // New folders. If they cannot be watched, the others still are.
        let _ = self.add_folders(project);
        self.of_manifest.swap(false, Ordering::Relaxed)
    }

    fn add_folders(&mut self, project: &Project) -> Result<(), String> {
        let mut found = vec![(project.workspace.clone(), false)];
        found.extend(project.sources.iter().map(|folder| (folder.clone(), true)));
        while let Some((folder, has_sources)) = found.pop() {
            if self.folders.len() >= MOST_FOLDERS {
                return Err(format!("the sources have more than {MOST_FOLDERS} folders, so not all are watched"));
            }
            if !self.folders.contains(&folder) {
                match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                    Ok(()) => drop(self.folders.insert(folder.clone())),
                    // It can be gone again.
                    Err(_) if !folder.exists() => continue,
                    Err(error) => return Err(format!("cannot watch the folder `{}`: {error}", folder.display())),
                }
            }
            if has_sources {
                found.extend(folders_of_sources(&folder, project).unwrap_or_default());
            }
        }
        Ok(())
    }
}

/// Returns the folders inside of a folder that can have sources of the same package.
fn folders_of_sources(folder: &Path, project: &Project) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        let is_candidate = entry.file_type()?.is_dir() && !is_ignored(&path) && path != project.target_directory;
        // Another package: if the program depends on it, it is among the sources itself. And a folder of another Cargo.
        let is_other = path.join("Cargo.toml").is_file() || path.join("CACHEDIR.TAG").is_file();
        if is_candidate && !is_other {
            folders.push((path, true));
        }
    }
    Ok(folders)
}

/// Whether a file or folder has no sources, by its name.
fn is_ignored(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name.ends_with('~') || name == "node_modules"
}

/// Decides which events of the operating system can be changes of sources.
struct SourceFilter {
    workspace: PathBuf,
    sources: Vec<PathBuf>,
    of_manifest: Arc<AtomicBool>,
}

impl SourceFilter {
    fn tell(&self, event: notify::Result<Event>, changed: &Sender<()>) {
        // An error can mean that events were lost.
        if event.map_or(true, |event| self.is_change(&event)) {
            // If the channel is full, a change is waiting already.
            let _ = changed.try_send(());
        }
    }

    fn is_change(&self, event: &Event) -> bool {
        match event.kind {
            // The compiler itself causes events of these kinds.
            EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
            _ => event.need_rescan() || event.paths.iter().any(|path| self.is_source(path)),
        }
    }

    fn is_source(&self, path: &Path) -> bool {
        let is_only_of_workspace = path.parent() == Some(&*self.workspace) && !self.sources.contains(&self.workspace);
        let name = path.file_name().and_then(|name| name.to_str());
        if matches!(name, Some("Cargo.toml" | "Cargo.lock")) {
            self.of_manifest.store(true, Ordering::Relaxed);
        }
        match name {
            // Cargo creates it with its first build.
            Some("target") => false,
            Some(name) if is_only_of_workspace => OF_WORKSPACE.contains(&name),
            _ => !is_ignored(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;
    use crate::{base::random, edge::dev::project::BuiltTarget};

    struct TempProject {
        project: Project,
        root: PathBuf,
    }

    impl TempProject {
        /// A workspace with the package `app`, inside of which is another package.
        fn new() -> Self {
            let name = format!("mcp-watch-{}", crate::base::hex::hex(&random::bytes::<8>()));
            let root = env::temp_dir().canonicalize().unwrap().join(name);
            for file in [
                "Cargo.toml",
                "target/debug/app.d",
                "app/Cargo.toml",
                "app/src/target/mod.rs",
                "app/.git/index",
                "app/node_modules/x.js",
                "app/other/Cargo.toml",
                "app/other/src/main.rs",
            ] {
                fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
                fs::write(root.join(file), "").unwrap();
            }
            let project = Project {
                package: "app".to_owned(),
                manifest: root.join("app/Cargo.toml"),
                target: BuiltTarget { name: "app".to_owned(), is_example: false },
                feature: None,
                profile: Vec::new(),
                target_directory: root.join("target"),
                sources: vec![root.join("app")],
                workspace: root.clone(),
                arguments: Vec::new(),
            };
            Self { project, root }
        }

        fn write(&self, file: &str) {
            fs::create_dir_all(self.root.join(file).parent().unwrap()).unwrap();
            fs::write(self.root.join(file), format!("{:?}", Instant::now())).unwrap();
        }
    }

    impl Drop for TempProject {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.root);
        }
    }

    const LONG: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn notices_sources_also_in_new_folders() {
        let temp = TempProject::new();
        let mut watch = SourceWatch::new(&temp.project).unwrap();
        for file in
            ["app/src/main.rs", "app/src/target/mod.rs", "Cargo.lock", "app/assets/new.html", "app/assets/b.css"]
        {
            temp.write(file);
            // An event of the file before can come late.
            while timeout(LONG, watch.changed(&temp.project)).await.expect(file) != (file == "Cargo.lock") {}
        }
    }

    #[tokio::test]
    async fn ignores_what_is_not_a_source() {
        let temp = TempProject::new();
        let mut watch = SourceWatch::new(&temp.project).unwrap();
        for file in [
            "README.md",
            "target/debug/app",
            "app/.git/index",
            "app/node_modules/x.js",
            "app/other/src/main.rs",
            "app/src/.main.rs.swp",
            "app/src/main.rs~",
        ] {
            temp.write(file);
        }
        assert!(timeout(Duration::from_millis(500), watch.changed(&temp.project)).await.is_err());
    }
}
