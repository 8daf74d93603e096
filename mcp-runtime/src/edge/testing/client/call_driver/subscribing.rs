//! Subscribes to notices, and waits for them.

use std::time::Duration;

use serde_json::json;
use tokio::time::Instant;

use super::course::{Course, SUBSCRIPTION_ID};
use crate::{
    edge::testing::{connection::Subscribed, observed::notice::Notice, script::request::Misfit},
    serve::client::{ServerMessage, ServerNotification},
};

impl Course<'_> {
    /// Subscribes the client to the `wanted` notices, in place of its earlier subscription.
    pub(crate) async fn subscribe(&mut self, wanted: Vec<Notice>) -> Result<(), Misfit> {
        self.unsubscribe().await?;
        self.open().await?;
        self.connection.notices.clear();
        let id = match self.settings.profile.revision.is_modern() {
            true => Some(self.listen(&wanted).await?),
            false => {
                self.watch(&wanted).await?;
                None
            }
        };
        self.connection.subscribed = Some(Subscribed { id, wanted });
        Ok(())
    }

    /// Subscribes in a session, which gets notices about all lists anyway.
    async fn watch(&mut self, wanted: &[Notice]) -> Result<(), Misfit> {
        for notice in wanted {
            let (kind, member) = notice.capability();
            if self.connection.server_capabilities[kind][member] != true {
                return Err(cannot_change(kind));
            }
            if let Notice::Updated(uri) = notice {
                self.request_in_session("resources/subscribe", json!({ "uri": uri })).await?;
            }
        }
        Ok(())
    }

    /// Subscribes since 2026-07-28. Returns the id of the subscription, once the server has acknowledged it.
    async fn listen(&mut self, wanted: &[Notice]) -> Result<u64, Misfit> {
        let params = json!({ "notifications": Notice::filter(wanted) });
        let method = "subscriptions/listen";
        let id = self.connection.request(method, params).await?;
        loop {
            match self.connection.receive(None).await? {
                Some(ServerMessage::Notification(ServerNotification::Other { method, params }))
                    if method == "notifications/subscriptions/acknowledged"
                        && params["_meta"][SUBSCRIPTION_ID] == id =>
                {
                    let refused = wanted.iter().find(|notice| !notice.is_in(&params["notifications"]));
                    return refused.map_or(Ok(id), |notice| Err(cannot_change(notice.capability().0)));
                }
                Some(ServerMessage::Notification(notification)) => self.note(notification),
                Some(ServerMessage::Response { id: answered, reply }) if answered == id => {
                    let reason = reply.map_or_else(|error| error.message, |_| "it ended at once".to_owned());
                    return Err(format!("`{method}` failed: {reason}").into());
                }
                Some(ServerMessage::Request { id, method, params }) => self.answer_request(id, method, params).await?,
                Some(ServerMessage::Response { .. }) | None => {}
            }
        }
    }

    /// Ends the subscription of the client.
    pub(crate) async fn unsubscribe(&mut self) -> Result<(), Misfit> {
        let Some(Subscribed { id, wanted }) = self.connection.subscribed.take() else { return Ok(()) };
        if let Some(id) = id {
            self.connection.cancel(id).await?;
            return Ok(());
        }
        for notice in wanted {
            if let Notice::Updated(uri) = notice {
                self.request_in_session("resources/unsubscribe", json!({ "uri": uri })).await?;
            }
        }
        Ok(())
    }

    /// Returns the next notice, or `None` if no notice arrives within this time.
    pub(crate) async fn next_notice(&mut self, within: Duration) -> Result<Option<Notice>, Misfit> {
        let until = Instant::now() + within;
        self.connection.limit.extend(within);
        loop {
            if let Some(notice) = self.connection.notices.pop_front() {
                return Ok(Some(notice));
            }
            match self.connection.receive(Some(until)).await? {
                None => return Ok(None),
                Some(ServerMessage::Notification(notification)) => self.note(notification),
                Some(ServerMessage::Request { id, method, params }) => self.answer_request(id, method, params).await?,
                Some(ServerMessage::Response { id, .. }) => {
                    return Err(match &self.connection.subscribed {
                        Some(subscribed) if subscribed.id.is_some_and(|subscribed| id == subscribed) => {
                            "the server ended the subscription".to_owned()
                        }
                        _ => format!("the server answered {id}, which is not an open request"),
                    }
                    .into());
                }
            }
        }
    }
}

fn cannot_change(kind: &str) -> Misfit {
    format!(
        "the server does not declare that its {kind} can change; build it with `Server::dynamic_{kind}`, or call \
         `Service::{kind}` before the client connects"
    )
    .into()
}
