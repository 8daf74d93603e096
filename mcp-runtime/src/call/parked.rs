//! Calls between two rounds: their futures, kept in memory.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use super::{continuation::CallId, running::Running};
use crate::server::Inner;

/// How long a future is kept.
const KEPT: Duration = Duration::from_secs(15 * 60);

/// How many are kept. The oldest makes room for the newest.
const MOST: usize = 1024;

/// The parked calls of a server.
#[derive(Default)]
pub(crate) struct Parking(Mutex<Slots>);

#[derive(Default)]
struct Slots {
    by_call: HashMap<CallId, Slot>,
    oldest_first: VecDeque<Place>,
}

struct Slot {
    round: u32,
    running: Running,
}

/// The round of a call that its future waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) call: CallId,
    pub(crate) round: u32,
}

impl Parking {
    /// Keeps a call until its next round.
    pub(crate) fn park(server: &Arc<Inner>, place: Place, running: Running) {
        *running.call().request() = None;
        let mut slots = server.parking.lock();
        let evicted = if slots.by_call.len() < MOST { None } else { slots.remove_oldest() };
        let replaced = slots.by_call.insert(place.call, Slot { round: place.round, running });
        slots.oldest_first.push_back(place);
        drop(slots);
        // Outside of the lock: dropping a future runs the author's code.
        drop((evicted, replaced));
        tokio::spawn(forget_later(Arc::downgrade(server), place));
    }

    /// Takes the future out that waits for this round. One that waits for another is of no use any more.
    pub(crate) fn take(&self, place: Place) -> Option<Running> {
        let slot = self.lock().remove(place.call)?;
        (slot.round == place.round).then_some(slot.running)
    }

    /// Looks at the future that waits for this round, if it is here.
    pub(crate) fn look<T>(&self, place: Place, at: impl FnOnce(&Running) -> T) -> Option<T> {
        let slots = self.lock();
        slots.by_call.get(&place.call).filter(|slot| slot.round == place.round).map(|slot| at(&slot.running))
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    fn remove_oldest(&mut self) -> Option<Slot> {
        let oldest = self.oldest_first.pop_front()?;
        self.by_call.remove(&oldest.call)
    }

    fn remove(&mut self, call: CallId) -> Option<Slot> {
        let slot = self.by_call.remove(&call)?;
        self.oldest_first.retain(|other| other.call != call);
        Some(slot)
    }
}

async fn forget_later(server: Weak<Inner>, place: Place) {
    tokio::time::sleep(KEPT).await;
    let Some(server) = server.upgrade() else { return };
    // As above: taken out first, dropped after.
    let mut slots = server.parking.lock();
    let waits = slots.by_call.get(&place.call).is_some_and(|slot| slot.round == place.round);
    let parked = if waits { slots.remove(place.call) } else { None };
    drop(slots);
    drop(parked);
}
