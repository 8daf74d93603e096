//! The settings of a server that its service keeps.

use std::time::Duration;

use super::identity::Identity;
use crate::{
    base::error::ToolError,
    engine::{
        durable::ledger::quota,
        layer::Layers,
        sample::provider::Sampling,
        tool::{registered::ItemSettings, state::States},
    },
    wire::schema::InputSettings,
};

pub(crate) type ErrorMapper = Box<dyn Fn(&ToolError) -> (bool, String) + Send + Sync>;

/// The settings of a server that its service keeps.
pub(crate) struct ServiceSettings {
    pub(crate) identity: Identity,
    pub(crate) states: States,
    pub(crate) input: InputSettings,
    pub(crate) sampling: Sampling,
    pub(crate) layers: Option<Box<dyn Layers>>,
    /// The author's error mapper, if there is one.
    pub(crate) error_mapper: Option<ErrorMapper>,
    /// Whether a result contains the messages of an error's sources. Not used with an error mapper.
    pub(crate) error_sources: bool,
    pub(crate) limits: Limits,
    pub(crate) http_rules: HttpRules,
    pub(crate) redirect_stdout: bool,
    pub(crate) page_size: usize,
    /// How long clients can cache a list, if the author has set it.
    pub(crate) ttl: Option<Duration>,
    pub(crate) hide_unauthorized: bool,
}

/// The limits that a server sets for its clients.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum size of a message in bytes. If it is `None`, the transport uses its default.
    pub(crate) message_size: Option<usize>,
    pub(crate) concurrent_calls: usize,
    pub(crate) shutdown_grace: Duration,
    /// The limits for the open calls of one owner.
    pub(crate) open_calls: quota::QuotaLimits,
    /// The maximum number of one client's subscriptions.
    pub(crate) subscriptions: usize,
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

impl ServiceSettings {
    pub(crate) fn new(identity: Identity) -> Self {
        Self {
            identity,
            states: States::default(),
            input: InputSettings::default(),
            sampling: Sampling::default(),
            layers: None,
            error_mapper: None,
            error_sources: true,
            limits: Limits {
                message_size: None,
                concurrent_calls: 16 * 1024,
                shutdown_grace: Duration::from_secs(10),
                open_calls: quota::QuotaLimits { calls: 8 * 1024, bytes: 8 * 1024 * 1024, parked: 2048 },
                subscriptions: 256,
            },
            http_rules: HttpRules::default(),
            redirect_stdout: true,
            page_size: 250,
            ttl: None,
            hide_unauthorized: false,
        }
    }

    /// Returns what the registry needs to check and complete an item.
    pub(crate) fn of_items(&self) -> ItemSettings<'_> {
        ItemSettings { states: &self.states, input: self.input, done_by_server: self.sampling.instead_of_clients() }
    }
}

impl Limits {
    /// Returns the maximum size of a message on a connection, in bytes.
    pub(crate) fn message_size(&self) -> usize {
        self.message_size.unwrap_or(4 * 1024 * 1024)
    }
}
