//! The subjects of notices.

use std::sync::Arc;

use crate::{
    engine::call::operation::Operation,
    wire::protocol::{frame::Frame, text::push_json_string},
};

/// The kinds of requests whose items clients can list.
pub(super) const LISTS: [Operation; 3] = [Operation::CallTool, Operation::GetPrompt, Operation::ReadResource];

/// The subject of a notice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// The list of the items that requests of this kind call, for example the list of tools.
    List(Operation),
    /// The content of the resource with this URI.
    Resource(Arc<str>),
}

impl Topic {
    /// Returns the URI without its query, and the whole URI. Returns `None` if the topic is not a resource whose URI has
    /// a query.
    pub(super) fn as_part(&self) -> Option<(&str, &Arc<str>)> {
        match self {
            Self::Resource(uri) => uri.split_once('?').map(|(whole, _)| (whole, uri)),
            _ => None,
        }
    }

    /// Returns the kind of request whose items must be able to change, so that clients can subscribe to the topic.
    pub(super) fn kind(&self) -> Operation {
        match self {
            Self::List(kind) => *kind,
            Self::Resource(_) => Operation::ReadResource,
        }
    }

    /// Returns the notification. `subscription` is the id of the subscription as JSON text. `end` holds the last two
    /// bytes of the message.
    pub(super) fn notice(&self, subscription: Option<&str>, end: &Arc<Vec<u8>>) -> Frame {
        let notice = Frame::notification(self.method(), |out| {
            out.push(b'{');
            if let Self::Resource(uri) = self {
                out.extend_from_slice(br#""uri":"#);
                push_json_string(out, uri);
            }
            if let Some(id) = subscription {
                out.extend_from_slice(if matches!(self, Self::Resource(_)) { b"," } else { b"" });
                push_subscription_id(out, id);
            }
            out.push(b'}');
        });
        with_shared_end(notice, end)
    }

    fn method(&self) -> &'static str {
        match self {
            Self::List(Operation::GetPrompt) => "notifications/prompts/list_changed",
            Self::List(Operation::ReadResource) => "notifications/resources/list_changed",
            Self::List(_) => "notifications/tools/list_changed",
            Self::Resource(_) => "notifications/resources/updated",
        }
    }
}

/// Appends the `_meta` of a notification that belongs to the subscription with this id.
pub(super) fn push_subscription_id(out: &mut Vec<u8>, id: &str) {
    out.extend_from_slice(br#""_meta":{"io.modelcontextprotocol/subscriptionId":"#);
    out.extend_from_slice(id.as_bytes());
    out.push(b'}');
}

/// The last two bytes of a message.
pub(super) const END: &[u8] = b"}\n";

/// Replaces the end of a message by the buffer `end` with the same bytes, which is referred to until the client has read
/// the message.
pub(super) fn with_shared_end(mut notice: Frame, end: &Arc<Vec<u8>>) -> Frame {
    notice.head.truncate(notice.head.len() - end.len());
    notice.tail = Some(Arc::clone(end));
    notice
}
