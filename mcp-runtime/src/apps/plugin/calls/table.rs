//! The calls that this process runs, and those that ended a short time ago.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use super::{
    ended::EndedCalls,
    error::PluginError,
    live::{CallOwner, LiveCall},
};
use crate::{
    base::{
        mutex::Mutex,
        owned::{Amount, AmountLimits, Measure, OwnedEntries},
    },
    engine::call::Principal,
};

/// The calls of a host, by their ids.
pub(crate) struct CallsOfHost {
    state: Mutex<TableState>,
    open_limits: AmountLimits,
}

struct TableState {
    calls: foldhash::HashMap<Arc<str>, TableEntry>,
    open: OwnedEntries<CallOwner, Arc<LiveCall>>,
    ended: EndedCalls,
    /// Whether a task removes calls that ended long ago.
    is_sweeping: bool,
}

struct TableEntry {
    call: Arc<LiveCall>,
    /// The number of the call in `open`. `None` for a call that has ended, and for a new one in its first request.
    number: Option<u64>,
}

impl CallsOfHost {
    /// Creates a table. An ended call can be followed for the time `keep_ended`.
    pub(crate) fn new(open: AmountLimits, ended: AmountLimits, keep_ended: Duration) -> Self {
        let state = TableState {
            calls: foldhash::HashMap::default(),
            open: OwnedEntries::new(open),
            ended: EndedCalls::new(ended, keep_ended),
            is_sweeping: false,
        };
        Self { state: Mutex::new(state), open_limits: open }
    }

    /// Adds a new call, which counts as open after [`hold`](Self::hold). If `is_stored` is set, adds the call even if the
    /// limits are exceeded. If there already is a call with this id, adds nothing and returns the existing call.
    ///
    /// If the host is full, ends the oldest waiting call of the user who has most, so that a user with few calls is
    /// admitted.
    pub(crate) fn begin(&self, call: &Arc<LiveCall>, is_stored: bool) -> Result<Option<Arc<LiveCall>>, PluginError> {
        let mut state = self.state.lock();
        state.sweep();
        if let Some(earlier) = state.calls.get(&call.id) {
            return Ok(Some(Arc::clone(&earlier.call)));
        }
        let (owner, amount) = (call.owner_name(), open_amount(call));
        let mut displaced = Vec::new();
        if !is_stored {
            // For calls of the application itself, only the limits for all calls apply.
            let excess = if owner.is_some() { state.open.excess_of(&owner, amount) } else { None };
            match excess {
                Some(Measure::Number) => return Err(PluginError::TooManyCalls(self.open_limits.each.number)),
                Some(Measure::Bytes) => return Err(PluginError::TooManyBytes(self.open_limits.each.bytes)),
                None => {}
            }
            displaced = state.open.make_room(&owner, amount, can_be_displaced).map_err(|_| PluginError::Full)?;
        }
        state.calls.insert(call.id.clone(), TableEntry { call: Arc::clone(call), number: None });
        drop(state);
        displaced.iter().for_each(|call| call.displace());
        Ok(None)
    }

    /// Counts a call as open. A call that ends with its first request is never counted, so a thread can begin one call
    /// more than the limits allow.
    pub(crate) fn hold(&self, call: &Arc<LiveCall>) {
        let mut state = self.state.lock();
        let TableState { calls, open, .. } = &mut *state;
        if let Some(entry) = calls.get_mut(&call.id) {
            entry.number.get_or_insert_with(|| open.insert(call.owner_name(), open_amount(call), Arc::clone(call)));
        }
    }

    /// Counts the events that an open call has got. If the open calls have too many bytes now, ends the oldest waiting
    /// calls of the users who have most.
    pub(crate) fn grow(&self, call: &LiveCall) {
        let mut state = self.state.lock();
        let Some(number) = state.calls.get(&call.id).and_then(|entry| entry.number) else { return };
        state.open.resize(number, open_amount(call));
        let displaced = state.open.shrink(can_be_displaced);
        drop(state);
        displaced.iter().for_each(|call| call.displace());
    }

    /// Stops counting the call as open. The call can still be followed for a while.
    pub(crate) fn ended(self: &Arc<Self>, call: &Arc<LiveCall>) {
        let mut state = self.state.lock();
        let TableState { calls, open, ended, .. } = &mut *state;
        if let Some(entry) = calls.get_mut(&call.id) {
            if let Some(number) = entry.number.take() {
                open.remove(number);
            }
            for gone in ended.add(call) {
                calls.remove(&gone);
            }
        }
        let is_sweeping = std::mem::replace(&mut state.is_sweeping, true);
        drop(state);
        if !is_sweeping {
            tokio::spawn(sweep(Arc::downgrade(self)));
        }
    }

    /// Removes a call that could not begin.
    pub(crate) fn refuse(&self, call: &Arc<LiveCall>) {
        let mut state = self.state.lock();
        if let Some(number) = state.calls.remove(&call.id).and_then(|entry| entry.number) {
            state.open.remove(number);
        }
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<LiveCall>> {
        self.state.lock().calls.get(id).map(|entry| Arc::clone(&entry.call))
    }

    /// Returns the open calls of an owner, oldest first.
    pub(crate) fn open_calls(&self, owner: Option<&Principal>) -> Vec<Arc<LiveCall>> {
        let state = self.state.lock();
        let name = owner.map(Principal::shared_name);
        let own = state.open.of(&name).filter(|call| call.status().is_open() && call.belongs_to(owner));
        let mut own: Vec<_> = own.cloned().collect();
        drop(state);
        own.sort_by(|a, b| (a.started_at, &a.id).cmp(&(b.started_at, &b.id)));
        own
    }
}

impl TableState {
    /// Removes the calls that ended long ago. Returns when the next one is due.
    fn sweep(&mut self) -> Option<Instant> {
        let (gone, next) = self.ended.expire();
        for id in gone {
            self.calls.remove(&id);
        }
        self.is_sweeping = next.is_some();
        next
    }
}

/// Removes ended calls when they are due, until there is none.
async fn sweep(table: Weak<CallsOfHost>) {
    loop {
        let next = table.upgrade().and_then(|table| table.state.lock().sweep());
        let Some(next) = next else { return };
        sleep_until(next).await;
    }
}

/// Returns what an open call counts. The tool has a copy of the arguments, and the call has one of its question.
fn open_amount(call: &LiveCall) -> Amount {
    let (_, events) = call.timeline.bytes();
    Amount::one(events + call.timeline.started().text().len())
}

/// Returns whether the call can end for another one: it belongs to a user, and waits for its answer.
fn can_be_displaced(call: &Arc<LiveCall>) -> bool {
    call.owner.is_some() && call.is_asking()
}
