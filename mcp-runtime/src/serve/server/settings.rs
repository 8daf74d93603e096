//! The settings that an author makes before the server is built.

use std::time::Duration;

use super::{ServiceRef, durability::Durability, extension::Extensions, identity::Identity};
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
    /// The tools, and the items that run like tools, such as prompts.
    pub(super) items: Vec<Box<dyn Tool>>,
    /// What the author added besides tools, such as the settings of HTTP.
    pub(super) extensions: Extensions,
    pub(super) states: States,
    pub(super) input: InputSettings,
    /// Whether [`Server::build`](super::Server::build) reports its warnings.
    pub(super) reports_warnings: bool,
    pub(super) durability: Durability,
    pub(super) sampling: Sampling,
    pub(super) layers: Option<Box<dyn Layers>>,
    /// The reference to the service, for the handles of lists that can change (such as `ToolList`). The reference is
    /// empty until the service is built.
    pub(super) service: ServiceRef,
    pub(super) problems: Vec<String>,
    pub(super) error_mapper: Option<ErrorMapper>,
    pub(super) error_sources: bool,
    pub(super) limits: Limits,
    pub(super) http_rules: HttpRules,
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
#[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only HTTP sets and reads these fields"))]
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
