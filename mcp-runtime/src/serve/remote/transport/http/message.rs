//! What the transport reads of a message.

use serde::{Deserialize, de::IgnoredAny};
use serde_json::Value;

/// The members of a message that HTTP needs.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageHead {
    id: Value,
    pub(super) method: Option<String>,
    params: NamedParams,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedParams {
    name: Option<String>,
    uri: Option<String>,
    #[serde(rename = "taskId")]
    task_id: Option<String>,
}

impl MessageHead {
    /// Reads a message of this client.
    pub(super) fn of(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Returns the id, if the message is a request.
    pub(super) fn request(&self) -> Option<u64> {
        self.method.as_ref().and(self.id.as_u64())
    }

    /// Returns the tool, the prompt, the resource or the task that a request names.
    pub(super) fn name(&self) -> Option<&str> {
        let NamedParams { name, uri, task_id } = &self.params;
        let named = match self.method.as_deref()? {
            "resources/read" => uri,
            "tasks/get" | "tasks/update" | "tasks/cancel" => task_id,
            _ => name,
        };
        named.as_deref()
    }
}

/// Whether a message of the server is the response to this request.
pub(super) fn is_response_to(text: &str, request: u64) -> bool {
    #[derive(Deserialize)]
    struct ResponseHead {
        id: u64,
        method: Option<IgnoredAny>,
    }
    serde_json::from_str::<ResponseHead>(text).is_ok_and(|head| head.id == request && head.method.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_requests_and_responses() {
        let call = MessageHead::of(r#"{"id":3,"method":"tools/call","params":{"name":"a","uri":"b","arguments":{}}}"#);
        assert_eq!((call.request(), call.name()), (Some(3), Some("a")));
        let read = MessageHead::of(r#"{"id":4,"method":"resources/read","params":{"uri":"b"}}"#);
        assert_eq!((read.request(), read.name()), (Some(4), Some("b")));
        let task = MessageHead::of(r#"{"id":5,"method":"tasks/get","params":{"taskId":"t"}}"#);
        assert_eq!((task.request(), task.name()), (Some(5), Some("t")));
        assert_eq!(MessageHead::of(r#"{"id":4,"result":{}}"#).request(), None);
        assert!(is_response_to(r#"{"id":4,"result":{}}"#, 4));
        assert!(!is_response_to(r#"{"id":4,"method":"ping"}"#, 4) && !is_response_to(r#"{"id":"4","result":{}}"#, 4));
    }
}
