//! Sessions by their ids, how many each owner has, and which is evicted where there is no room for another.
//!
//! The order of eviction: sessions in which nothing was asked since they were opened, the first opened first; then those
//! whose client has been silent for longest; then, in the same order, those whose client listens to a stream. A session
//! with a call in flight, which an open question is a part of, is never evicted, and neither is one with a request that
//! is being answered.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

use super::{owner::Owner, session::Session};
use crate::call::mixing::Mixing;

/// An owner with as many sessions as it may have can replace one of its own that was silent for so long.
const REPLACEABLE: Duration = Duration::from_secs(60);

/// So many are found by one look at all sessions: the next evictions need none.
const CANDIDATES: usize = 64;

#[derive(Default)]
pub(super) struct SessionTable {
    by_id: HashMap<Arc<str>, Arc<Session>, Mixing>,
    owned: HashMap<Owner, Owned>,
    /// In the order in which they were opened; used and ended ones are taken out late.
    unused: VecDeque<Arc<str>>,
    /// Those that were silent for longest when all were looked at last, and since when. The last goes first.
    silent: Vec<(Arc<str>, Instant)>,
}

/// The sessions of one owner.
#[derive(Default)]
struct Owned {
    count: usize,
    /// None of them can be replaced before.
    none_until: Option<Instant>,
}

impl SessionTable {
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Session>> {
        self.by_id.values()
    }

    pub(super) fn get(&self, id: &str) -> Option<&Arc<Session>> {
        self.by_id.get(id)
    }

    pub(super) fn count_of(&self, owner: &Owner) -> usize {
        self.owned.get(owner).map_or(0, |owned| owned.count)
    }

    pub(super) fn insert(&mut self, id: Arc<str>, session: Arc<Session>) {
        if let Some(owner) = &session.owner {
            self.owned.entry(owner.clone()).or_default().count += 1;
        }
        if self.unused.len() > 2 * self.by_id.len() + CANDIDATES {
            self.unused.retain(|id| self.by_id.get(id).is_some_and(|session| !session.is_used()));
        }
        self.unused.push_back(Arc::clone(&id));
        self.by_id.insert(id, session);
    }

    pub(super) fn remove(&mut self, id: &str) -> Option<Arc<Session>> {
        let session = self.by_id.remove(id)?;
        self.disown(&session);
        Some(session)
    }

    pub(super) fn remove_if(&mut self, mut condition: impl FnMut(&Arc<Session>) -> bool) -> Vec<Arc<Session>> {
        let removed: Vec<_> =
            self.by_id.extract_if(|_, session| condition(session)).map(|(_, session)| session).collect();
        removed.iter().for_each(|session| self.disown(session));
        removed
    }

    /// Takes out the session that can best be done without. `None` if all are in use.
    pub(super) fn evict(&mut self) -> Option<Arc<Session>> {
        let id = self.longest_unused().or_else(|| self.longest_silent())?;
        self.remove(&id)
    }

    /// The same among the sessions of one owner, if one was silent for long enough.
    pub(super) fn evict_own(&mut self, owner: &Owner) -> Option<Arc<Session>> {
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

    /// The first that was opened of those that were never used.
    fn longest_unused(&mut self) -> Option<Arc<str>> {
        for _ in 0..self.unused.len() {
            let id = self.unused.pop_front()?;
            match self.by_id.get(&id).filter(|session| !session.is_used()) {
                Some(session) if session.is_idle() => return Some(id),
                // Its first request is just being answered.
                Some(_) => self.unused.push_back(id),
                None => {}
            }
        }
        None
    }

    /// Of the others the one whose client was silent for longest.
    fn longest_silent(&mut self) -> Option<Arc<str>> {
        loop {
            while let Some((id, since)) = self.silent.pop() {
                let found = self.by_id.get(&id).filter(|session| session.touched() == since && session.is_idle());
                if found.is_some() {
                    return Some(id);
                }
            }
            self.look_at_all();
            if self.silent.is_empty() {
                return None;
            }
        }
    }

    fn look_at_all(&mut self) {
        let idle = self.by_id.iter().filter(|(_, session)| session.is_idle());
        let (listened_to, not): (Vec<_>, Vec<_>) = idle.partition(|(_, session)| session.is_listened_to());
        // Of those that are listened to, one only: the next time another that is not may go first.
        let (found, most) = if not.is_empty() { (listened_to, 1) } else { (not, CANDIDATES) };
        self.silent = found.into_iter().map(|(id, session)| (Arc::clone(id), session.touched())).collect();
        self.silent.sort_unstable_by_key(|(_, since)| std::cmp::Reverse(*since));
        self.silent.drain(..self.silent.len().saturating_sub(most));
    }

    fn disown(&mut self, session: &Session) {
        let Some(owner) = &session.owner else { return };
        if let Some(owned) = self.owned.get_mut(owner) {
            owned.count -= 1;
            if owned.count == 0 {
                self.owned.remove(owner);
            }
        }
    }
}
