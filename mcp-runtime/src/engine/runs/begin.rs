//! The beginning of a run.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll};

use super::{
    RunInsertion, RunLimits, RunRecord, RunStoreError,
    background::{CleanFn, background_call, drive},
    details::RunInputs,
    feed::{EndFn, RunFeed},
    manager::RunManager,
    recorder::RunRecorder,
};
use crate::{
    base::clock,
    engine::call::{
        Call,
        observer::{Observer as _, observer},
        round_observer::RoundObserver as _,
        running::{CallFuture, Running},
    },
};

/// A run that begins.
pub(crate) struct NewRun<'a> {
    pub(crate) action: &'a str,
    /// The length of the arguments in bytes. The call of the run keeps them in memory.
    pub(crate) arguments: usize,
    pub(crate) inputs: RunInputs,
    pub(crate) clean: CleanFn,
    pub(crate) end: EndFn,
}

/// A run that has begun. It can have ended already.
pub(crate) struct BegunRun {
    /// The record as it was first stored.
    record: RunRecord,
    pub(super) feed: Arc<RunFeed>,
}

impl BegunRun {
    pub(crate) fn id(&self) -> &str {
        &self.record.id
    }

    /// Returns the run as it is now, without its trace.
    pub(crate) fn now(mut self) -> RunRecord {
        self.feed.describe(&mut self.record, false);
        self.record
    }
}

/// Why a run cannot begin.
pub(crate) enum BeginError<E> {
    /// The action cannot be called.
    Call(E),
    /// A limit of open runs is reached.
    Full(FullRuns),
    Store(RunStoreError),
}

/// A limit that a new run would exceed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FullRuns {
    reached: RunInsertion,
    limits: RunLimits,
    /// The bytes of the new run.
    bytes: u64,
}

/// The entry of a run in the table of live runs. It is removed again if the call that begins the run is dropped.
struct LiveEntry<'a> {
    manager: &'a RunManager,
    id: &'a str,
    is_kept: bool,
}

impl<'a> LiveEntry<'a> {
    fn new(manager: &'a RunManager, id: &'a str, feed: &Arc<RunFeed>) -> Self {
        manager.live.lock().insert(id.to_owned(), Arc::clone(feed));
        Self { manager, id, is_kept: false }
    }

    fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for LiveEntry<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.manager.live.lock().remove(self.id);
        }
    }
}

impl RunManager {
    /// Begins a run for the owner of the call `caller`. `start` creates the future of the run.
    pub(crate) async fn begin<E>(
        self: &Arc<Self>,
        caller: &Call,
        new: NewRun<'_>,
        start: impl FnOnce(Call) -> Result<CallFuture, E>,
    ) -> Result<BegunRun, BeginError<E>> {
        self.beat();
        let NewRun { action, arguments, inputs, clean, end } = new;
        let feed = Arc::new(RunFeed::new(inputs));
        let call = background_call(caller, &feed, clean);
        let state = Arc::clone(&call.0);
        let calling = start(call).map_err(BeginError::Call)?;
        let owner = caller.0.owner();
        let mut record = RunRecord::new(&self.tool, action, owner.as_deref(), &self.instance, clock::now());
        record.bytes += arguments as u64;
        feed.describe(&mut record, true);
        let limits = self.settings.open;
        // Added before the run is stored, because a stored run of this process that is not live counts as interrupted.
        let live = LiveEntry::new(self, &record.id, &feed);
        match self.store().insert(&record, limits).await.map_err(BeginError::Store)? {
            RunInsertion::Stored => {}
            reached => {
                observer().turned_away("runs");
                return Err(BeginError::Full(FullRuns { reached, limits, bytes: record.bytes }));
            }
        }
        live.keep();
        let watch = observer().call(&state, 0);
        let running = Running::new(calling, None, state, Vec::new(), watch).without_timeout();
        let driving = drive(Arc::clone(&feed), running, Arc::clone(&end));
        let (store, heartbeat) = (Arc::clone(self.store()), self.settings.heartbeat);
        let limit = self.settings.ended.of_one_run();
        let begun = BegunRun { record: record.clone(), feed: Arc::clone(&feed) };
        let recorder = RunRecorder { feed, store, record, heartbeat, limit, end };
        let manager = Arc::clone(self);
        let recording = async move {
            let record = recorder.record().await;
            manager.forget(&record).await;
        };
        // One task, so that a run that ends in its first poll is stored in the same poll.
        tokio::spawn(Box::pin(both(driving, recording)));
        Ok(begun)
    }
}

/// Runs both futures to their ends. Whenever the first one has been polled, polls the second one.
async fn both(first: impl Future<Output = ()>, second: impl Future<Output = ()>) {
    let (mut first, mut second) = (pin!(first), pin!(second));
    let (mut has_first_ended, mut has_second_ended) = (false, false);
    poll_fn(|cx| {
        has_first_ended = has_first_ended || first.as_mut().poll(cx).is_ready();
        has_second_ended = has_second_ended || second.as_mut().poll(cx).is_ready();
        if has_first_ended && has_second_ended { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

impl FullRuns {
    /// Returns whether the owner of the run has reached a limit. Otherwise, all owners together have.
    pub(crate) fn is_of_owner(&self) -> bool {
        matches!(self.reached, RunInsertion::OwnerRuns | RunInsertion::OwnerBytes)
    }

    /// Says which limit is reached, and what to do. `what` is what clients call runs, such as "runs". `wait` says how a
    /// client waits for the end of a run.
    pub(crate) fn message(&self, what: &str, wait: &str) -> String {
        let Self { limits: RunLimits { per_owner, total }, bytes, .. } = self;
        match self.reached {
            RunInsertion::OwnerBytes => format!(
                "your open {what} can have {} bytes together, and this one needs {bytes}; send less data, {wait}, or \
                 cancel one",
                per_owner.bytes
            ),
            RunInsertion::TotalRuns => {
                format!("this server has {} open {what}, which is the limit; try again later", total.runs)
            }
            RunInsertion::TotalBytes => format!(
                "the open {what} of this server can have {} bytes together, and this one needs {bytes}; try again \
                 later",
                total.bytes
            ),
            RunInsertion::OwnerRuns | RunInsertion::Stored => {
                format!("you have {} open {what}, which is the limit; {wait}, or cancel one", per_owner.runs)
            }
        }
    }
}
