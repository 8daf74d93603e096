//! Follows the lists of the server. A session gets notices about all lists anyway; since 2026-07-28, a client asks for
//! them.

use serde_json::{Map, Value, json};
use tokio::task::AbortHandle;

use super::{connection::MessageOwner, pool::ClientPool};
use crate::{
    edge::dev::target::ClientSetup,
    serve::client::{ClientProfile, ServerMessage},
};

/// The subscription of the client that has listed the items last. Dropping this value ends it.
pub(crate) struct Watching {
    setup: ClientSetup,
    starts: u32,
    task: AbortHandle,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl ClientPool {
    /// Follows the lists that the server declares to change, in place of those that were followed before.
    pub(super) fn watch(&self, setup: &ClientSetup, profile: &ClientProfile, capabilities: &Value) {
        let lists = ["tools", "prompts", "resources"];
        let changing = lists.into_iter().filter(|list| capabilities[list]["listChanged"] == true);
        let wanted: Map<_, _> = changing.map(|list| (format!("{list}ListChanged"), Value::from(true))).collect();
        let starts = self.starts();
        let mut watching = self.watching.lock();
        let is_watched = watching.as_ref().is_some_and(|watching| {
            watching.setup == *setup && watching.starts == starts && !watching.task.is_finished()
        });
        if is_watched {
            return;
        }
        *watching = None;
        if wanted.is_empty() || !profile.revision.is_modern() {
            return;
        }
        let (setup, profile, connector) = (setup.clone(), profile.clone(), self.connector.clone());
        let id = self.next_id();
        let task = tokio::spawn({
            let setup = setup.clone();
            async move {
                let Ok(mut connection) = connector.connect(&setup).await else { return };
                connection.own(MessageOwner::default());
                let params = json!({ "notifications": wanted });
                connection.send(&profile.request(id, "subscriptions/listen", params));
                // The connection itself passes the notices on.
                while let Ok(message) = connection.receive().await.message
                    && !matches!(message, ServerMessage::Response { .. })
                {}
            }
        });
        *watching = Some(Watching { setup, starts, task: task.abort_handle() });
    }
}
