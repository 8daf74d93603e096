//! The settings that an author makes before the server is built.

use std::{sync::Arc, time::Duration};

use super::{
    durability::Durability, identity::Identity, list_change::ServiceRef, notices::Notices, part::Settings,
    surface::Surface,
};
use crate::{
    base::error::ToolError,
    engine::{
        durable::ledger::quota,
        layer::Layers,
        sample::sampling::Sampling,
        tool::{Tool, state::States},
    },
    wire::schema::InputSettings,
};

/// The settings of a server that is not built yet.
pub(crate) struct ServerSettings {
    pub(super) identity: Identity,
    pub(super) tools: Vec<Box<dyn Tool>>,
    /// What the author added besides tools, such as prompts.
    pub(super) surfaces: Vec<Box<dyn Surface>>,
    pub(super) states: States,
    pub(super) input: InputSettings,
    /// Whether [`Server::build`](super::Server::build) reports its warnings.
    pub(super) reports_warnings: bool,
    pub(super) durability: Durability,
    pub(super) sampling: Sampling,
    pub(super) layers: Option<Box<dyn Layers>>,
    /// The reference to the service, for the handles of lists that can change (such as `ToolList`). The reference is
    /// empty until the service is built.
    pub(super) service: Option<ServiceRef>,
    /// Sends notices about changes. `None` if no setting allows changes.
    pub(super) notices: Option<Arc<dyn Notices>>,
    pub(super) problems: Vec<String>,
    pub(super) error_mapper: Option<ErrorMapper>,
    pub(super) error_sources: bool,
    pub(super) limits: Limits,
    pub(super) http_rules: HttpRules,
    /// The settings of other modules, such as `http`.
    pub(super) settings: Vec<Box<dyn Settings>>,
    pub(super) redirect_stdout: bool,
    pub(super) page_size: usize,
    /// How long clients can cache a list, if the author has set it.
    pub(super) ttl: Option<Duration>,
    pub(super) hide_unauthorized: bool,
}

pub(crate) type ErrorMapper = Box<dyn Fn(&ToolError) -> (bool, String) + Send + Sync>;

/// The limits that a server sets for its clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum size of a message in bytes. If it is `None`, the transport uses its default.
    pub(crate) message_size: Option<usize>,
    pub(crate) concurrent_calls: usize,
    pub(crate) shutdown_grace: Duration,
    /// The limits for the open calls of one owner.
    pub(crate) open_calls: quota::QuotaLimits,
}

/// How the methods of the protocol treat requests over HTTP.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HttpRules {
    /// Whether each reply is JSON, and never an event stream.
    pub(crate) json_replies: bool,
    /// Whether clients before 2026-07-28 get no sessions.
    pub(crate) sessionless: bool,
    /// Whether the revision in the body of a request decides if the header names an older one.
    pub(crate) revision_of_body: bool,
}

impl Limits {
    /// Returns the maximum size of a message on a connection, in bytes.
    pub(crate) fn message_size(&self) -> usize {
        self.message_size.unwrap_or(4 * 1024 * 1024)
    }
}

impl ServerSettings {
    pub(super) fn new(identity: Identity) -> Self {
        Self {
            identity,
            tools: Vec::new(),
            surfaces: Vec::new(),
            states: States::default(),
            input: InputSettings::default(),
            reports_warnings: true,
            durability: Durability::default(),
            sampling: Sampling::default(),
            layers: None,
            service: None,
            notices: None,
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
            settings: Vec::new(),
            redirect_stdout: true,
            page_size: 250,
            ttl: None,
            hide_unauthorized: false,
        }
    }
}
