//! The settings that an author makes before the server is built.

use std::time::Duration;

use super::durability::Durability;
use crate::{
    engine::{
        durable::ledger::quota,
        layer::Layers,
        sample::provider::Sampling,
        tool::{Tool, state::States},
    },
    serve::server::core::{
        extension::Extensions,
        identity::Identity,
        limits::{ErrorMapper, HttpRules, Limits},
        service::ServiceRef,
    },
    wire::schema::InputSettings,
};

/// The settings of a server that is not built yet.
pub(crate) struct ServerSettings {
    pub(crate) identity: Identity,
    /// The tools, and the items that run like tools, such as prompts.
    pub(crate) items: Vec<Box<dyn Tool>>,
    /// What the author added besides tools, such as the settings of HTTP.
    pub(crate) extensions: Extensions,
    pub(crate) states: States,
    pub(crate) input: InputSettings,
    /// Whether [`Server::build`](super::Server::build) reports its warnings.
    pub(crate) reports_warnings: bool,
    pub(crate) durability: Durability,
    pub(crate) sampling: Sampling,
    pub(crate) layers: Option<Box<dyn Layers>>,
    /// The reference to the service, for the handles of lists that can change (such as `ToolList`). The reference is
    /// empty until the service is built.
    pub(crate) service: ServiceRef,
    pub(crate) problems: Vec<String>,
    pub(crate) error_mapper: Option<ErrorMapper>,
    pub(crate) error_sources: bool,
    pub(crate) limits: Limits,
    pub(crate) http_rules: HttpRules,
    pub(crate) redirect_stdout: bool,
    pub(crate) page_size: usize,
    /// How long clients can cache a list, if the author has set it.
    pub(crate) ttl: Option<Duration>,
    pub(crate) hide_unauthorized: bool,
}

impl ServerSettings {
    pub(crate) fn new(identity: Identity) -> Self {
        Self {
            identity,
            items: Vec::new(),
            extensions: Extensions::default(),
            states: States::default(),
            input: InputSettings::default(),
            reports_warnings: true,
            durability: Durability::default(),
            sampling: Sampling::default(),
            layers: None,
            service: ServiceRef::default(),
            problems: Vec::new(),
            error_mapper: None,
            error_sources: true,
            limits: Limits {
                message_size: None,
                concurrent_calls: 16 * 1024,
                shutdown_grace: Duration::from_secs(10),
                open_calls: quota::QuotaLimits { calls: 8 * 1024, bytes: 8 * 1024 * 1024 },
            },
            http_rules: HttpRules::default(),
            redirect_stdout: true,
            page_size: 250,
            ttl: None,
            hide_unauthorized: false,
        }
    }
}
