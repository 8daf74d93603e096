//! The connections that wait for their next request.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use serde_json::{Value, json};

use super::{
    connection::{DevConnection, MessageOwner},
    profile::profile,
};
use crate::{
    base::mutex::Mutex,
    edge::dev::{
        session::log::SharedLog,
        target::{ClientSetup, DevTarget},
    },
    serve::client::ClientProfile,
};

/// How many connections wait, in all. A connection over standard streams is a process.
const MOST_IDLE: usize = 8;

/// Hosts whose requests are forwarded number them, too, from 0 or 1 on.
const BEFORE_FIRST_ID: u64 = 1_000_000;

/// Opens connections, and keeps them for the next request of the same client. A connection has one holder at a time, so
/// each of its messages belongs to the request of the holder. A session is kept like this too.
pub(crate) struct ClientPool {
    pub(super) connector: Connector,
    idle: Mutex<Vec<(ClientSetup, DevConnection)>>,
    last_id: AtomicU64,
    pub(super) watching: Mutex<Option<super::watch::Watching>>,
}

/// Opens connections whose messages are logged.
#[derive(Clone)]
pub(super) struct Connector {
    target: Arc<dyn DevTarget>,
    log: SharedLog,
    items_changed: Arc<dyn Fn() + Send + Sync>,
}

impl Connector {
    pub(super) async fn connect(&self, setup: &ClientSetup) -> Result<DevConnection, String> {
        let opened = self.target.connect(setup).await?;
        Ok(DevConnection::new(opened, setup, &self.log, &self.items_changed))
    }
}

impl ClientPool {
    pub(crate) fn new(
        target: Arc<dyn DevTarget>,
        log: SharedLog,
        items_changed: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let connector = Connector { target, log, items_changed: Arc::new(items_changed) };
        Self { connector, idle: Mutex::default(), last_id: AtomicU64::new(BEFORE_FIRST_ID), watching: Mutex::default() }
    }

    pub(crate) fn target(&self) -> &Arc<dyn DevTarget> {
        &self.connector.target
    }

    /// Returns an id for a request. The ids of all requests of this session differ, whatever their connections are, and
    /// from those of hosts, so that an id in a report of the server names one call.
    pub(crate) fn next_id(&self) -> u64 {
        self.last_id.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Returns a connection for this client, in the eras with sessions with an open session.
    ///
    /// # Errors
    /// Returns the reason why the server cannot be reached.
    pub(crate) async fn take(&self, setup: &ClientSetup, owner: MessageOwner) -> Result<DevConnection, String> {
        if let Some(connection) = self.take_idle(setup) {
            connection.own(owner);
            return Ok(connection);
        }
        self.open(setup, owner).await
    }

    /// Opens another connection, although one of this client may wait.
    pub(crate) async fn open(&self, setup: &ClientSetup, owner: MessageOwner) -> Result<DevConnection, String> {
        let profile = profile(setup)?;
        let mut connection = self.connector.connect(setup).await?;
        connection.starts = self.starts();
        connection.own(owner);
        if !profile.revision.is_modern() {
            connection.opened = Some(self.begin_session(&mut connection, &profile).await?);
        }
        Ok(connection)
    }

    /// Keeps a connection for the next request of this client.
    pub(crate) fn put(&self, setup: &ClientSetup, mut connection: DevConnection) {
        if connection.is_closed() {
            return;
        }
        connection.rest();
        let mut idle = self.idle.lock();
        idle.push((setup.clone(), connection));
        if idle.len() > MOST_IDLE {
            idle.remove(0);
        }
    }

    fn take_idle(&self, setup: &ClientSetup) -> Option<DevConnection> {
        let starts = self.starts();
        let mut idle = self.idle.lock();
        idle.retain(|(_, connection)| !connection.is_closed() && connection.starts == starts);
        let at = idle.iter().rposition(|(other, _)| other == setup)?;
        let (_, mut connection) = idle.remove(at);
        connection.wake();
        Some(connection)
    }

    /// Returns how often the server was started.
    pub(crate) fn starts(&self) -> u32 {
        self.target().status().borrow().server.starts
    }

    async fn begin_session(&self, connection: &mut DevConnection, profile: &ClientProfile) -> Result<Value, String> {
        let result = self.ask(connection, profile, "initialize", profile.handshake()).await?;
        if result["protocolVersion"] != profile.revision.as_str() {
            let answered = &result["protocolVersion"];
            return Err(format!("the server answered `initialize` with the revision {answered}"));
        }
        connection.send(&ClientProfile::initialized());
        if let Some(level) = profile.log_level.filter(|_| result["capabilities"].get("logging").is_some()) {
            self.ask(connection, profile, "logging/setLevel", json!({ "level": level.as_str() })).await?;
        }
        Ok(result)
    }

    /// Sends a request that is not a call, and waits for its result.
    pub(super) async fn ask(
        &self,
        connection: &mut DevConnection,
        profile: &ClientProfile,
        method: &str,
        params: Value,
    ) -> Result<Value, String> {
        let id = self.next_id();
        connection.request(id, &profile.request(id, method, params), method).await
    }
}
