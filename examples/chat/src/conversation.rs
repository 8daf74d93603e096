//! The conversation of one user: a file with one entry a line, and those who follow it.

use std::{
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::{Notify, watch};

use crate::item::{Item, ItemKind, now};

/// The conversation of one user. It is in memory while something uses it. The file is opened for each entry, so that no
/// conversation holds a file descriptor.
pub(crate) struct Conversation {
    /// The name of the user.
    pub(crate) user: String,
    path: PathBuf,
    /// The most bytes of the file. The end of the assistant's work is written in any case.
    most_bytes: usize,
    state: Mutex<ConversationState>,
    /// The number of entries. `u64::MAX` ends all followers: the conversation was cleared, or the program ends.
    pub(crate) length: watch::Sender<u64>,
    /// Wakes the agent when the user stops it.
    pub(crate) stopped: Notify,
    is_stopped: AtomicBool,
}

#[derive(Default)]
struct ConversationState {
    /// Whether the file was read.
    is_loaded: bool,
    items: Vec<Arc<Item>>,
    /// The size of the file.
    bytes: usize,
    /// Whether the assistant is at work. The entries decide it, so that it survives a restart.
    is_busy: bool,
    /// Whether the file was removed. Such a conversation gets no further entries.
    is_removed: bool,
}

/// What becomes of a message of the user.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    Accepted,
    /// The assistant is still at work.
    Busy,
    /// The conversation has no room for another message and its answer.
    Full,
}

impl Conversation {
    /// Returns a conversation whose file is not read yet.
    pub(crate) fn new(path: PathBuf, user: String, most_bytes: usize) -> Self {
        Self {
            user,
            path,
            most_bytes,
            state: Mutex::default(),
            length: watch::Sender::new(0),
            stopped: Notify::new(),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// Reads the file, unless it was read before. A conversation without a file is empty.
    pub(crate) fn load(&self) -> io::Result<()> {
        self.loaded().map(drop)
    }

    /// Stores an entry on the disk and shows it.
    ///
    /// # Errors
    /// Fails if the entry cannot be stored, if the conversation is full, or if it was cleared.
    pub(crate) async fn push(self: &Arc<Self>, kind: ItemKind) -> io::Result<()> {
        let this = Arc::clone(self);
        blocking(move || this.append(&mut *this.loaded()?, kind)).await
    }

    /// Stores the user's message on the disk and shows it.
    pub(crate) async fn ask(self: &Arc<Self>, text: String) -> io::Result<Asking> {
        let this = Arc::clone(self);
        blocking(move || {
            let mut state = this.loaded()?;
            if state.is_busy {
                return Ok(Asking::Busy);
            }
            // A quarter is left for the answer.
            if state.bytes + text.len() > this.most_bytes / 4 * 3 {
                return Ok(Asking::Full);
            }
            this.is_stopped.store(false, Ordering::Release);
            this.append(&mut state, ItemKind::User { text })?;
            Ok(Asking::Accepted)
        })
        .await
    }

    /// Returns the entries behind the entry `after`.
    pub(crate) fn after(&self, after: u64) -> Vec<Arc<Item>> {
        let skipped = usize::try_from(after).unwrap_or(usize::MAX);
        self.lock().items.iter().skip(skipped).cloned().collect()
    }

    /// Returns when the conversation began, which tells it from an earlier one of the same user. Returns 0 if it is
    /// empty.
    pub(crate) fn began(&self) -> u64 {
        self.lock().items.first().map_or(0, |first| first.at)
    }

    /// Returns whether the assistant is at work.
    pub(crate) fn is_busy(&self) -> bool {
        self.lock().is_busy
    }

    /// Asks the assistant to stop.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.stopped.notify_waiters();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Removes the file, stops the assistant, and ends the streams of all followers.
    pub(crate) fn remove(&self) -> io::Result<()> {
        self.stop();
        let mut state = self.lock();
        state.is_removed = true;
        remove_file(&self.path)?;
        drop(state);
        self.end_streams();
        Ok(())
    }

    /// Ends the streams of all followers.
    pub(crate) fn end_streams(&self) {
        self.length.send_replace(u64::MAX);
    }

    fn append(&self, state: &mut ConversationState, kind: ItemKind) -> io::Result<()> {
        if state.is_removed {
            return Err(io::Error::new(ErrorKind::NotFound, "the conversation was cleared"));
        }
        let is_end = matches!(kind, ItemKind::Done | ItemKind::Error { .. });
        let item = Item { id: state.items.len() as u64 + 1, at: now(), kind };
        let mut line = serde_json::to_string(&item)?;
        line.push('\n');
        if !is_end && state.bytes + line.len() > self.most_bytes {
            let words = format!("the conversation has reached its limit of {} bytes", self.most_bytes);
            return Err(io::Error::new(ErrorKind::FileTooLarge, words));
        }
        write_line(&self.path, state.bytes, line.as_bytes())?;
        state.bytes += line.len();
        state.is_busy = !matches!(item.kind, ItemKind::Done);
        state.items.push(Arc::new(item));
        self.length.send_replace(state.items.len() as u64);
        Ok(())
    }

    /// Returns the state, after the file was read.
    fn loaded(&self) -> io::Result<MutexGuard<'_, ConversationState>> {
        let mut state = self.lock();
        if !state.is_loaded && !state.is_removed {
            (state.items, state.bytes) = read(&self.path)?;
            state.is_busy = state.items.last().is_some_and(|last| !matches!(last.kind, ItemKind::Done));
            state.is_loaded = true;
            self.length.send_replace(state.items.len() as u64);
        }
        Ok(state)
    }

    fn lock(&self) -> MutexGuard<'_, ConversationState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs work on files outside of the tasks of the runtime.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    // Fails only if the work panics, or if the runtime ends.
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Removes a file. Does nothing if there is none.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads the entries of a file, and returns them with the size of the file. A last line that was not written to its end
/// is dropped.
fn read(path: &Path) -> io::Result<(Vec<Arc<Item>>, usize)> {
    let stored = match std::fs::read(path) {
        Ok(stored) => stored,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(error),
    };
    let mut items = Vec::new();
    let mut length = 0;
    for line in stored.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        let Ok(item) = serde_json::from_slice(line) else { break };
        items.push(Arc::new(item));
        length += line.len();
    }
    if length < stored.len() {
        OpenOptions::new().write(true).open(path)?.set_len(length as u64)?;
    }
    Ok((items, length))
}

/// Appends a line to a file of this length. When this function returns, the line survives a power cut: the page shows
/// an entry only after that, so a user never sees one that a restart forgets. This costs a write to the disk for each
/// entry, a few milliseconds.
fn write_line(path: &Path, length: usize, line: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let written = file.write_all(line).and_then(|()| file.sync_data());
    if let Err(error) = written {
        // A part of the line would spoil the next one.
        let _ = file.set_len(length as u64);
        return Err(error);
    }
    match path.parent() {
        // The name of a new file is stored with its folder.
        Some(folder) if length == 0 => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
