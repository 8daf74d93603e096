//! Durable calls: calls that last longer than a request, a connection or a process.
//!
//! The [`ledger`] keeps one record per call, so that the call's effects happen once. A [`continuation`] connects two
//! rounds. The client carries a part of the continuation, which [`seal`] protects. A [`parked`] call waits in memory
//! for its next round.

mod cancel;
pub(crate) mod continuation;
pub(crate) mod detached;
#[cfg(feature = "testing")]
pub(crate) mod dry_run;
pub(crate) mod ledger;
mod multi_round;
pub(crate) mod on_demand;
mod once;
pub(crate) mod parked;
mod resume;
mod round_runner;
#[cfg(feature = "seal")]
pub(crate) mod seal;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

pub use self::once::Once;
use self::{
    continuation::RequestStates,
    detached::Detached,
    ledger::{
        Claims, Ledger, MemoryLedger,
        quota::{QuotaLimits, Quotas},
    },
    on_demand::OnDemand,
    parked::{PARKABLE, Parking},
};
use crate::engine::{
    call::{host::Host, ledger_time::LedgerTime},
    tool::registered::RegisteredTool,
};

/// The data that a server shares between all calls that can last over several requests.
pub(crate) struct Durable {
    /// The ledger that the author chose, or `None` for a ledger in memory.
    pub(crate) ledger: Option<Arc<dyn Ledger>>,
    lease: Duration,
    once: Once,
    limits: QuotaLimits,
    pub(crate) request_states: RequestStates,
    pub(crate) parking: OnDemand<Parking>,
    pub(crate) detached: Detached,
    /// Claims rounds in the ledger. This value is created when a call first needs the ledger.
    pub(crate) claims: OnceLock<Arc<Claims>>,
    /// The quotas of open calls. The server creates them when it admits the first call that can last over several
    /// requests.
    quotas: OnceLock<Arc<Quotas>>,
}

impl Durable {
    pub(crate) fn new(
        ledger: Option<Arc<dyn Ledger>>,
        lease: Duration,
        once: Once,
        limits: QuotaLimits,
        request_states: RequestStates,
    ) -> Self {
        Self {
            ledger,
            lease,
            once,
            limits,
            request_states,
            parking: OnDemand::default(),
            detached: Detached::default(),
            claims: OnceLock::new(),
            quotas: OnceLock::new(),
        }
    }

    pub(crate) fn of(server: &dyn Host) -> &Arc<Self> {
        server.get().expect("every server has its durable state")
    }

    /// Returns the ledger's time as this process knows it, without asking the ledger. Deadlines are compared with this
    /// time.
    pub(crate) fn time(&self) -> LedgerTime {
        match (self.claims.get(), &self.ledger) {
            (Some(claims), _) => claims.now(),
            (None, Some(ledger)) => ledger.now(),
            // A memory ledger starts its clock with this time.
            (None, None) => LedgerTime::of_wall_clock(),
        }
    }

    /// Returns whether a call of this tool can be resumed although its state names another ledger.
    pub(crate) fn waives_ledger(&self, tool: &RegisteredTool) -> bool {
        self.once == Once::PerInstance || tool.definition.may_run_again()
    }

    fn claims(&self) -> &Arc<Claims> {
        self.claims.get_or_init(|| {
            let ledger = self.ledger.clone().unwrap_or_else(|| Arc::new(MemoryLedger::default()));
            let cipher = if ledger.is_shared() { self.request_states.outcome_cipher() } else { None };
            Claims::new(ledger, self.lease, cipher)
        })
    }

    /// Returns access to the entries that other modules keep in the ledger. Returns `None` if the ledger ends with the
    /// process.
    pub(crate) fn entries(&self) -> Option<ledger::entries::LedgerEntries> {
        ledger::entries::LedgerEntries::of(self.claims())
    }

    /// Returns the quotas of calls that last over several requests.
    fn quotas(&self) -> &Arc<Quotas> {
        self.quotas.get_or_init(|| Quotas::new(self.limits, PARKABLE))
    }
}
