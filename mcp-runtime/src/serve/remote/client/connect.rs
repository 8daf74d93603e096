//! Connects to a server: finds out which revisions it speaks, and begins a session if it needs one.

use std::{pin::pin, sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tokio::time::timeout;

use super::{
    connection::RemoteConnection,
    routes::RequestTakes,
    settings::{RemoteSettings, ServerPlace},
};
use crate::{
    serve::{
        client::{ClientProfile, ProtocolError, WrittenClient},
        remote::transport::TransferError,
    },
    wire::protocol::{capability::Capabilities, json::object, level::Level, revision::Revision},
};

/// How long a process may take to start and to answer its first request. Package managers download a server first.
pub(super) const STARTING: Duration = Duration::from_secs(60);

/// How long a process may leave `server/discover` without an answer before it is asked for a session, too.
const DISCOVERING: Duration = Duration::from_secs(10);

/// What a server says about itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ServerFacts {
    pub(super) capabilities: Value,
    pub(super) instructions: Option<String>,
    /// The `Implementation` object. Since 2026-07-28 it is in `_meta`.
    pub(super) server_info: Value,
    #[serde(rename = "_meta")]
    meta: Value,
    protocol_version: Option<String>,
    supported_versions: Vec<String>,
}

/// A server that can be used.
pub(super) struct Connected {
    pub(super) connection: Arc<RemoteConnection>,
    pub(super) revision: Revision,
    pub(super) facts: ServerFacts,
}

/// Connects. `is_session` says whether the server is known to need a session, and `abilities` are what the client of a
/// session can do.
pub(super) async fn connect(
    settings: &RemoteSettings,
    is_session: bool,
    abilities: Capabilities,
) -> Result<Connected, TransferError> {
    let begun = async {
        if !is_session {
            let connection = RemoteConnection::open(settings.open(Revision::LATEST)?);
            let connected = match settings.target {
                ServerPlace::Process(_) => begin_process(connection, abilities).await?,
                ServerPlace::Url(..) | ServerPlace::Service(_) => discover(&connection).await?,
            };
            if let Some(connected) = connected {
                return Ok(*connected);
            }
        }
        begin_session(RemoteConnection::open(settings.open(Revision::LATEST_LEGACY)?), abilities).await
    };
    let limit = starting(settings);
    let late = |_| TransferError::Unreachable(format!("it has not answered its first request within {limit:?}"));
    timeout(limit, begun).await.map_err(late)?
}

/// Returns how long the server may take to begin.
fn starting(settings: &RemoteSettings) -> Duration {
    match settings.target {
        ServerPlace::Process(_) => settings.timeout.max(STARTING),
        ServerPlace::Url(..) | ServerPlace::Service(_) => settings.timeout,
    }
}

/// Returns what a client with these abilities says about itself.
pub(super) fn profile(revision: Revision, abilities: Capabilities, level: Option<Level>) -> Arc<WrittenClient> {
    let capabilities = abilities.known_in(revision).to_json();
    let newest = ClientProfile::newest("mcp-runtime", capabilities, level);
    Arc::new(WrittenClient::new(ClientProfile { revision, ..newest }))
}

/// Begins with a process in the newest revision that it has. Returns `None` if it must be started again, because it does
/// not go on after `server/discover`.
async fn begin_process(
    connection: Arc<RemoteConnection>,
    abilities: Capabilities,
) -> Result<Option<Box<Connected>>, TransferError> {
    let mut discovering = pin!(discover(&connection));
    let mut begun = pin!(begin_session(Arc::clone(&connection), abilities));
    match timeout(DISCOVERING, &mut discovering).await {
        Ok(Ok(None)) => return Ok(begun.await.ok().map(Box::new)),
        Ok(discovered) => return discovered,
        // An earlier server can leave it without an answer. A slow one answers it late, and only then what comes next.
        Err(_) => {}
    }
    tokio::select! {
        biased;
        discovered = &mut discovering => match discovered? {
            Some(connected) => Ok(Some(connected)),
            None => Ok(begun.await.ok().map(Box::new)),
        },
        session = &mut begun => match session {
            Ok(connected) => Ok(Some(Box::new(connected))),
            Err(_) => discovering.await,
        },
    }
}

/// Asks the server whether it speaks the newest revision. Returns `None` if it does not.
async fn discover(connection: &Arc<RemoteConnection>) -> Result<Option<Box<Connected>>, TransferError> {
    let profile = profile(Revision::LATEST, Capabilities::NONE, None);
    let facts = match request(connection, &profile, "server/discover", object([])).await {
        Ok(Ok(result)) => ServerFacts::read(&result),
        Err(TransferError::Unreachable(reason)) => return Err(TransferError::Unreachable(reason)),
        // A server of an earlier revision can end at an unknown method, or refuse the request in any way.
        Ok(Err(_)) | Err(_) => None,
    };
    let is_modern =
        |facts: &ServerFacts| facts.supported_versions.iter().any(|known| known == Revision::LATEST.as_str());
    Ok(facts
        .filter(is_modern)
        .map(|facts| Box::new(Connected { connection: Arc::clone(connection), revision: Revision::LATEST, facts })))
}

/// Begins a session with the newest revision that the server has.
async fn begin_session(connection: Arc<RemoteConnection>, abilities: Capabilities) -> Result<Connected, TransferError> {
    let profile = profile(Revision::LATEST_LEGACY, abilities, None);
    let answered = request(&connection, &profile, "initialize", profile.handshake()).await?;
    let result = answered.map_err(|ProtocolError { code, message, .. }| {
        TransferError::Unreachable(format!("it refuses `initialize`: {message} (code {code})"))
    })?;
    let facts = ServerFacts::read(&result).unwrap_or_default();
    let revision = facts.protocol_version.as_deref().and_then(Revision::parse).filter(|known| !known.is_modern());
    let Some(revision) = revision else {
        let version = facts.protocol_version.as_deref().unwrap_or("none");
        let known = Revision::ALL.map(Revision::as_str).join(", ");
        return Err(TransferError::Unreachable(format!(
            "it answered `initialize` with the revision `{version}`; the known ones are {known}"
        )));
    };
    connection.negotiated(revision);
    connection.tell(&ClientProfile::initialized());
    if facts.capabilities["logging"].is_object() {
        // What a client does not want is left out before it gets there.
        let level = object([("level", Level::Debug.as_str().into())]);
        // A server that refuses sends fewer messages.
        drop(request(&connection, &profile, "logging/setLevel", level).await?);
    }
    Ok(Connected { connection, revision, facts })
}

/// Sends a request of the client itself, and waits for its reply.
async fn request(
    connection: &Arc<RemoteConnection>,
    profile: &Arc<WrittenClient>,
    method: &str,
    members: Value,
) -> Result<Result<Box<RawValue>, ProtocolError>, TransferError> {
    let sent =
        connection.send(profile, RequestTakes { is_handshake: true, ..RequestTakes::default() }, Vec::new(), |id| {
            serde_json::to_string(&profile.request(id, method, members))
        });
    sent.map_err(|error| TransferError::Unreachable(error.to_string()))?.reply().await
}

impl ServerFacts {
    /// Returns the revision that the handshake has chosen. Since 2026-07-28 there is no handshake.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.protocol_version.as_deref().and_then(Revision::parse)
    }

    /// Whether the server declares this extension.
    pub(super) fn has_extension(&self, name: &str) -> bool {
        self.capabilities["extensions"].get(name).is_some_and(Value::is_object)
    }

    fn read(result: &RawValue) -> Option<Self> {
        let mut facts: Self = serde_json::from_str(result.get()).ok()?;
        if facts.server_info.is_null() {
            facts.server_info = facts.meta["io.modelcontextprotocol/serverInfo"].take();
        }
        Some(facts)
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::VecDeque, future::pending};

    use serde_json::json;
    use tokio::time::{Instant, sleep_until};

    use super::*;
    use crate::serve::remote::transport::{ReceiveError, ServerText, Transfer, Transport};

    /// Returns `result` or `error` with its value for a method. `None` leaves the request without an answer.
    type Answer = fn(&str) -> Option<(&'static str, Value)>;

    /// A process that reads its requests, in order, when it has started.
    struct SlowProcess {
        started: Instant,
        answer: Answer,
        replies: VecDeque<String>,
    }

    impl Transport for SlowProcess {
        fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
            let request: Value = serde_json::from_str(text).unwrap();
            let method = request["method"].as_str().unwrap();
            let answer = Some(&request["id"]).filter(|id| id.is_u64()).zip((self.answer)(method));
            self.replies.extend(answer.map(|(id, (member, value))| {
                let mut reply = json!({ "jsonrpc": "2.0", "id": id });
                reply[member] = value;
                reply.to_string()
            }));
            Box::pin(async { Ok(()) })
        }

        fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
            Box::pin(async {
                sleep_until(self.started).await;
                match self.replies.pop_front() {
                    Some(reply) => Ok(reply.into()),
                    None => pending().await,
                }
            })
        }
    }

    /// Begins with a process that takes so long to start. Returns the revision, and how long it took.
    async fn begin(starting: Duration, answer: Answer) -> (Result<Option<Revision>, TransferError>, Duration) {
        let begun = Instant::now();
        let process = SlowProcess { started: begun + starting, answer, replies: VecDeque::new() };
        let connection = RemoteConnection::open(Box::new(process));
        let connected = begin_process(connection, Capabilities::NONE).await;
        (connected.map(|connected| connected.map(|connected| connected.revision)), begun.elapsed())
    }

    fn discovered() -> (&'static str, Value) {
        ("result", json!({ "supportedVersions": ["2026-07-28"], "capabilities": {} }))
    }

    fn initialized() -> (&'static str, Value) {
        ("result", json!({ "protocolVersion": "2025-11-25", "capabilities": {} }))
    }

    fn refused() -> (&'static str, Value) {
        ("error", json!({ "code": -1, "message": "unknown method" }))
    }

    #[tokio::test(start_paused = true)]
    async fn late_answer_to_discover_counts() {
        let late = DISCOVERING * 3;
        let only_modern: Answer = |method| Some(if method == "server/discover" { discovered() } else { refused() });
        assert_eq!(begin(late, only_modern).await, (Ok(Some(Revision::LATEST)), late));
        let both_eras: Answer = |method| Some(if method == "server/discover" { discovered() } else { initialized() });
        assert_eq!(begin(late, both_eras).await, (Ok(Some(Revision::LATEST)), late));
    }

    #[tokio::test(start_paused = true)]
    async fn late_refusal_of_discover_begins_a_session() {
        let late = DISCOVERING * 3;
        let earlier: Answer = |method| Some(if method == "server/discover" { refused() } else { initialized() });
        assert_eq!(begin(late, earlier).await, (Ok(Some(Revision::V2025_11_25)), late));
    }

    #[tokio::test(start_paused = true)]
    async fn server_that_ignores_discover_gets_a_session_after_a_while() {
        let ignores: Answer = |method| (method != "server/discover").then(initialized);
        assert_eq!(begin(Duration::ZERO, ignores).await, (Ok(Some(Revision::V2025_11_25)), DISCOVERING));
    }
}
