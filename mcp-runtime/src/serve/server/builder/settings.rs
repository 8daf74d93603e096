//! The settings that an author makes before the server is built.

use std::time::Duration;

#[cfg(feature = "seal")]
use super::sealing::StateSettings;
#[cfg(not(feature = "seal"))]
use crate::engine::durable::continuation::RequestStates as StateSettings;
use crate::{
    engine::{
        call::multi_round::MultiRound,
        durable::{
            Durable, Once,
            ledger::{LEASE, LedgerShards, quota},
        },
        tool::Tool,
    },
    serve::server::core::{
        identity::Identity,
        service::{Extensions, ServiceRef},
        settings::ServiceSettings,
    },
};

/// The settings of a server that is not built yet.
pub(crate) struct ServerSettings {
    /// The settings that the service keeps.
    pub(crate) service: ServiceSettings,
    /// The tools, and the items that run like tools, such as prompts.
    pub(crate) items: Vec<Box<dyn Tool>>,
    /// What the author added besides tools, such as the settings of HTTP.
    pub(crate) extensions: Extensions,
    /// Whether [`Server::build`](super::Server::build) reports its warnings.
    pub(crate) reports_warnings: bool,
    pub(crate) durability: Durability,
    /// The reference to the service, for the handles of lists that can change (such as `ToolList`). The reference is
    /// empty until the service is built.
    pub(crate) built: ServiceRef,
    pub(crate) problems: Vec<String>,
}

/// The author's settings for multi-round calls.
pub(crate) struct Durability {
    pub(super) ledgers: Option<LedgerShards>,
    pub(super) lease: Duration,
    pub(super) once: Once,
    /// Multi-round support. It is set together with the ledger, because calls with an idempotency key need both.
    pub(super) multi_round: Option<&'static dyn MultiRound>,
    pub(super) states: StateSettings,
}

impl ServerSettings {
    pub(super) fn new(identity: Identity) -> Self {
        Self {
            service: ServiceSettings::new(identity),
            items: Vec::new(),
            extensions: Extensions::default(),
            reports_warnings: true,
            durability: Durability {
                ledgers: None,
                lease: LEASE,
                once: Once::default(),
                multi_round: None,
                states: StateSettings::default(),
            },
            built: ServiceRef::default(),
            problems: Vec::new(),
        }
    }
}

impl Durability {
    pub(super) fn complete(self, limits: quota::QuotaLimits, problems: &mut Vec<String>) -> Durable {
        let Self { ledgers, lease, once, states, .. } = self;
        let is_shared = ledgers.as_ref().is_some_and(LedgerShards::is_shared);
        Durable::new(ledgers, lease, once, limits, states.complete(is_shared, problems))
    }
}
