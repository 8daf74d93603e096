//! Calls between two rounds: their futures, kept in memory.

use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use serde_json::Value;

use super::running::Running;
use crate::{server::Inner, wire::error::RpcError};

/// How long a client may take for an answer.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// How many calls are kept. The oldest makes room for the newest.
const MOST: usize = 1024;

/// The parked calls of a server, by the state that was handed out for them.
#[derive(Default)]
pub(crate) struct Parking(Mutex<Slots>);

#[derive(Default)]
struct Slots {
    by_state: HashMap<String, Parked>,
    oldest_first: VecDeque<String>,
    random: RandomState,
    handed_out: u64,
}

/// A call between two rounds.
pub(crate) struct Parked {
    pub(crate) running: Running,
    /// The arguments it was called with: its next round comes with the same.
    pub(crate) arguments: Box<str>,
    /// How many requests in a row came back without an answer.
    pub(crate) misses: u8,
}

impl Parking {
    /// Keeps a call; gives the state by which its client comes back to it.
    pub(crate) fn park(server: &Arc<Inner>, parked: Parked) -> String {
        *parked.running.call().request() = None;
        let mut slots = server.parking.lock();
        let state = slots.new_state();
        let evicted = if slots.by_state.len() < MOST { None } else { slots.remove_oldest() };
        slots.by_state.insert(state.clone(), parked);
        slots.oldest_first.push_back(state.clone());
        drop(slots);
        // Outside of the lock: dropping a future runs the author's code.
        drop(evicted);
        tokio::spawn(forget_later(Arc::downgrade(server), state.clone()));
        state
    }

    /// Takes a call out if `fits` finds the request to be its next round, and leaves it where it is otherwise.
    pub(crate) fn take<T>(
        &self,
        state: &str,
        fits: impl FnOnce(&mut Parked) -> Result<Fit<T>, RpcError>,
    ) -> Result<Fit<T, Parked>, RpcError> {
        let mut slots = self.lock();
        let Some(parked) = slots.by_state.get_mut(state) else { return Err(unknown_state()) };
        match fits(parked)? {
            Fit::Stay(value) => Ok(Fit::Stay(value)),
            Fit::Take(()) => slots.remove(state).map(Fit::Take).ok_or_else(unknown_state),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a request takes a parked call up.
pub(crate) enum Fit<S, T = ()> {
    Stay(S),
    Take(T),
}

impl Parked {
    /// Whether these are the arguments of the call, however they are spelt.
    pub(crate) fn has_arguments(&self, arguments: &str) -> bool {
        let value = |text: &str| serde_json::from_str::<Value>(text).ok();
        *self.arguments == *arguments || value(&self.arguments).is_some_and(|own| Some(own) == value(arguments))
    }
}

impl Slots {
    fn remove_oldest(&mut self) -> Option<Parked> {
        let oldest = self.oldest_first.pop_front()?;
        self.by_state.remove(&oldest)
    }

    fn remove(&mut self, state: &str) -> Option<Parked> {
        self.oldest_first.retain(|other| other != state);
        self.by_state.remove(state)
    }

    /// 128 bits that nobody can guess: a keyed hash of a counter, the key drawn by the operating system.
    fn new_state(&mut self) -> String {
        self.handed_out += 1;
        let half = |half: u8| self.random.hash_one((self.handed_out, half));
        format!("{:016x}{:016x}", half(0), half(1))
    }
}

async fn forget_later(server: Weak<Inner>, state: String) {
    tokio::time::sleep(KEPT).await;
    if let Some(server) = server.upgrade() {
        // As above: taken out first, dropped after.
        let parked = server.parking.lock().remove(&state);
        drop(parked);
    }
}

fn unknown_state() -> RpcError {
    RpcError::invalid_params(
        "`requestState` is unknown here: the call is over, was taken up already, or waited too long; call the tool again",
    )
}
