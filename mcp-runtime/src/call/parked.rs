//! Calls between two rounds, kept in memory: their futures, and the journals that no state carries.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

use super::{
    continuation::{CallId, FUTURE_KEPT, KEPT, Place},
    journal::Journal,
    running::Running,
};
use crate::server::Inner;

/// How many calls are kept. The oldest makes room for the newest.
const MOST: usize = 16 * 1024;

/// The parked calls of a server.
#[derive(Default)]
pub(crate) struct Parking(Mutex<Slots>);

#[derive(Default)]
struct Slots {
    by_call: HashMap<CallId, Slot>,
    oldest_first: VecDeque<Place>,
}

/// A call as it waits for a round.
pub(crate) struct Slot {
    round: u32,
    running: Option<Running>,
    /// What to rebuild it from, where no state carries that.
    pub(crate) journal: Option<Journal>,
}

impl Slot {
    /// Whether the future is there.
    pub(crate) fn is_whole(&self) -> bool {
        self.running.is_some()
    }

    pub(crate) fn journal(&self) -> Journal {
        let of_running = || self.running.as_ref().map(|running| running.call().conversation.journal());
        self.journal.clone().or_else(of_running).unwrap_or_default()
    }
}

impl Parking {
    /// Keeps a call until its next round.
    pub(crate) fn park(server: &Arc<Inner>, place: Place, running: Running, journal: Option<Journal>) {
        *running.call().request() = None;
        let mut slots = server.parking.lock();
        slots.tidy();
        let evicted = if slots.by_call.len() < MOST { None } else { slots.remove_oldest() };
        let slot = Slot { round: place.round, running: Some(running), journal };
        let replaced = slots.by_call.insert(place.call, slot);
        slots.oldest_first.push_back(place);
        drop(slots);
        // Outside of the lock: dropping a future runs the author's code.
        drop((evicted, replaced));
        tokio::spawn(forget_later(Arc::downgrade(server), place));
    }

    /// Takes the future out that waits for this round. One that waits for another is of no use any more. The journal
    /// stays, where there is one: the round may be given back.
    pub(crate) fn take(&self, place: Place) -> Option<Running> {
        let mut slots = self.lock();
        if let Some(slot) = slots.waiting(place).filter(|slot| slot.journal.is_some()) {
            return slot.running.take();
        }
        let removed = slots.by_call.remove(&place.call);
        drop(slots);
        removed.filter(|slot| slot.round == place.round)?.running
    }

    /// Drops what is kept of a call that is done.
    pub(crate) fn drop_done(&self, place: Place) {
        let removed = self.lock().by_call.remove(&place.call);
        drop(removed);
    }

    /// Looks at the call that waits for this round, if it is here.
    pub(crate) fn look<T>(&self, place: Place, at: impl FnOnce(&Slot) -> T) -> Option<T> {
        self.lock().by_call.get(&place.call).filter(|slot| slot.round == place.round).map(at)
    }

    /// Drops all futures, as a restart would, and leaves the journals.
    #[cfg(feature = "testing")]
    pub(crate) fn forget_futures(&self) {
        let mut slots = self.lock();
        let mut forgotten: Vec<_> = slots.by_call.values_mut().filter_map(|slot| slot.running.take()).collect();
        slots.by_call.retain(|_, slot| slot.journal.is_some());
        drop(slots);
        forgotten.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    fn remove_oldest(&mut self) -> Option<Slot> {
        while let Some(oldest) = self.oldest_first.pop_front() {
            if self.waiting(oldest).is_some() {
                return self.by_call.remove(&oldest.call);
            }
        }
        None
    }

    /// Drops the places of calls that were taken out since, when they are the most.
    fn tidy(&mut self) {
        if self.oldest_first.len() > 64.max(2 * self.by_call.len()) {
            let Self { by_call, oldest_first } = self;
            oldest_first.retain(|place| by_call.get(&place.call).is_some_and(|slot| slot.round == place.round));
        }
    }

    fn waiting(&mut self, place: Place) -> Option<&mut Slot> {
        self.by_call.get_mut(&place.call).filter(|slot| slot.round == place.round)
    }
}

/// First the future, which can be made again from the journal; then that as well.
async fn forget_later(server: Weak<Inner>, place: Place) {
    tokio::time::sleep(FUTURE_KEPT).await;
    if !forget(&server, place, true) {
        return;
    }
    tokio::time::sleep(KEPT.saturating_sub(FUTURE_KEPT)).await;
    forget(&server, place, false);
}

/// Drops what waits for this round; `future_only`, if there is a journal beside it. Whether that is left.
fn forget(server: &Weak<Inner>, place: Place, future_only: bool) -> bool {
    let Some(server) = server.upgrade() else { return false };
    let mut slots = server.parking.lock();
    let Some(slot) = slots.waiting(place) else { return false };
    let left = future_only && slot.journal.is_some();
    let forgotten =
        if left { slot.running.take() } else { slots.by_call.remove(&place.call).and_then(|slot| slot.running) };
    // As above: taken out first, dropped after.
    drop(slots);
    drop(forgotten);
    left
}
