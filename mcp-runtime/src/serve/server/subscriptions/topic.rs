//! The subjects of notices.

use std::sync::Arc;

use crate::{
    engine::call::operation::Operation,
    serve::server::core::extension::Changing,
    wire::protocol::{frame::Frame, text::push_json_string},
};

/// The subject of a notice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    Tools,
    Prompts,
    Resources,
    /// The content of the resource with this URI.
    Resource(Arc<str>),
}

impl Topic {
    /// Returns the topic for the list of the items that this kind of request calls, for example the list of tools.
    /// Returns `None` if clients cannot list these items.
    pub(crate) fn of_list(operation: Operation) -> Option<Self> {
        match operation {
            Operation::CallTool => Some(Self::Tools),
            Operation::GetPrompt => Some(Self::Prompts),
            Operation::ReadResource => Some(Self::Resources),
            _ => None,
        }
    }

    /// Returns the URI without its query, and the whole URI. Returns `None` if the topic is not a resource whose URI has
    /// a query.
    pub(super) fn as_part(&self) -> Option<(&str, &Arc<str>)> {
        match self {
            Self::Resource(uri) => uri.split_once('?').map(|(whole, _)| (whole, uri)),
            _ => None,
        }
    }

    pub(super) fn changing(&self) -> Changing {
        match self {
            Self::Tools => Changing::Tools,
            Self::Prompts => Changing::Prompts,
            Self::Resources | Self::Resource(_) => Changing::Resources,
        }
    }

    /// Returns the notification. `subscription` is the id of the subscription as JSON text. `end` holds the last two
    /// bytes of the message.
    pub(super) fn notice(&self, subscription: Option<&str>, end: &Arc<Vec<u8>>) -> Frame {
        let mut frame = Frame::notification(self.method(), |out| {
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
        frame.head.truncate(frame.head.len() - end.len());
        frame.tail = Some(Arc::clone(end));
        frame
    }

    fn method(&self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
            Self::Resources => "notifications/resources/list_changed",
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
