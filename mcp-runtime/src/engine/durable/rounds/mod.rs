//! The rounds of a call: how a round ends with questions, and how the next round resumes the call.

mod ask;
mod at_once;
mod begin_once;
mod cancel;
pub(crate) mod dry_run;
mod multi_round;
pub(crate) mod parked;
mod rebuild;
mod resume;
mod round_runner;
mod sweeper;
#[cfg(all(test, feature = "plugin"))]
mod tests;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::runtime::Handle;

use self::parked::{PARKABLE, ParkedCall, Parking};
use super::{
    continuation::{Carried, Continuation, Placed, RequestStates},
    ledger::{
        Claims, LedgerId, LedgerShards, MemoryLedger, RecordKey, ShardClaims, Turn,
        entries::LedgerEntries,
        quota::{QuotaLimits, Quotas},
    },
    on_demand::OnDemand,
};
use crate::{
    base::work_count::WorkCount,
    engine::{
        call::{CallState, call_id::Place, host::Host, journal::Journal, ledger_time::LedgerTime},
        tool::{definition::ANSWER_WITHIN, registered::RegisteredTool},
    },
    wire::protocol::error::RpcError,
};

/// The data that a server shares between all calls that can last over several requests.
pub(crate) struct Durable {
    /// The ledgers that the author chose, or `None` for a ledger in memory.
    pub(crate) ledgers: Option<LedgerShards>,
    lease: Duration,
    once: Once,
    limits: QuotaLimits,
    /// The states that leave the process: a client carries them, or a store that outlives the process.
    pub(crate) request_states: RequestStates,
    /// The states that never leave the process: an application runs the call itself, and the ledger ends with the process.
    /// They are not sealed, and the process keeps the journals of their calls.
    states_in_process: RequestStates,
    parking: OnDemand<Parking>,
    pub(crate) detached: Detached,
    /// Claims rounds in the ledger. This value is created when a call first needs the ledger.
    pub(crate) claims: OnceLock<ShardClaims>,
    /// The quotas of open calls. The server creates them when it admits the first call that can last over several
    /// requests.
    quotas: OnceLock<Arc<Quotas>>,
}

impl Durable {
    pub(crate) fn new(
        ledgers: Option<LedgerShards>,
        lease: Duration,
        once: Once,
        limits: QuotaLimits,
        request_states: RequestStates,
    ) -> Self {
        Self {
            ledgers,
            lease,
            once,
            limits,
            request_states,
            states_in_process: RequestStates::default(),
            parking: OnDemand::default(),
            detached: Detached::default(),
            claims: OnceLock::new(),
            quotas: OnceLock::new(),
        }
    }

    pub(crate) fn of(server: &dyn Host) -> &Arc<Self> {
        server.get().expect("every server has its durable state")
    }

    /// Returns the time of the call's ledger as this process knows it, without asking the ledger. Deadlines are compared
    /// with this time.
    fn time(&self, call: &CallState) -> LedgerTime {
        let of_round = call.claim.lock().as_ref().map(|lease| lease.now());
        of_round.unwrap_or_else(|| self.claims().of_new_call(call.id()).now())
    }

    /// Returns the states of a call's rounds. The sender of the call's current request carries them.
    fn states_of(&self, call: &CallState) -> &RequestStates {
        if call.is_in_application { self.states_of_applications() } else { &self.request_states }
    }

    /// Returns the states of calls that an application runs itself. If a ledger outlives the process, the application
    /// stores the states there.
    fn states_of_applications(&self) -> &RequestStates {
        if self.is_ledger_shared() { &self.request_states } else { &self.states_in_process }
    }

    /// Whether other processes can read a ledger of the server.
    pub(crate) fn is_ledger_shared(&self) -> bool {
        self.ledgers.as_ref().is_some_and(LedgerShards::is_shared)
    }

    /// Returns the difference between this machine's wall clock and the time of a ledger, or `None` if it is small.
    pub(crate) fn skew(&self) -> Option<String> {
        self.claims().skew()
    }

    /// Returns the claims in the ledger that has the record of a call, and the id of the ledger. If `anywhere` is set,
    /// accepts a state that names another ledger, and returns a ledger of this server.
    ///
    /// # Errors
    /// Fails if the state names another ledger, unless `anywhere` is set, or if the ledger cannot be asked.
    async fn ledger_of(&self, state: &Continuation, anywhere: bool) -> Result<(&Arc<Claims>, LedgerId), RpcError> {
        match self.claims().find(state.ledger).await {
            Ok(Some(claims)) => Ok((claims, state.ledger)),
            Ok(None) if anywhere => self.claims().begin(state.place.call).await.map_err(RpcError::unavailable),
            Ok(None) => Err(RpcError::other_ledger()),
            Err(error) => Err(RpcError::unavailable(error)),
        }
    }

    /// Returns whether a call of this tool can be resumed although its state names another ledger.
    pub(crate) fn waives_ledger(&self, tool: &RegisteredTool) -> bool {
        self.once == Once::PerInstance || tool.definition.may_run_again()
    }

    /// Returns the journal of a call that waits for this round: from this process, from its state, or from its record.
    /// Returns `None` if the call has no journal, or if its record is at another round.
    ///
    /// # Errors
    /// Fails if the journal cannot be read.
    async fn journal(
        &self,
        states: &RequestStates,
        placed: Placed<'_>,
        place: Place,
        carried: &Carried,
    ) -> Result<Option<Journal>, RpcError> {
        if let Some(journal) = self.parking().look(place, ParkedCall::kept_journal).flatten() {
            return Ok(Some(journal));
        }
        if let Some(journal) = states.journal(placed, place, carried).await? {
            return Ok(Some(journal));
        }
        let key = RecordKey { ledger: placed.ledger, call: place.call };
        let text = placed.claims.journal(key, place.round).await.map_err(RpcError::unavailable)?;
        text.map(|text| Journal::of_record(&text).map_err(|_| RpcError::past_state())).transpose()
    }

    /// Returns what a request asks of the ledger to claim this round.
    fn turn(&self, tool: &RegisteredTool, ledger: LedgerId, place: Place, expires: Option<LedgerTime>) -> Turn {
        Turn {
            key: RecordKey { ledger, call: place.call },
            round: place.round,
            first: place.first,
            anywhere: self.waives_ledger(tool),
            again: tool.definition.may_run_again(),
            expires,
            keep: kept(tool, place),
        }
    }

    fn claims(&self) -> &ShardClaims {
        self.claims.get_or_init(|| {
            let in_memory = || LedgerShards::new(Arc::new(MemoryLedger::default()));
            let ledgers = self.ledgers.clone().unwrap_or_else(in_memory);
            ShardClaims::new(ledgers, self.lease, self.request_states.outcome_cipher().as_ref())
        })
    }

    /// Returns access to the entries that other modules keep in the ledger. Returns `None` if the ledger ends with the
    /// process.
    pub(crate) fn entries(&self) -> Option<LedgerEntries> {
        LedgerEntries::of(self.claims().first())
    }

    /// Returns the calls that wait in memory between two rounds.
    pub(crate) fn parking(&self) -> &Parking {
        self.parking.get_or_init(|| Parking::new(self.limits.parked))
    }

    /// Returns the quotas of calls that last over several requests.
    fn quotas(&self) -> &Arc<Quotas> {
        self.quotas.get_or_init(|| Quotas::new(self.limits, PARKABLE))
    }
}

/// How long the record of a call with an idempotency key is kept, or longer: as long as another server's call can wait for an
/// answer, by default. That server sends a request again if it is called again in this time.
pub(crate) const KEYS_KEPT: Duration = ANSWER_WITHIN;

/// Returns how long the record of a call is kept.
fn kept(tool: &RegisteredTool, place: Place) -> Duration {
    let kept = tool.definition.states_kept();
    if place.is_keyed() { kept.max(KEYS_KEPT) } else { kept }
}

/// The tasks of a server that continue after their requests have ended. They finish effects that have begun, and store
/// outcomes, even if the client has disconnected.
#[derive(Default)]
pub(crate) struct Detached(WorkCount);

impl Detached {
    /// Spawns `work` as a task, unless the async runtime is shutting down.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Ok(runtime) = Handle::try_current() else { return };
        let running = self.0.enter();
        runtime.spawn(async move {
            let _running = running;
            work.await;
        });
    }

    /// Waits until all detached tasks have ended.
    pub(crate) async fn wait(&self) {
        self.0.wait().await;
    }
}

/// The scope of the guarantee that `after` never begins twice in a call. See [`Server::once`](crate::Server::once).
// `PerInstance` is for instances without a common ledger. With three of them, behind a balancer that picks one at random,
// one of nine calls with two questions stays at the instance where it began, and the others are rejected. With it, every
// call ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Once {
    /// `after` runs once on all instances that share a ledger. An instance rejects a state that names another ledger,
    /// unless the tool is `read_only` or `idempotent`.
    #[default]
    PerLedger,
    /// `after` can run once on each instance. An instance accepts every state that was sealed with its keys, even if
    /// the state names another ledger.
    PerInstance,
}
