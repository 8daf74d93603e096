//! A cache of the states that this process wrote last.
//!
//! Most states soon return to the process that wrote them, with the same request. The cache recognizes such a state by
//! comparing bytes, without cryptography. All other states are verified. A lookup uses the end of the state as the key.
//! The end is a part of the authentication tag, which cannot be guessed, and the hash function has secret parameters.
//! So the time of a lookup reveals nothing.

use std::collections::{VecDeque, hash_map::Entry};

use super::contents::{Binding, StateInfo};
use crate::base::mutex::Mutex;

/// The maximum size of the cache: the bytes of all cached states and their requests.
const MOST_BYTES: usize = 1024 * 1024;

/// The number of bytes counted for a state in addition to its text and its request.
const OVERHEAD: usize = 256;

#[derive(Default)]
pub(super) struct RecentStates(Mutex<Ring>);

#[derive(Default)]
struct Ring {
    by_end: foldhash::HashMap<StateSuffix, Recent>,
    /// The keys of `by_end`, oldest first, with the bytes counted for each. When `take` removes a state, the key of the
    /// state stays in the queue.
    by_age: VecDeque<(StateSuffix, usize)>,
    /// The bytes counted for all entries.
    bytes: usize,
}

/// The last bytes of a state, which are unique. Hashing a whole state would cost more than comparing it.
type StateSuffix = [u8; 16];

/// A state, its data, and the request that it was written for.
struct Recent {
    info: StateInfo,
    /// The texts of the state and of the request, one after the other, so that they take one block of memory.
    text: String,
    /// The lengths of these texts.
    lengths: [Option<usize>; TEXTS],
}

/// A state has four texts: itself, and the tool, the principal and the arguments of its request.
const TEXTS: usize = 4;

fn texts<'a>(state: &'a str, request: &Binding<'a>) -> [Option<&'a str>; TEXTS] {
    let Binding { tool, arguments, principal } = *request;
    [Some(state), Some(tool), principal, Some(arguments)]
}

impl Recent {
    fn new(info: StateInfo, texts: [Option<&str>; TEXTS]) -> Self {
        let text = texts.map(Option::unwrap_or_default).concat();
        Self { info, text, lengths: texts.map(|text| text.map(str::len)) }
    }

    /// Returns whether this is the state with these texts.
    fn has(&self, texts: [Option<&str>; TEXTS]) -> bool {
        let mut rest = &*self.text;
        let are_equal = texts.into_iter().flatten().all(|text| match rest.strip_prefix(text) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        });
        are_equal && self.lengths == texts.map(|text| text.map(str::len))
    }

    /// Returns the text of the state.
    fn into_state(self) -> String {
        let (mut text, [length, ..]) = (self.text, self.lengths);
        text.truncate(length.unwrap_or_default());
        text
    }
}

impl RecentStates {
    /// Adds a state that was written for this request. If the cache is full, evicts the oldest states.
    pub(super) fn keep(&self, state: &str, binding: &Binding<'_>, info: StateInfo) {
        let texts = texts(state, binding);
        let length = OVERHEAD + texts.iter().flatten().map(|text| text.len()).sum::<usize>();
        if length > MOST_BYTES {
            return;
        }
        let recent = Recent::new(info, texts);
        let mut states = self.0.lock();
        states.bytes += length;
        let end = end_of(state);
        states.by_end.insert(end, recent);
        states.by_age.push_back((end, length));
        while states.bytes > MOST_BYTES {
            let Some((oldest, length)) = states.by_age.pop_front() else { break };
            states.by_end.remove(&oldest);
            states.bytes -= length;
        }
    }

    /// If this state is cached and was written for this request, removes the state and returns it with its data. A
    /// state is needed only once, because the next round has a new state.
    pub(super) fn take(&self, state: &str, binding: &Binding<'_>) -> Option<(String, StateInfo)> {
        let mut states = self.0.lock();
        let Entry::Occupied(found) = states.by_end.entry(end_of(state)) else { return None };
        if !found.get().has(texts(state, binding)) {
            return None;
        }
        let recent = found.remove();
        let info = recent.info;
        Some((recent.into_state(), info))
    }

    /// Removes all states.
    pub(super) fn clear(&self) {
        *self.0.lock() = Ring::default();
    }
}

fn end_of(state: &str) -> StateSuffix {
    let mut end = StateSuffix::default();
    let length = state.len().min(end.len());
    end[..length].copy_from_slice(&state.as_bytes()[state.len() - length..]);
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        call::{
            call_id::{CallId, Place},
            ledger_time::LedgerTime,
        },
        durable::ledger::LedgerId,
    };

    const REQUEST: Binding<'_> = Binding { tool: "book", arguments: r#"{"to":"LIS"}"#, principal: Some("ann") };

    fn info(round: u32) -> StateInfo {
        let place = Place { call: CallId::random(), round, first: 1 };
        StateInfo { place, ledger: LedgerId::random(), misses: 0, expires: LedgerTime(7) }
    }

    #[test]
    fn state_is_found_once_and_only_for_its_own_request() {
        let states = RecentStates::default();
        states.keep("v1.state", &REQUEST, info(3));
        for other in [
            Binding { tool: "transfer", ..REQUEST },
            Binding { arguments: r#"{"to":"OPO"}"#, ..REQUEST },
            Binding { arguments: r#"{ "to": "LIS" }"#, ..REQUEST },
            Binding { principal: Some("bob"), ..REQUEST },
            Binding { principal: Some(""), ..REQUEST },
            Binding { principal: None, ..REQUEST },
            Binding { tool: "boo", principal: Some("kann"), ..REQUEST },
            Binding { tool: "bookann", principal: None, ..REQUEST },
        ] {
            assert!(states.take("v1.state", &other).is_none(), "{other:?}");
        }
        assert!(states.take("v1.statE", &REQUEST).is_none());
        let (text, info) = states.take("v1.state", &REQUEST).expect("it was kept");
        assert_eq!((&*text, info.place.round), ("v1.state", 3));
        assert!(states.take("v1.state", &REQUEST).is_none());
    }

    #[test]
    fn evicts_the_oldest_states() {
        let states = RecentStates::default();
        let count = MOST_BYTES / OVERHEAD;
        for number in 0..count {
            states.keep(&format!("v1.{number}"), &REQUEST, info(1));
        }
        let kept = (0..count).filter(|number| states.take(&format!("v1.{number}"), &REQUEST).is_some());
        let (first, kept) = (count - kept.count(), states.0.lock().bytes);
        assert!(first > 0 && kept <= MOST_BYTES, "{first} are gone, {kept} bytes");
        let large = "x".repeat(MOST_BYTES);
        states.keep(&large, &REQUEST, info(1));
        assert!(states.take(&large, &REQUEST).is_none());
        states.clear();
        assert_eq!(states.0.lock().bytes, 0);
    }
}
