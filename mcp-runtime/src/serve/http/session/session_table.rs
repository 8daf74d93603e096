//! Sessions by their ids, the number of each owner's sessions, and the order of eviction.
//!
//! Sessions that were never used after the handshake are evicted first, beginning with the oldest. Used sessions
//! follow, beginning with the one whose client has been silent for the longest time. Sessions whose client listens to a
//! stream come last, in the same order. A session with a request in progress or with a call in flight is never evicted.
//! A call that waits for an answer is in flight.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

use super::http_session::HttpSession;
use crate::engine::call::Owner;

/// When an owner has reached its limit, a new session can replace one of the owner's sessions that was silent for this
/// time.
const REPLACEABLE: Duration = Duration::from_secs(60);

/// A scan of all sessions collects this many candidates for eviction, so that the next evictions need no scan.
const CANDIDATES: usize = 64;

#[derive(Default)]
pub(crate) struct SessionTable {
    by_id: foldhash::HashMap<Arc<str>, Arc<HttpSession>>,
    owned: HashMap<Owner, OwnedSessions>,
    /// The ids of unused sessions, the oldest first. Ids of sessions that were used or have ended are removed later.
    unused: VecDeque<Arc<str>>,
    /// The sessions with the longest silence at the last scan, each with the time of its client's last request. The
    /// last entry is evicted first.
    silent: Vec<(Arc<str>, Instant)>,
}

/// The sessions of one owner.
#[derive(Default)]
struct OwnedSessions {
    count: usize,
    /// Until this time, no session of this owner can be replaced, so no scan is needed.
    none_until: Option<Instant>,
}

impl SessionTable {
    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<HttpSession>> {
        self.by_id.values()
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Arc<HttpSession>> {
        self.by_id.get(id)
    }

    pub(crate) fn count_of(&self, owner: &Owner) -> usize {
        self.owned.get(owner).map_or(0, |owned| owned.count)
    }

    pub(crate) fn insert(&mut self, id: Arc<str>, session: Arc<HttpSession>) {
        if let Some(owner) = &session.owner {
            self.owned.entry(owner.clone()).or_default().count += 1;
        }
        if self.unused.len() > 2 * self.by_id.len() + CANDIDATES {
            self.unused.retain(|id| self.by_id.get(id).is_some_and(|session| !session.is_used()));
        }
        self.unused.push_back(Arc::clone(&id));
        self.by_id.insert(id, session);
    }

    pub(crate) fn remove(&mut self, id: &str) -> Option<Arc<HttpSession>> {
        let session = self.by_id.remove(id)?;
        self.disown(&session);
        Some(session)
    }

    pub(crate) fn remove_if(&mut self, mut condition: impl FnMut(&Arc<HttpSession>) -> bool) -> Vec<Arc<HttpSession>> {
        let removed: Vec<_> =
            self.by_id.extract_if(|_, session| condition(session)).map(|(_, session)| session).collect();
        removed.iter().for_each(|session| self.disown(session));
        removed
    }

    /// Removes the first session in the order of eviction. Returns `None` if all sessions are in use.
    pub(crate) fn evict(&mut self) -> Option<Arc<HttpSession>> {
        let id = self.longest_unused().or_else(|| self.longest_silent())?;
        self.remove(&id)
    }

    /// Removes the owner's first session in the order of eviction, if the session's client was silent for at least
    /// [`REPLACEABLE`].
    pub(crate) fn evict_own(&mut self, owner: &Owner) -> Option<Arc<HttpSession>> {
        let now = Instant::now();
        if self.owned.get(owner)?.none_until.is_some_and(|until| now < until) {
            return None;
        }
        let own = self.by_id.iter().filter(|(_, session)| session.owner.as_ref() == Some(owner) && session.is_idle());
        let found = own.min_by_key(|(_, session)| (session.is_used(), session.is_listened_to(), session.touched()));
        let silent_since = found.as_ref().map_or(now, |(_, session)| session.touched());
        if now < silent_since + REPLACEABLE {
            self.owned.get_mut(owner)?.none_until = Some(silent_since + REPLACEABLE);
            return None;
        }
        let id = Arc::clone(found?.0);
        self.remove(&id)
    }

    /// Returns the oldest of the sessions that were never used.
    fn longest_unused(&mut self) -> Option<Arc<str>> {
        for _ in 0..self.unused.len() {
            let id = self.unused.pop_front()?;
            match self.by_id.get(&id).filter(|session| !session.is_used()) {
                Some(session) if session.is_idle() => return Some(id),
                // The session has a request in progress.
                Some(_) => self.unused.push_back(id),
                None => {}
            }
        }
        None
    }

    /// Returns the used session whose client was silent for the longest time.
    fn longest_silent(&mut self) -> Option<Arc<str>> {
        loop {
            while let Some((id, since)) = self.silent.pop() {
                let found = self.by_id.get(&id).filter(|session| session.touched() == since && session.is_idle());
                if found.is_some() {
                    return Some(id);
                }
            }
            self.scan();
            if self.silent.is_empty() {
                return None;
            }
        }
    }

    fn scan(&mut self) {
        let idle = self.by_id.iter().filter(|(_, session)| session.is_idle());
        let (listened_to, not): (Vec<_>, Vec<_>) = idle.partition(|(_, session)| session.is_listened_to());
        // Collect only one session with a listener. By the next eviction, a session without a listener may have become
        // idle. It must be evicted first.
        let (found, most) = if not.is_empty() { (listened_to, 1) } else { (not, CANDIDATES) };
        self.silent = found.into_iter().map(|(id, session)| (Arc::clone(id), session.touched())).collect();
        self.silent.sort_unstable_by_key(|(_, since)| std::cmp::Reverse(*since));
        self.silent.drain(..self.silent.len().saturating_sub(most));
    }

    fn disown(&mut self, session: &HttpSession) {
        let Some(owner) = &session.owner else { return };
        if let Some(owned) = self.owned.get_mut(owner) {
            owned.count -= 1;
            if owned.count == 0 {
                self.owned.remove(owner);
            }
        }
    }
}
