//! The interface of a store for runs.

use std::{error::Error, pin::Pin, sync::Arc};

use super::{RunChanges, RunInsertion, RunLimits, RunRecord, RunStatus};

/// A store for the records of runs.
///
/// [`MemoryRunStore`](super::MemoryRunStore) is for one process, and its runs end with the process. Other stores share
/// runs between several processes. A record has the inputs, questions, answers and results of its run as JSON. They are not
/// sealed, so protect the store.
///
/// # For authors of stores
///
/// Each operation is atomic, and sees all operations that have completed before it began. Operations fail within a few
/// seconds if the store cannot be reached. The feature `testing` has `testing::run_store_contract`, which tests a store
/// against the rules of each method.
///
/// A store needs no clock: the records have the times that the server wrote, and [`beat`](Self::beat) only counts.
pub trait RunStore: Send + Sync + 'static {
    /// Returns whether the records outlive the process, so that other processes can read them. Default: `true`.
    fn outlives_process(&self) -> bool {
        true
    }

    /// Stores a new record, unless it exceeds the limits for the open runs of its tool. [`RunLimits::admit`] decides
    /// this.
    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion>;

    /// Returns the record with this id.
    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>>;

    /// Writes the record if the stored version is still `run.version`, and stores it with the next version. Returns
    /// whether the record was written. Only `status`, `instance`, `updated_at`, `bytes` and `details` can change. The
    /// limits do not apply.
    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool>;

    /// Returns the records that match the filter, newest first: by `created_at`, and then by `id`, both descending.
    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>>;

    /// Adds one to the counter of this instance, which starts at 0. Returns the counters of all instances. The counter
    /// shows other instances that this instance still runs.
    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>>;

    /// Removes the counter of an instance.
    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()>;

    /// Removes records of this tool's ended runs, and returns how many. It removes the records that were last written
    /// before the time `before`. Of the others, each owner keeps the newest that fit in `limits.per_owner`. If the rest
    /// does not fit in `limits.total`, the owner with the most runs loses its oldest run until the number fits, and then
    /// the owner with the most bytes loses its oldest run until the bytes fit. The oldest run is the one that was written
    /// first: by `updated_at`, and then by `id`.
    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize>;

    /// Returns what reports each record that [`replace`](Self::replace) has written, in any process, this one included.
    /// The report has the version that the record has now. A report comes soon after the write, but not before it. If
    /// reports can have been lost, the store calls [`RunChanges::any_written`].
    ///
    /// Answers and cancellations that another process receives then reach a run at once, and calls that wait for a run
    /// of another process see its questions and its end at once. By default there are no reports, and a run notices
    /// them with the next [heartbeat](super::Runs::heartbeat). With reports, the heartbeat still finds what no report
    /// has told.
    ///
    /// The server calls this method in an async runtime, before it begins or shows a run. A store that has to listen on
    /// a connection can begin with that at the first call.
    fn changes(&self) -> Option<&RunChanges> {
        None
    }
}

/// The store of a server, among the values that its tools share.
pub(crate) struct ServerRunStore(pub(crate) Arc<dyn RunStore>);

/// The future that the operations of a [`RunStore`] return.
pub type RunStoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, RunStoreError>> + Send + 'a>>;

/// Selects the runs that [`RunStore::list`] returns. A run must match all fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunFilter {
    /// The name of the tool. `None` for all tools.
    pub tool: Option<String>,
    /// The name of the action. `None` for all actions.
    pub action: Option<String>,
    /// The owner. `None` for all owners, and `Some(None)` for runs without an owner.
    pub owner: Option<Option<String>>,
    /// The instance. `None` for all instances.
    pub instance: Option<String>,
    /// The statuses. If the list is empty, all statuses match.
    pub statuses: Vec<RunStatus>,
    /// The `created_at` and the `id` of a run. Only runs that come after that run in the list match.
    pub after: Option<(u64, String)>,
    /// The maximum number of records.
    pub limit: usize,
}

/// The counter of an instance; see [`RunStore::beat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceBeat {
    /// The instance.
    pub instance: String,
    /// How many times the instance has called `beat`.
    pub count: u64,
}

/// Why an operation of a [`RunStore`] failed.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the store of runs failed: {0}")]
pub struct RunStoreError(#[source] Arc<dyn Error + Send + Sync>);

impl RunStoreError {
    /// Creates the error from its reason.
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(reason.into().into())
    }
}

impl RunFilter {
    /// Returns whether a record matches all fields of the filter except `limit`.
    pub fn matches(&self, run: &RunRecord) -> bool {
        fn is<T: PartialEq>(wanted: &Option<T>, value: &T) -> bool {
            wanted.as_ref().is_none_or(|wanted| wanted == value)
        }
        is(&self.tool, &run.tool)
            && is(&self.action, &run.action)
            && is(&self.owner, &run.owner)
            && is(&self.instance, &run.instance)
            && (self.statuses.is_empty() || self.statuses.contains(&run.status))
            && self.after.as_ref().is_none_or(|(created_at, id)| (run.created_at, &run.id) < (*created_at, id))
    }
}

impl<S: RunStore + ?Sized> RunStore for Arc<S> {
    fn outlives_process(&self) -> bool {
        (**self).outlives_process()
    }

    fn insert<'a>(&'a self, run: &'a RunRecord, limits: RunLimits) -> RunStoreFuture<'a, RunInsertion> {
        (**self).insert(run, limits)
    }

    fn load<'a>(&'a self, id: &'a str) -> RunStoreFuture<'a, Option<RunRecord>> {
        (**self).load(id)
    }

    fn replace<'a>(&'a self, run: &'a RunRecord) -> RunStoreFuture<'a, bool> {
        (**self).replace(run)
    }

    fn list<'a>(&'a self, filter: &'a RunFilter) -> RunStoreFuture<'a, Vec<RunRecord>> {
        (**self).list(filter)
    }

    fn beat<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, Vec<InstanceBeat>> {
        (**self).beat(instance)
    }

    fn forget<'a>(&'a self, instance: &'a str) -> RunStoreFuture<'a, ()> {
        (**self).forget(instance)
    }

    fn remove_ended<'a>(&'a self, tool: &'a str, before: u64, limits: RunLimits) -> RunStoreFuture<'a, usize> {
        (**self).remove_ended(tool, before, limits)
    }

    fn changes(&self) -> Option<&RunChanges> {
        (**self).changes()
    }
}
