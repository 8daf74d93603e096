//! Keeps calls in memory between two rounds: their futures, and the journals that no `requestState` contains.

mod eviction_order;
mod slots;
#[cfg(test)]
mod tests;

use std::time::Duration;

use tokio::{task::AbortHandle, time::Instant};

use self::{
    eviction_order::Loss,
    slots::{SlotOwner, Slots},
};
use crate::{
    base::mutex::Mutex,
    engine::{
        call::{
            call_id::{CallId, Place},
            conversation::Conversation,
            journal::Journal,
            running::Running,
        },
        durable::ledger::quota::Parkable,
        tool::definition::FUTURE_KEPT,
    },
};

/// The maximum number of parked calls.
const MOST: usize = 16 * 1024;

/// The limits for parked calls that cannot be rebuilt. New calls that exceed these limits are rejected, so that the
/// server never has to evict a call that it cannot rebuild.
pub(crate) const PARKABLE: Parkable = Parkable { calls: MOST, bytes: 128 * 1024 * 1024 };

/// The maximum number of parked futures of calls whose states or records contain the journal. Beyond this number, the
/// server drops the future and rebuilds the call when it resumes. This takes longer, but needs no memory while the call
/// waits.
const MOST_CARRIED: usize = 1024;

/// The parked calls of a server.
pub(crate) struct Parking(Mutex<Parked>);

struct Parked {
    slots: Slots<ParkedCall>,
    /// The task that drops expired calls. It ends with its async runtime, which can end before the server.
    sweeper: Option<AbortHandle>,
}

/// A call between two rounds: its future, or its journal after the future was taken or dropped.
pub(crate) struct ParkedCall {
    round: u32,
    running: Option<Box<Running>>,
    /// Whether the process keeps the journal, because neither the state nor the record contains it.
    keeps_journal: bool,
    /// The journal of a call without its future, if the process keeps it. While the future is here, it has everything
    /// that the journal consists of.
    journal: Option<Box<Journal>>,
    /// When the future in `running` expires. The journal expires at `journal_until`.
    future_until: Instant,
    journal_until: Instant,
}

/// The options for parking a call.
pub(crate) struct ParkOptions {
    /// The call's owner, if known.
    pub(crate) owner: SlotOwner,
    /// Where the journal is from which the call can be rebuilt.
    pub(crate) journal: JournalPlace,
    /// How long the state is valid.
    pub(crate) time: Duration,
}

/// Where the journal of a parked call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JournalPlace {
    /// There is none, because the call cannot be rebuilt.
    Nowhere,
    /// In the state or in the record.
    Carried,
    /// In this process.
    Here,
}

impl ParkedCall {
    /// Returns the call's conversation, if the call's future is still in memory.
    pub(crate) fn conversation(&self) -> Option<&Conversation> {
        self.running.as_ref().map(|running| &running.call().conversation)
    }

    pub(crate) fn journal(&self) -> Journal {
        let journal = self.journal.as_deref().cloned();
        journal.or_else(|| self.conversation().map(Conversation::journal)).unwrap_or_default()
    }

    /// Returns the journal from which the call can be rebuilt, if the process keeps it.
    pub(crate) fn kept_journal(&self) -> Option<Journal> {
        self.keeps_journal.then(|| self.journal())
    }

    /// Removes the future, and keeps the journal if no other place has it.
    fn take_future(&mut self) -> Option<Box<Running>> {
        if self.running.is_some() {
            self.journal = self.kept_journal().map(Box::new);
        }
        self.running.take()
    }
}

impl Parking {
    /// Creates an empty table. Each owner can have at least `most_of_owner` parked calls, because no call that was
    /// admitted may be evicted.
    pub(super) fn new(most_of_owner: usize) -> Self {
        Self(Mutex::new(Parked { slots: Slots::new(MOST, MOST_CARRIED, most_of_owner), sweeper: None }))
    }

    /// Parks a call until its next round. Starts the task that drops expired calls, if it does not run.
    pub(super) fn park(
        &self,
        place: Place,
        running: Box<Running>,
        keep: ParkOptions,
        start_sweeper: impl FnOnce() -> AbortHandle,
    ) {
        *running.call().request() = None;
        let ParkOptions { owner, journal, time } = keep;
        let loss = if journal == JournalPlace::Carried { Loss::Time } else { Loss::Call };
        let now = Instant::now();
        // The future of a call that cannot be rebuilt is kept as long as its state is valid.
        let future_until = now + if journal == JournalPlace::Nowhere { time } else { FUTURE_KEPT.min(time) };
        let slot = ParkedCall {
            round: place.round,
            running: Some(running),
            keeps_journal: journal == JournalPlace::Here,
            journal: None,
            future_until,
            journal_until: now + time,
        };
        let mut parked = self.0.lock();
        let dropped = parked.slots.insert(place.call, owner, loss, slot);
        if parked.sweeper.as_ref().is_none_or(AbortHandle::is_finished) {
            parked.sweeper = Some(start_sweeper());
        }
        drop(parked);
        // Dropped outside the lock, because dropping a future runs the author's code.
        drop(dropped);
    }

    /// Removes and returns the future that waits for this round. Drops a future of an earlier round. Keeps a future of
    /// a later round, because another request has already run this round. Keeps the journal of this round, because the
    /// round may be released.
    pub(crate) fn take(&self, place: Place) -> Option<Box<Running>> {
        let mut parked = self.0.lock();
        let slot = parked.slots.get_mut(place.call)?;
        if place.round < slot.round {
            return None;
        }
        if slot.round == place.round && slot.keeps_journal {
            return slot.take_future();
        }
        let removed = parked.slots.remove(place.call);
        drop(parked);
        removed.filter(|slot| slot.round == place.round)?.running
    }

    /// Drops the future and the journals of a finished call.
    pub(crate) fn drop_done(&self, place: Place) {
        let removed = self.0.lock().slots.remove(place.call);
        drop(removed);
    }

    /// Inspects the call that waits for this round. Returns `None` if no such call is parked in this process.
    pub(crate) fn look<T>(&self, place: Place, at: impl FnOnce(&ParkedCall) -> T) -> Option<T> {
        let parked = self.0.lock();
        let slot = parked.slots.get(place.call)?;
        (slot.round == place.round).then(|| at(slot))
    }

    /// Drops all futures and keeps the journals, as if the process had restarted.
    pub(crate) fn forget_futures(&self) {
        self.forget(|slot| !slot.keeps_journal, |_| true);
    }

    /// Drops expired calls.
    pub(super) fn sweep(&self) {
        let now = Instant::now();
        let over = |slot: &ParkedCall| slot.future_until <= now;
        self.forget(|slot| over(slot) && (!slot.keeps_journal || slot.journal_until <= now), over);
    }

    /// Returns whether the sweeping task can end, because no call is parked. The next parked call starts a new task.
    pub(super) fn end_sweeping(&self) -> bool {
        let mut parked = self.0.lock();
        if parked.slots.is_empty() {
            parked.sweeper = None;
        }
        parked.sweeper.is_none()
    }

    /// Drops each call for which `whole` returns `true`. Drops only the future of each call for which `future` returns
    /// `true`.
    fn forget(&self, whole: impl Fn(&ParkedCall) -> bool, future: impl Fn(&ParkedCall) -> bool) {
        let mut parked = self.0.lock();
        let slots = &mut parked.slots;
        let calls: Vec<CallId> = slots
            .iter()
            .filter(|(_, slot)| whole(slot) || slot.running.is_some() && future(slot))
            .map(|(call, _)| call)
            .collect();
        let take = |call| match slots.get_mut(call) {
            Some(slot) if !whole(slot) => slot.take_future(),
            _ => slots.remove(call).and_then(|slot| slot.running),
        };
        let forgotten: Vec<_> = calls.into_iter().map(take).collect();
        drop(parked);
        // Dropped outside the lock, as above.
        drop(forgotten);
    }
}
