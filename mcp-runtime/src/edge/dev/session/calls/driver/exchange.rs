//! Sends a request, and waits for its reply. A request whose connection breaks is repeated.

use std::{sync::Arc, time::Duration};

use serde_json::Value;
use tokio::time::sleep;

use super::{CallDriver, DevCallEnd, RoundReply};
use crate::{
    edge::dev::session::client::{DevConnection, HeardMessage},
    serve::client::{ProtocolError, RoundInput, ServerMessage, answer_to_request},
};

/// How often a request is sent, if its connection breaks each time.
const TRIES: usize = 5;

/// The delay before a request is repeated.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a request runs before its connection is closed.
pub(super) const MIDDLE: Duration = Duration::from_millis(50);

/// Why a request has no reply yet.
pub(super) enum NoReply {
    /// The connection has ended, for this reason.
    Broken(String),
    End(DevCallEnd),
}

impl From<DevCallEnd> for NoReply {
    fn from(end: DevCallEnd) -> Self {
        Self::End(end)
    }
}

impl CallDriver {
    /// Opens a connection, or takes one that waits. Obeys the page meanwhile: the program may have to be built.
    pub(super) async fn connect(&mut self) -> Result<DevConnection, DevCallEnd> {
        let (pool, setup, owner) = (Arc::clone(&self.pool), self.setup.clone(), self.owner());
        let connected = self.while_listening(async move { pool.take(&setup, owner).await }).await?;
        connected.map_err(DevCallEnd::failed)
    }

    /// Sends the request of a round, and waits for its reply. `again` tells whether the client has sent it before.
    pub(super) async fn exchange(&mut self, input: &RoundInput, mut again: bool) -> Result<RoundReply, DevCallEnd> {
        let mut tries = 0;
        loop {
            self.begin_round(again);
            let mut connection = self.connect().await?;
            let id = self.send(&connection, input);
            match self.replies(&mut connection, [id]).await {
                Ok([reply]) => {
                    self.pool.put(&self.setup, connection);
                    return Ok(reply);
                }
                Err(NoReply::End(end)) => return Err(end),
                Err(NoReply::Broken(why)) => {
                    tries += 1;
                    if tries == TRIES {
                        return Err(DevCallEnd::failed(why));
                    }
                    again = true;
                    self.while_listening(sleep(PAUSE)).await?;
                }
            }
        }
    }

    /// Sends the request of a round. Returns its id.
    pub(super) fn send(&self, connection: &DevConnection, input: &RoundInput) -> u64 {
        let id = self.pool.next_id();
        self.calls.sent(id, &self.call);
        connection.send(&self.profile.round(id, &self.request, input));
        id
    }

    /// Waits for the replies to these requests.
    pub(super) async fn replies<const N: usize>(
        &mut self,
        connection: &mut DevConnection,
        ids: [u64; N],
    ) -> Result<[RoundReply; N], NoReply> {
        let mut replies = ids.map(Err);
        while replies.iter().any(Result::is_err) {
            let HeardMessage { n, message } = self.next_message(connection, &ids).await?;
            match message.map_err(NoReply::Broken)? {
                ServerMessage::Notification(notification) => self.hear(notification, n),
                ServerMessage::Request { id, method, .. } => connection.respond(&id, answer_to_request(&method)),
                ServerMessage::Response { id, reply } => {
                    let open = replies.iter_mut().find(|open| open.as_ref().is_err_and(|open| id == *open));
                    if let Some(open) = open {
                        *open = Ok(RoundReply { n, outcome: read(reply) });
                    }
                }
            }
        }
        Ok(replies.map(|reply| reply.expect("every reply has arrived")))
    }

    /// Waits for the next message, and obeys the page meanwhile. If the call is cancelled, so are these requests.
    async fn next_message(&mut self, connection: &mut DevConnection, ids: &[u64]) -> Result<HeardMessage, NoReply> {
        let obeyed = loop {
            tokio::select! {
                heard = connection.receive() => return Ok(heard),
                command = self.commands.recv() => match self.obey(command).await {
                    Ok(_) => {}
                    Err(end) => break end,
                },
            }
        };
        for id in ids {
            connection.cancel(&self.profile, *id).await;
        }
        // The message leaves before the connection is closed.
        sleep(PAUSE).await;
        Err(obeyed.into())
    }
}

/// Returns the result or the error of a response.
pub(super) fn read(reply: Result<Box<serde_json::value::RawValue>, ProtocolError>) -> Result<Value, ProtocolError> {
    let unreadable = |error: serde_json::Error| ProtocolError {
        code: 0,
        message: format!("the result of the response cannot be read: {error}"),
        data: Value::Null,
    };
    serde_json::from_str(reply?.get()).map_err(unreadable)
}
