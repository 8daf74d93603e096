//! The conversations of all users.

use std::{
    collections::HashMap,
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::conversation::Conversation;

/// The conversations of all users, one file each.
pub(crate) struct Conversations {
    folder: PathBuf,
    open: Mutex<HashMap<String, Arc<Conversation>>>,
}

impl Conversations {
    /// Opens the conversations in a folder.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Self> {
        let mut open = HashMap::new();
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                let conversation = Conversation::open(&path, name.clone())?;
                open.insert(name, Arc::new(conversation));
            }
        }
        Ok(Self { folder, open: Mutex::new(open) })
    }

    /// Returns the conversation of a user, and begins it if there is none. `user` is the name of a file.
    pub(crate) fn of(&self, user: &str) -> io::Result<Arc<Conversation>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(conversation) = open.get(user) {
            return Ok(Arc::clone(conversation));
        }
        let conversation = Arc::new(Conversation::open(&self.path(user), user.to_owned())?);
        open.insert(user.to_owned(), Arc::clone(&conversation));
        Ok(conversation)
    }

    /// Removes the conversation of a user. Its followers end, and find an empty conversation.
    pub(crate) fn clear(&self, user: &str) -> io::Result<()> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(conversation) = open.remove(user) {
            conversation.stop();
            fs::remove_file(self.path(user))?;
            conversation.end_streams();
        }
        Ok(())
    }

    pub(crate) fn all(&self) -> Vec<Arc<Conversation>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Ends the streams of all followers.
    pub(crate) fn end_streams(&self) {
        self.all().iter().for_each(|conversation| conversation.end_streams());
    }

    fn path(&self, user: &str) -> PathBuf {
        self.folder.join(format!("{user}.jsonl"))
    }
}
