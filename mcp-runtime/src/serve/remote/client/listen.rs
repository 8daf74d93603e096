//! Asks a server to tell about changes of its lists and resources: since 2026-07-28 with a request that stays open, and
//! before in its session.

use std::{sync::Arc, time::Duration};

use serde_json::{Map, Value, json};
use tokio::{
    sync::mpsc::{UnboundedSender, unbounded_channel},
    time::{sleep, timeout},
};

use super::{Remote, RemoteError, connect::profile, lists::RemoteChanges, routes::RequestTakes, settings::ServerPlace};
use crate::{
    engine::call::{MessageSink, body::Body},
    serve::{
        client::{ServerMessage, ServerNotification, ServiceClient},
        server::{Service, reply_to::TakesReply},
    },
    wire::protocol::{
        capability::Capabilities,
        frame::Frame,
        json::{object, set},
        params::Params,
        revision::Revision,
    },
};

/// How often a session is checked for its end.
const LOOK: Duration = Duration::from_secs(5);

const METHOD: &str = "subscriptions/listen";

impl Remote {
    /// Listens to changes of all lists, and of the resources with these URIs. [`changes_of`](Self::changes_of) and
    /// [`changed_resources`](Self::changed_resources) tell of them. Returns when the server has ended the subscription
    /// or the connection. `before` are the URIs of an earlier subscription in the same session.
    ///
    /// # Errors
    /// Fails if the server cannot be reached, or refuses the subscription.
    pub(crate) async fn listen(&self, uris: &[Arc<str>], before: &[Arc<str>]) -> Result<(), RemoteError> {
        let changes = &self.live.lists.changes;
        let notifications = wanted(uris);
        let _following = FollowedLists(changes);
        if let ServerPlace::Service(service) = &self.settings.target {
            listen_to_service(service, &notifications, Arc::clone(changes)).await;
            return Ok(());
        }
        let limits = self.limits(METHOD);
        let lease = self.lease(Capabilities::NONE, None, false, &limits).await?;
        if !lease.profile.revision.is_modern() {
            for (method, uris, others) in
                [("resources/unsubscribe", before, uris), ("resources/subscribe", uris, before)]
            {
                for uri in uris.iter().filter(|uri| !others.contains(uri)) {
                    self.ask_session(method, object([("uri", (&**uri).into())])).await?;
                }
            }
            while !lease.connection.has_ended() {
                sleep(LOOK).await;
            }
            return Ok(());
        }
        let members = object([("notifications", notifications)]);
        let sent = lease.connection.send(&lease.profile, RequestTakes::default(), Vec::new(), |id| {
            serde_json::to_string(&lease.profile.request(id, METHOD, members))
        });
        let open = sent.map_err(|error| limits.arguments(&error))?;
        // The connection notes the changes.
        let reply = open.reply().await.map_err(|failure| limits.failed(failure))?;
        reply.map(drop).map_err(|error| limits.refused(error))
    }

    /// Sends a request of the client itself in the session that all requests share, and waits for its reply.
    async fn ask_session(&self, method: &'static str, members: Value) -> Result<(), RemoteError> {
        let limits = self.limits(method);
        let lease = self.lease(Capabilities::NONE, None, false, &limits).await?;
        let sent = lease.connection.send(&lease.profile, RequestTakes::default(), Vec::new(), |id| {
            serde_json::to_string(&lease.profile.request(id, method, members))
        });
        let open = sent.map_err(|error| limits.arguments(&error))?;
        let replied = timeout(limits.within, open.reply()).await.map_err(|_| limits.timeout())?;
        let reply = replied.map_err(|failure| limits.failed(failure))?;
        reply.map(drop).map_err(|error| limits.refused(error))
    }
}

/// Notes the end of a subscription when it is dropped.
struct FollowedLists<'a>(&'a RemoteChanges);

impl Drop for FollowedLists<'_> {
    fn drop(&mut self) {
        self.0.follow(&Value::Null);
    }
}

/// Returns the `SubscriptionFilter` object of the protocol.
fn wanted(uris: &[Arc<str>]) -> Value {
    let mut filter = json!({ "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true });
    if let Some(filter) = filter.as_object_mut().filter(|_| !uris.is_empty()) {
        set(filter, "resourceSubscriptions", uris.iter().map(|uri| Value::from(&**uri)).collect());
    }
    filter
}

/// Listens to a service in the same process until it ends the subscription.
async fn listen_to_service(service: &Service, notifications: &Value, changes: Arc<RemoteChanges>) {
    let client = ServiceClient::connect(service, &profile(Revision::LATEST, Capabilities::NONE, None));
    let (ended, mut end) = unbounded_channel();
    let id = client.next_id();
    let text = Value::from(Map::from_iter([("notifications".to_owned(), notifications.clone())])).to_string();
    let params = Params { text: &text, ..Params::default() };
    client.send(&Arc::new(ChangeSink { changes, ended }), None, id, METHOD, &params);
    // Dropping the client ends the subscription.
    end.recv().await;
}

/// Notes the changes that a service in the same process tells about.
struct ChangeSink {
    changes: Arc<RemoteChanges>,
    ended: UnboundedSender<()>,
}

impl MessageSink for ChangeSink {
    fn send(&self, frame: Frame) {
        match ServerMessage::read(frame.into_text().as_bytes()) {
            Ok(ServerMessage::Notification(ServerNotification::Other { method, params })) => {
                self.changes.note(&method, &params);
            }
            Ok(ServerMessage::Response { .. }) => drop(self.ended.send(())),
            _ => {}
        }
    }
}

impl TakesReply for ChangeSink {
    fn take(&self, _: Body) {
        let _ = self.ended.send(());
    }
}
