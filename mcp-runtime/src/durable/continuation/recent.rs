//! The states that this process has written last, as they stand on the wire.
//!
//! Most states come back to the process that wrote them, soon, with the same request. To know such a state takes a
//! comparison with what was written, byte for byte, and no cryptography. All other states must prove that they are ours.
//! A state is found by its end, which is part of its authentication tag, and by a hash that depends on secrets: a guess is
//! compared with nothing, so that its time tells nothing.

use std::{
    collections::{HashMap, VecDeque, hash_map::Entry},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Binding, Said};
use crate::call::mixing::Mixing;

/// How many bytes of states and their requests are kept.
const MOST_BYTES: usize = 1024 * 1024;

/// What is counted for a state besides its own bytes and those of its request.
const OVERHEAD: usize = 256;

#[derive(Default)]
pub(super) struct RecentStates(Mutex<States>);

#[derive(Default)]
struct States {
    by_end: HashMap<End, Recent, Mixing>,
    /// Oldest first, with what is counted for each. Some have come back.
    by_age: VecDeque<(End, usize)>,
    /// What is counted for all of them.
    bytes: usize,
}

/// The last bytes of a state, of which no two have the same. A hash of all of a long state costs more than to compare it.
type End = [u8; 16];

/// A state, what it says, and the request that it was written for.
struct Recent {
    text: Arc<str>,
    said: Said,
    tool: Box<str>,
    arguments: Box<str>,
    principal: Option<Box<str>>,
}

impl RecentStates {
    /// Keeps a state that was written for this request. The oldest ones make room for it.
    pub(super) fn keep(&self, state: &str, binding: &Binding<'_>, said: Said) {
        let Binding { tool, arguments, principal } = *binding;
        let length = OVERHEAD + state.len() + tool.len() + arguments.len() + principal.map_or(0, str::len);
        if length > MOST_BYTES {
            return;
        }
        let (text, principal) = (state.into(), principal.map(Into::into));
        let recent = Recent { text, said, tool: tool.into(), arguments: arguments.into(), principal };
        let mut states = self.lock();
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

    /// The text of a state and what it says, if it is kept and was written for this request. It is not kept any longer:
    /// the next state of its call takes its place.
    pub(super) fn take(&self, state: &str, binding: &Binding<'_>) -> Option<(Arc<str>, Said)> {
        let mut states = self.lock();
        let Entry::Occupied(found) = states.by_end.entry(end_of(state)) else { return None };
        let recent = found.get();
        let Binding { tool, arguments, principal } = *binding;
        let is_same = *recent.text == *state && *recent.tool == *tool && *recent.arguments == *arguments;
        if !is_same || recent.principal.as_deref() != principal {
            return None;
        }
        let Recent { text, said, .. } = found.remove();
        Some((text, said))
    }

    /// Forgets all states.
    pub(super) fn clear(&self) {
        *self.lock() = States::default();
    }

    fn lock(&self) -> MutexGuard<'_, States> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn end_of(state: &str) -> End {
    let mut end = End::default();
    let length = state.len().min(end.len());
    end[..length].copy_from_slice(&state.as_bytes()[state.len() - length..]);
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        call::{call_id::CallId, ledger_time::LedgerTime, place::Place},
        durable::ledger::LedgerId,
    };

    const REQUEST: Binding<'_> = Binding { tool: "book", arguments: r#"{"to":"LIS"}"#, principal: Some("ann") };

    fn said(round: u32) -> Said {
        let place = Place { call: CallId::random(), round, first: 1 };
        Said { place, ledger: LedgerId::random(), misses: 0, expires: LedgerTime(7) }
    }

    #[test]
    fn a_state_is_known_once_and_with_its_own_request_only() {
        let states = RecentStates::default();
        states.keep("v1.state", &REQUEST, said(3));
        for other in [
            Binding { tool: "transfer", ..REQUEST },
            Binding { arguments: r#"{"to":"OPO"}"#, ..REQUEST },
            Binding { arguments: r#"{ "to": "LIS" }"#, ..REQUEST },
            Binding { principal: Some("bob"), ..REQUEST },
            Binding { principal: Some(""), ..REQUEST },
            Binding { principal: None, ..REQUEST },
        ] {
            assert!(states.take("v1.state", &other).is_none(), "{other:?}");
        }
        assert!(states.take("v1.statE", &REQUEST).is_none());
        let (text, said) = states.take("v1.state", &REQUEST).expect("it was kept");
        assert_eq!((&*text, said.place.round), ("v1.state", 3));
        assert!(states.take("v1.state", &REQUEST).is_none());
    }

    #[test]
    fn the_oldest_states_make_room() {
        let states = RecentStates::default();
        let count = MOST_BYTES / OVERHEAD;
        for number in 0..count {
            states.keep(&format!("v1.{number}"), &REQUEST, said(1));
        }
        let kept = (0..count).filter(|number| states.take(&format!("v1.{number}"), &REQUEST).is_some());
        let (first, kept) = (count - kept.count(), states.lock().bytes);
        assert!(first > 0 && kept <= MOST_BYTES, "{first} are gone, {kept} bytes");
        let large = "x".repeat(MOST_BYTES);
        states.keep(&large, &REQUEST, said(1));
        assert!(states.take(&large, &REQUEST).is_none());
        states.clear();
        assert_eq!(states.lock().bytes, 0);
    }
}
