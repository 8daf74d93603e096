//! Resources for a page. The user of the page reads them as an MCP client of this user would.

use std::sync::Arc;

use axum::http::Uri;
use percent_encoding::percent_decode_str;
use serde_json::{json, value::RawValue};
use tokio::sync::oneshot;

use super::error::RouterError;
use crate::{
    apps::plugin::host::PluginHost,
    base::mutex::Mutex,
    engine::call::{MessageSink, Principal, body::Body, message_sink::ProgressReport, operation::Operation},
    serve::{
        client::{ClientReply, ServiceClient},
        server::reply_to::TakesReply,
    },
    wire::protocol::{frame::Frame, level::Level, params::Params, text::shortened},
};

/// Returns the parameter `uri` of the query.
pub(super) fn uri_of(request: &Uri) -> Result<String, RouterError> {
    let query = request.query().unwrap_or_default();
    let uri = query.split('&').find_map(|pair| pair.strip_prefix("uri=")).filter(|uri| !uri.is_empty());
    let uri = uri.ok_or_else(|| RouterError::Unreadable("the query lacks `uri`".to_owned()))?;
    let uri = percent_decode_str(uri).decode_utf8();
    uri.map(Into::into)
        .map_err(|error| RouterError::Unreadable(format!("the `uri` of the query is not UTF-8: {error}")))
}

/// Returns the result of `resources/read`.
pub(super) async fn read(host: &PluginHost, user: Principal, uri: &str) -> Result<Box<RawValue>, RouterError> {
    if host.server().0.find_resource(uri).is_none() {
        return Err(RouterError::UnknownResource(shortened(uri).into_owned()));
    }
    let client = &host.0.client;
    let (sender, reply) = oneshot::channel();
    let mut open = OpenRead { client, id: client.next_id(), is_open: true };
    let text = json!({ "uri": uri }).to_string();
    let params = Params { text: &text, ..Params::default() };
    let receiver = Arc::new(ReplyReceiver(Mutex::new(Some(sender))));
    client.send(&receiver, Some(user), open.id, Operation::ReadResource.method(), &params);
    let reply = reply.await;
    open.is_open = false;
    match reply {
        Ok(Ok(ClientReply::Result(result))) => result.into_json().map_err(|_| RouterError::ResourceFailed),
        Ok(Ok(ClientReply::Refused(error, status))) => Err(RouterError::Refused(error.message, status)),
        Ok(Ok(ClientReply::Asks(..))) => Err(RouterError::ResourceAsks(shortened(uri).into_owned())),
        Ok(Err(_)) | Err(_) => Err(RouterError::ResourceFailed),
    }
}

/// A request in flight. Dropping it cancels the request, because the page does not wait any more.
struct OpenRead<'a> {
    client: &'a ServiceClient,
    id: u64,
    is_open: bool,
}

impl Drop for OpenRead<'_> {
    fn drop(&mut self) {
        if self.is_open {
            self.client.cancel(self.id);
        }
    }
}

/// Passes on the reply. Nothing shows the notifications.
struct ReplyReceiver(Mutex<Option<oneshot::Sender<serde_json::Result<ClientReply>>>>);

impl ReplyReceiver {
    fn replied(&self, reply: serde_json::Result<ClientReply>) {
        if let Some(sender) = self.0.lock().take() {
            // Fails only if the page does not wait any more.
            let _ = sender.send(reply);
        }
    }
}

impl TakesReply for ReplyReceiver {
    fn take(&self, body: Body) {
        self.replied(ClientReply::of(body));
    }
}

impl MessageSink for ReplyReceiver {
    fn send(&self, frame: Frame) {
        if let Some(reply) = ClientReply::of_frame(&frame).transpose() {
            self.replied(reply);
        }
    }

    fn log(&self, _: Level, _: &str, _: &[u8]) {}

    fn progress(&self, _: &ProgressReport<'_>) {}
}
