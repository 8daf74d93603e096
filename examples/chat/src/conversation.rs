//! The conversation of one user: a file with one entry a line, and those who follow it.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use tokio::sync::{Notify, watch};

use crate::item::{Item, ItemKind, now};

/// The conversation of one user.
pub(crate) struct Conversation {
    /// The name of the user.
    pub(crate) user: String,
    state: Mutex<ConversationState>,
    /// The number of entries. `u64::MAX` ends all followers: the conversation was cleared, or the program ends.
    pub(crate) length: watch::Sender<u64>,
    /// Wakes the agent when the user stops it.
    pub(crate) stopped: Notify,
    is_stopped: AtomicBool,
}

struct ConversationState {
    file: File,
    items: Vec<Arc<Item>>,
    /// Whether the assistant is at work. The entries decide it, so that it survives a restart.
    is_busy: bool,
}

impl Conversation {
    /// Opens a conversation, or begins it. A last line that was not written to its end is dropped.
    pub(crate) fn open(path: &Path, user: String) -> io::Result<Self> {
        let stored = match std::fs::read_to_string(path) {
            Ok(stored) => stored,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut items: Vec<Arc<Item>> = Vec::new();
        let mut length = 0;
        for line in stored.split_inclusive('\n') {
            let Ok(item) = serde_json::from_str(line) else { break };
            items.push(Arc::new(item));
            length += line.len() as u64;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(length)?;
        // The last line can lack its line feed only if it was cut off behind its last brace.
        if !stored.is_empty() && length == stored.len() as u64 && !stored.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let is_busy = items.last().is_some_and(|last| !matches!(last.kind, ItemKind::Done));
        let length = watch::Sender::new(items.len() as u64);
        let state = Mutex::new(ConversationState { file, items, is_busy });
        Ok(Self { user, state, length, stopped: Notify::new(), is_stopped: AtomicBool::new(false) })
    }

    /// Stores an entry and shows it.
    pub(crate) fn push(&self, kind: ItemKind) -> io::Result<()> {
        let mut state = self.lock();
        state.push(kind)?;
        self.length.send_replace(state.items.len() as u64);
        Ok(())
    }

    /// Stores the user's message. Returns `false` if the assistant is still at work.
    pub(crate) fn ask(&self, text: String) -> io::Result<bool> {
        let mut state = self.lock();
        if state.is_busy {
            return Ok(false);
        }
        self.is_stopped.store(false, Ordering::Release);
        state.push(ItemKind::User { text })?;
        self.length.send_replace(state.items.len() as u64);
        Ok(true)
    }

    /// Returns the entries behind the entry `after`.
    pub(crate) fn after(&self, after: u64) -> Vec<Arc<Item>> {
        let skipped = usize::try_from(after).unwrap_or(usize::MAX);
        self.lock().items.iter().skip(skipped).cloned().collect()
    }

    /// Returns when the conversation began, which tells it from an earlier one of the same user. Returns 0 if it is empty.
    pub(crate) fn began(&self) -> u64 {
        self.lock().items.first().map_or(0, |first| first.at)
    }

    /// Whether the assistant is at work.
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

    /// Ends the streams of all followers.
    pub(crate) fn end_streams(&self) {
        self.length.send_replace(u64::MAX);
    }

    fn lock(&self) -> MutexGuard<'_, ConversationState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConversationState {
    fn push(&mut self, kind: ItemKind) -> io::Result<()> {
        let item = Item { id: self.items.len() as u64 + 1, at: now(), kind };
        let mut line = serde_json::to_string(&item)?;
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        self.is_busy = !matches!(item.kind, ItemKind::Done);
        self.items.push(Arc::new(item));
        Ok(())
    }
}
