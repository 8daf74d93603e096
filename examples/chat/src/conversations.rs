//! The conversations of all users.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::SystemTime,
};

use crate::{
    Limits,
    conversation::{Conversation, blocking, remove_file},
    newcomers::Newcomers,
};

/// The conversations of all users, one file each. A conversation is in memory while something uses it.
pub(crate) struct Conversations {
    folder: PathBuf,
    limits: Limits,
    state: Mutex<TableState>,
}

struct TableState {
    /// The users that have said something, and when each of them last did.
    users: HashMap<String, SystemTime>,
    /// The conversations in memory, and some that were.
    loaded: HashMap<String, Weak<Conversation>>,
    newcomers: Newcomers,
    is_ending: bool,
}

/// Why a user cannot begin a conversation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unwelcome {
    /// The address has begun many conversations in the last hour.
    Address,
    /// All stored conversations are in use.
    Full,
}

impl Conversations {
    /// Finds the conversations in a folder. Returns them, and the users for whom the assistant was at work.
    pub(crate) fn open(folder: PathBuf, limits: Limits) -> io::Result<(Self, Vec<String>)> {
        let (mut users, mut busy) = (HashMap::new(), Vec::new());
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                if !is_done(&path)? {
                    busy.push(name.clone());
                }
                users.insert(name, fs::metadata(&path)?.modified()?);
            }
        }
        let newcomers = Newcomers::new(limits.new_users_per_address);
        let state = TableState { users, loaded: HashMap::new(), newcomers, is_ending: false };
        Ok((Self { folder, limits, state: Mutex::new(state) }, busy))
    }

    /// Returns the conversation of a user. It is empty, and has no file, if the user has said nothing yet. `user` is the
    /// name of a file.
    pub(crate) async fn of(&self, user: &str) -> io::Result<Arc<Conversation>> {
        let conversation = self.get(user);
        let loading = Arc::clone(&conversation);
        blocking(move || loading.load()).await?;
        Ok(conversation)
    }

    /// Returns the conversation of a user if it is in memory.
    pub(crate) fn find(&self, user: &str) -> Option<Arc<Conversation>> {
        self.lock().loaded.get(user)?.upgrade()
    }

    /// Allows a user to say something. A user who has said nothing before is new: the address may have only a few of them,
    /// and the conversation that was idle for the longest time is removed if there are too many.
    pub(crate) fn welcome(&self, user: &str, address: Option<IpAddr>) -> io::Result<Result<(), Unwelcome>> {
        let mut state = self.lock();
        if let Some(last) = state.users.get_mut(user) {
            *last = SystemTime::now();
            return Ok(Ok(()));
        }
        if !state.newcomers.may_come(address) {
            return Ok(Err(Unwelcome::Address));
        }
        while state.users.len() >= self.limits.conversations {
            let Some(oldest) = state.oldest_idle() else { return Ok(Err(Unwelcome::Full)) };
            remove_file(&self.path(&oldest))?;
            state.users.remove(&oldest);
        }
        state.newcomers.comes(address);
        state.users.insert(user.to_owned(), SystemTime::now());
        Ok(Ok(()))
    }

    /// Removes the conversation of a user, who stays a user. Its followers end, and find an empty conversation.
    pub(crate) fn clear(&self, user: &str) -> io::Result<()> {
        let mut state = self.lock();
        if let Some(conversation) = state.loaded.remove(user).and_then(|loaded| loaded.upgrade()) {
            conversation.remove()?;
        } else if state.users.contains_key(user) {
            remove_file(&self.path(user))?;
        }
        Ok(())
    }

    /// Ends the streams of all followers, now and in the future.
    pub(crate) fn end_streams(&self) {
        let mut state = self.lock();
        state.is_ending = true;
        let loaded: Vec<_> = state.loaded.values().filter_map(Weak::upgrade).collect();
        drop(state);
        loaded.iter().for_each(|conversation| conversation.end_streams());
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.lock().is_ending
    }

    fn get(&self, user: &str) -> Arc<Conversation> {
        let mut state = self.lock();
        if let Some(conversation) = state.loaded.get(user).and_then(Weak::upgrade) {
            return conversation;
        }
        let bytes = self.limits.conversation_bytes;
        let conversation = Arc::new(Conversation::new(self.path(user), user.to_owned(), bytes));
        if state.loaded.len() == state.loaded.capacity() {
            state.loaded.retain(|_, loaded| loaded.strong_count() > 0);
        }
        state.loaded.insert(user.to_owned(), Arc::downgrade(&conversation));
        conversation
    }

    fn path(&self, user: &str) -> PathBuf {
        self.folder.join(format!("{user}.jsonl"))
    }

    fn lock(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TableState {
    fn oldest_idle(&self) -> Option<String> {
        let is_idle = |user: &String| self.loaded.get(user).is_none_or(|loaded| loaded.strong_count() == 0);
        let idle = self.users.iter().filter(|(user, _)| is_idle(user));
        idle.min_by_key(|(_, last)| **last).map(|(user, _)| user.clone())
    }
}

/// Returns whether the last entry of a file says that the assistant is done. Reads only the end of the file.
fn is_done(path: &Path) -> io::Result<bool> {
    /// More bytes than that entry has.
    const END: u64 = 128;
    let mut file = File::open(path)?;
    let start = file.metadata()?.len().saturating_sub(END);
    file.seek(SeekFrom::Start(start))?;
    let mut end = Vec::new();
    file.take(END).read_to_end(&mut end)?;
    Ok(end.is_empty() || end.ends_with(b"\"type\":\"done\"}\n"))
}
