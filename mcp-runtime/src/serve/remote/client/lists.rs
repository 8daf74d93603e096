//! The lists of a server: its tools, prompts and resources. They are kept as long as the server allows, or until it says
//! that they have changed.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde::Deserialize;
use serde_json::Value;
use tokio::{
    sync::{Mutex as AsyncMutex, broadcast, watch},
    time::Instant,
};

use super::{
    Remote, RemoteError,
    list_bytes::ListBytes,
    request::{Deaf, RequestOutcome, Sender},
    settings::ServerPlace,
};
use crate::{
    engine::durable::KEYS_KEPT,
    serve::client::{ClientRequest, RoundInput},
    wire::protocol::capability::{Capabilities, Capability},
};

/// How long a list of a session is kept, if the server does not say that it has changed.
const KEPT: Duration = Duration::from_secs(300);

/// A list is kept at least this long, so that a server which forbids it is not asked with each call.
const SHORTEST: Duration = Duration::from_secs(1);

const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// A list with more items is not read to its end.
const MOST_ITEMS: usize = 20_000;

/// How many bytes of JSON all lists of a server can have. A list that exceeds them is not read to its end.
const MOST_BYTES: usize = 64 << 20;

/// A list with more pages does not end.
const MOST_PAGES: usize = 2_000;

/// What a client that shows everything can be asked. Servers can leave out what the client of a list cannot use.
const EVERYTHING: &[Capability] = &[
    Capability::Elicitation,
    Capability::ElicitationUrl,
    Capability::Sampling,
    Capability::SamplingTools,
    Capability::Roots,
    Capability::Tasks,
    Capability::Views,
];

/// A list of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListName {
    Tools,
    Prompts,
    Resources,
    ResourceTemplates,
}

pub(super) struct RemoteLists {
    kept: [AsyncMutex<Option<KeptList>>; 4],
    bytes: ListBytes,
    pub(super) changes: Arc<RemoteChanges>,
}

/// Counts the changes of each list, and tells about changed resources.
pub(super) struct RemoteChanges {
    lists: [watch::Sender<u64>; 4],
    /// Whether the server tells about each change of a list, so that it need not be read again before.
    are_followed: [AtomicBool; 4],
    /// The URIs of resources that have changed. One who falls behind misses some.
    resources: broadcast::Sender<Arc<str>>,
}

/// How many changes of resources can wait for one who listens.
const WAITING_RESOURCES: usize = 256;

struct KeptList {
    items: Arc<[Value]>,
    until: Instant,
    /// The number of changes before the list was read.
    change: u64,
}

/// One page of a list. It has one of the members with items.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteListPage {
    next_cursor: Option<String>,
    ttl_ms: Option<u64>,
    #[serde(alias = "tools", alias = "prompts", alias = "resources", alias = "resourceTemplates")]
    items: Vec<Value>,
}

impl Remote {
    /// Returns the tools of the server, each as the object of `tools/list`. The list is kept as long as the server
    /// allows (`ttlMs`), or until it says that the list has changed.
    ///
    /// # Errors
    /// See [`RemoteError`].
    pub async fn tools(&self) -> Result<Arc<[Value]>, RemoteError> {
        self.list(ListName::Tools).await
    }

    /// Returns the number of changes of a list that the server has told about, to wait for the next one.
    pub(crate) fn changes_of(&self, name: ListName) -> watch::Receiver<u64> {
        self.live.lists.changes.lists[name as usize].subscribe()
    }

    /// Returns the URIs of resources whose contents change from now on.
    pub(crate) fn changed_resources(&self) -> broadcast::Receiver<Arc<str>> {
        self.live.lists.changes.resources.subscribe()
    }

    /// Returns the `Implementation` object of the server: its name and its version.
    #[cfg(feature = "cli")]
    pub(crate) async fn identity(&self) -> Result<Value, RemoteError> {
        Ok(self.facts().await?.server_info.clone())
    }

    pub(crate) async fn list(&self, name: ListName) -> Result<Arc<[Value]>, RemoteError> {
        let lists = &self.live.lists;
        // Held while the list is read, so that waiting requests share it.
        let mut kept = lists.kept[name as usize].lock().await;
        let change = lists.changes.count(name);
        if let Some(list) = kept
            .as_ref()
            .filter(|list| list.change == change && (lists.changes.is_followed(name) || Instant::now() < list.until))
        {
            return Ok(Arc::clone(&list.items));
        }
        let (items, ttl) = self.read_list(name).await?;
        *kept = Some(KeptList { items: Arc::clone(&items), until: Instant::now() + ttl, change });
        Ok(items)
    }

    /// Returns whether the server says that a second call of this tool has no further effect. `is_repeatable` is what is
    /// known about the tool.
    pub(super) async fn may_call_again(&self, tool: &str, is_repeatable: Option<bool>) -> bool {
        if let Some(is_repeatable) = is_repeatable {
            return is_repeatable;
        }
        let Ok(tools) = self.tools().await else { return false };
        let hints = tools.iter().find(|known| known["name"] == tool).map(|known| &known["annotations"]);
        hints.is_some_and(|hints| hints["readOnlyHint"] == true || hints["idempotentHint"] == true)
    }

    /// Returns whether the server declares that it recognizes a request by its idempotency key for this time.
    pub(super) async fn minds_keys(&self, time: Duration) -> bool {
        if let ServerPlace::Service(service) = &self.settings.target {
            return service.0.minds_keys() && time <= KEYS_KEPT;
        }
        let Ok(facts) = self.facts().await else { return false };
        let declared = &facts.capabilities["experimental"]["idempotency-key"];
        // A server that does not say how long keeps them long enough.
        let kept = declared["keptForMs"].as_u64().map_or(Duration::MAX, Duration::from_millis);
        declared.is_object() && time <= kept
    }

    /// Reads a list. The caller holds the lock of the kept list, and keeps the new one.
    async fn read_list(&self, name: ListName) -> Result<(Arc<[Value]>, Duration), RemoteError> {
        let invalid = |reason: String| RemoteError::Invalid {
            server: self.name().to_owned(),
            method: name.method().to_owned(),
            reason,
        };
        let (mut items, mut bytes, mut ttl) = (Vec::new(), self.live.lists.bytes.read(name), LONGEST);
        let mut cursor = Value::Null;
        for _ in 0..MOST_PAGES {
            let request = ClientRequest::List { method: name.method(), cursor };
            let sender = Sender { abilities: Capabilities::of(EVERYTHING), ..Sender::default() };
            let page = match self.send(&request, RoundInput::default(), sender, &Deaf).await? {
                RequestOutcome::Result(page) => page,
                RequestOutcome::Asks(..) | RequestOutcome::Asking(_) | RequestOutcome::Task(_) => {
                    return Err(invalid("a list cannot ask".to_owned()));
                }
            };
            let is_within_limit = bytes.add(page.get().len());
            let page: RemoteListPage = serde_json::from_str(page.get()).map_err(|error| invalid(error.to_string()))?;
            ttl = ttl.min(page.ttl_ms.map_or(KEPT, Duration::from_millis));
            items.extend(page.items);
            if items.len() > MOST_ITEMS {
                return Err(invalid(format!("the list has more than {MOST_ITEMS} items")));
            }
            if !is_within_limit {
                return Err(invalid(format!("the lists of the server have more than {MOST_BYTES} bytes in all")));
            }
            match page.next_cursor {
                None => {
                    bytes.keep();
                    return Ok((items.into(), ttl.max(SHORTEST)));
                }
                Some(next) if *cursor_of(&request) == next => {
                    return Err(invalid("a page names itself as the next one".to_owned()));
                }
                Some(next) => cursor = next.into(),
            }
        }
        Err(invalid(format!("the list has more than {MOST_PAGES} pages")))
    }
}

fn cursor_of(request: &ClientRequest) -> &Value {
    match request {
        ClientRequest::List { cursor, .. } => cursor,
        _ => &Value::Null,
    }
}

impl ListName {
    pub(crate) const ALL: [Self; 4] = [Self::Tools, Self::Prompts, Self::Resources, Self::ResourceTemplates];

    pub(crate) fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::ResourceTemplates => "resources/templates/list",
        }
    }
}

impl RemoteChanges {
    /// Notes a notification of the server.
    pub(super) fn note(&self, method: &str, params: &Value) {
        let changed: &[ListName] = match method {
            "notifications/tools/list_changed" => &[ListName::Tools],
            "notifications/prompts/list_changed" => &[ListName::Prompts],
            "notifications/resources/list_changed" => &[ListName::Resources, ListName::ResourceTemplates],
            // A subscription has begun. The lists may have changed before.
            "notifications/subscriptions/acknowledged" => {
                self.follow(&params["notifications"]);
                &ListName::ALL
            }
            "notifications/resources/updated" => {
                if let Some(uri) = params["uri"].as_str() {
                    // Nobody has to listen.
                    let _ = self.resources.send(uri.into());
                }
                return;
            }
            _ => return,
        };
        changed.iter().for_each(|name| self.lists[*name as usize].send_modify(|count| *count += 1));
    }

    /// Notes what a subscription tells about. Null if it has ended.
    pub(super) fn follow(&self, subscribed: &Value) {
        for name in ListName::ALL {
            let member = match name {
                ListName::Tools => "toolsListChanged",
                ListName::Prompts => "promptsListChanged",
                ListName::Resources | ListName::ResourceTemplates => "resourcesListChanged",
            };
            self.are_followed[name as usize].store(subscribed[member] == true, Ordering::Release);
        }
    }

    fn is_followed(&self, name: ListName) -> bool {
        self.are_followed[name as usize].load(Ordering::Acquire)
    }

    fn count(&self, name: ListName) -> u64 {
        *self.lists[name as usize].borrow()
    }
}

impl Default for RemoteLists {
    fn default() -> Self {
        Self { kept: Default::default(), bytes: ListBytes::new(MOST_BYTES), changes: Arc::default() }
    }
}

impl Default for RemoteChanges {
    fn default() -> Self {
        Self {
            lists: std::array::from_fn(|_| watch::Sender::new(0)),
            are_followed: Default::default(),
            resources: broadcast::Sender::new(WAITING_RESOURCES),
        }
    }
}
