//! The reply that ends a round of a call.

use std::time::Duration;

use serde_json::{Map, Value, value::RawValue};

use crate::serve::client::{InputRequired, ProtocolError, ServerMessage};

/// The reply that ends a round.
pub(crate) enum RoundReply {
    Asks(InputRequired),
    /// The `CallToolResult` as JSON text.
    Done(Box<RawValue>),
    /// Nothing was lost: the same request may be sent again after this time.
    Later(Duration, String),
    Failed(String),
}

impl RoundReply {
    pub(crate) fn of(message: serde_json::Result<ServerMessage>, status: Option<u16>) -> Self {
        const SOON: Duration = Duration::from_secs(1);
        let result = match message {
            Ok(ServerMessage::Response { reply: Ok(result), .. }) => result,
            Ok(ServerMessage::Response { reply: Err(ProtocolError { message, data, .. }), .. }) => {
                let after = data["retryAfterMs"].as_u64().map(Duration::from_millis);
                return match after.or_else(|| (status == Some(503)).then_some(SOON)) {
                    Some(after) => Self::Later(after, message),
                    None => Self::Failed(message),
                };
            }
            Ok(_) => return Self::Failed("the tool sent no reply".to_owned()),
            Err(error) => return Self::Failed(format!("the reply of the tool cannot be read: {error}")),
        };
        match InputRequired::read(&*result) {
            Ok(None) => Self::Done(stripped(&result)),
            Ok(Some(asks)) => Self::Asks(asks),
            Err(error) => Self::Failed(format!("the questions of the tool cannot be read: {error}")),
        }
    }
}

/// Removes the members that only the protocol needs.
fn stripped(result: &RawValue) -> Box<RawValue> {
    let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(result.get()) else {
        return result.to_owned();
    };
    object.remove("resultType");
    if let Some(Value::Object(meta)) = object.get_mut("_meta") {
        meta.remove("io.modelcontextprotocol/serverInfo");
        if meta.is_empty() {
            object.remove("_meta");
        }
    }
    serde_json::value::to_raw_value(&object).unwrap_or_else(|_| result.to_owned())
}
