//! Parses one JSON-RPC 2.0 message: a request, a notification or a response.

use std::borrow::Cow;

use super::{
    error::RpcError,
    id::Id,
    params::Params,
    scan::{NotJson, Scanner, read_string},
};

/// A message from the client.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request {
        id: Id<'a>,
        method: Cow<'a, str>,
        params: Params<'a>,
    },
    Notification {
        method: Cow<'a, str>,
        params: Params<'a>,
    },
    /// A response to a request of the server: its `result` or its `error`. A response without an id matches no request.
    Response {
        id: Option<Id<'a>>,
        outcome: Result<&'a str, &'a str>,
    },
}

/// The reason why a line is not a message, and the id of the request if this id could be read.
#[derive(Debug)]
pub(crate) struct Malformed<'a> {
    pub(crate) id: Option<Id<'a>>,
    pub(crate) error: RpcError,
}

/// The members of a message. All members except `params` are unparsed JSON text, because the kind of the message
/// decides how they are parsed.
#[derive(Default)]
struct Envelope<'a> {
    jsonrpc: Option<&'a str>,
    id: Option<&'a str>,
    method: Option<&'a str>,
    params: Params<'a>,
    has_params: bool,
    result: Option<&'a str>,
    error: Option<&'a str>,
    /// Whether a member appears twice.
    ambiguous: bool,
}

impl<'a> Message<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self, Malformed<'a>> {
        let mut envelope = Envelope::default();
        let read = envelope.read(text);
        let id = envelope.id.map(Id::read);
        let invalid = |reason| Malformed { id: id.clone().flatten(), error: RpcError::invalid_request(reason) };
        // The id is not certain.
        let without_id = |error| Malformed { id: None, error };
        match read {
            Ok(true) if envelope.ambiguous => {
                return Err(without_id(RpcError::invalid_request("a member appears twice in the message")));
            }
            Ok(true) => {}
            Ok(false) => return Err(invalid("a message must be an object")),
            Err(error) => return Err(without_id(RpcError::parse(format!("not JSON: {error}")))),
        }
        if envelope.jsonrpc != Some(r#""2.0""#) {
            return Err(invalid(r#"`jsonrpc` must be "2.0""#));
        }
        let Some(method) = envelope.method else {
            // Some libraries always write both members, one of them null.
            let outcome = match (envelope.result, envelope.error) {
                (Some(result), None | Some("null")) => Ok(result),
                (None | Some("null"), Some(error)) => Err(error),
                _ => return Err(invalid("`method` is missing")),
            };
            return Ok(Self::Response { id: id.flatten(), outcome });
        };
        let method = read_string(method).ok_or_else(|| invalid("`method` must be a string"))?;
        let params = envelope.params;
        match id {
            None => Ok(Self::Notification { method, params }),
            Some(Some(id)) => Ok(Self::Request { id, method, params }),
            Some(None) => Err(without_id(RpcError::invalid_request("`id` must be a string or an integer"))),
        }
    }
}

impl<'a> Envelope<'a> {
    /// Reads the members and returns whether the text is an object.
    fn read(&mut self, text: &'a str) -> Result<bool, NotJson> {
        let mut scanner = Scanner::new(text);
        let object = scanner.object(|scanner, name| {
            let member = match &*name {
                "jsonrpc" => &mut self.jsonrpc,
                "id" => &mut self.id,
                "method" => &mut self.method,
                "result" => &mut self.result,
                "error" => &mut self.error,
                "params" => {
                    self.ambiguous |= std::mem::replace(&mut self.has_params, true);
                    return self.params.read(scanner);
                }
                _ => return scanner.value().map(drop),
            };
            self.ambiguous |= member.replace(scanner.value()?).is_some();
            Ok(())
        })?;
        if !object {
            scanner.value()?;
        }
        scanner.end()?;
        Ok(object)
    }
}
