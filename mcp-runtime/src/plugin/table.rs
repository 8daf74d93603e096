//! The calls that this process runs, and those that ended a short time ago.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use tokio::time::Instant;

use super::{PluginError, live::LiveCall};
use crate::{call::Principal, mutex::Mutex};

/// The maximum number of calls that are kept after their end.
const MOST_ENDED: usize = 1024;

/// The calls of a host, by their ids.
pub(super) struct CallsOfHost {
    state: Mutex<TableState>,
    limits: CallLimits,
}

/// The limits for open calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallLimits {
    pub(super) each: usize,
    pub(super) all: usize,
    /// How long a call can be followed after its end.
    pub(super) keep_ended: Duration,
}

#[derive(Default)]
struct TableState {
    calls: HashMap<Box<str>, Arc<LiveCall>>,
    /// The number of open calls of each owner.
    open: HashMap<Option<Arc<str>>, usize>,
    all_open: usize,
    ended: VecDeque<(Instant, Box<str>)>,
}

impl CallsOfHost {
    pub(super) fn new(limits: CallLimits) -> Self {
        Self { state: Mutex::default(), limits }
    }

    /// Adds an open call. If `is_stored` is set, adds the call even if the limits are exceeded. If there already is a
    /// call with this id, adds nothing and returns the existing call.
    pub(super) fn begin(&self, call: &Arc<LiveCall>, is_stored: bool) -> Result<Option<Arc<LiveCall>>, PluginError> {
        let mut state = self.state.lock();
        state.sweep(self.limits.keep_ended);
        if let Some(earlier) = state.calls.get(&call.id) {
            return Ok(Some(Arc::clone(earlier)));
        }
        let CallLimits { each, all, .. } = self.limits;
        let owner = owner_of(call);
        if !is_stored && state.all_open >= all {
            return Err(PluginError::Full);
        }
        // For calls of the application itself, only the limit for all calls applies.
        let has_limit = !is_stored && call.owner.is_some();
        if has_limit && state.open.get(&owner).is_some_and(|open| *open >= each) {
            return Err(PluginError::TooManyCalls(each));
        }
        *state.open.entry(owner).or_default() += 1;
        state.all_open += 1;
        state.calls.insert(call.id.clone(), Arc::clone(call));
        Ok(None)
    }

    /// Stops counting the call as open. The call can still be followed for a while.
    pub(super) fn ended(&self, call: &Arc<LiveCall>) {
        let mut state = self.state.lock();
        state.close(call);
        state.ended.push_back((Instant::now(), call.id.clone()));
        state.sweep(self.limits.keep_ended);
    }

    /// Removes a call that could not begin.
    pub(super) fn refuse(&self, call: &Arc<LiveCall>) {
        let mut state = self.state.lock();
        state.close(call);
        state.calls.remove(&call.id);
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<LiveCall>> {
        self.state.lock().calls.get(id).cloned()
    }

    /// Returns the open calls of an owner, oldest first.
    pub(super) fn open_calls(&self, owner: Option<&Principal>) -> Vec<Arc<LiveCall>> {
        let state = self.state.lock();
        let own = state.calls.values().filter(|call| call.status().is_open() && call.belongs_to(owner));
        let mut own: Vec<_> = own.cloned().collect();
        drop(state);
        own.sort_by(|a, b| (a.started_at, &a.id).cmp(&(b.started_at, &b.id)));
        own
    }
}

impl TableState {
    fn close(&mut self, call: &LiveCall) {
        let owner = owner_of(call);
        self.all_open -= 1;
        if let Some(open) = self.open.get_mut(&owner) {
            *open -= 1;
            if *open == 0 {
                self.open.remove(&owner);
            }
        }
    }

    fn sweep(&mut self, keep: Duration) {
        let is_due = |at: Instant| at.elapsed() >= keep;
        while let Some((at, _)) = self.ended.front()
            && (self.ended.len() > MOST_ENDED || is_due(*at))
        {
            if let Some((_, id)) = self.ended.pop_front() {
                self.calls.remove(&id);
            }
        }
    }
}

fn owner_of(call: &LiveCall) -> Option<Arc<str>> {
    call.owner.as_ref().map(Principal::shared_name)
}
