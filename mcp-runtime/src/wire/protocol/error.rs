//! JSON-RPC errors. Only this file contains their codes.

use std::{borrow::Cow, time::Duration};

use serde_json::Value;

use super::{
    capability::{Capabilities, InvalidCapabilities},
    json::object,
    revision::Revision,
    text::{push_json, push_json_string, shortened},
};
use crate::base::error::chain;

/// The message is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// The JSON is not a message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// The method does not exist.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// The params do not fit the method.
pub(crate) const INVALID_PARAMS: i32 = -32602;
/// The server has a fault.
pub(crate) const INTERNAL_ERROR: i32 = -32603;
/// The client does not have a capability that the request needs (since 2026-07-28).
pub(crate) const MISSING_CAPABILITY: i32 = -32021;
/// The user declined. The protocol has this code for rejected sampling requests.
pub(crate) const USER_REJECTED: i32 = -1;
/// There is no resource with this URI. Only revisions before 2026-07-28 have this code.
pub(crate) const RESOURCE_NOT_FOUND: i32 = -32002;
/// The method of a contract failed. Servers can define the codes from -32099 to this one.
pub(crate) const METHOD_FAILED: i32 = -32000;

/// The HTTP status of results, and of errors without a status of their own.
pub(crate) const OK: u16 = 200;

/// The `error` member of a response.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: i32,
    pub(crate) message: String,
    pub(crate) data: Option<Box<Value>>,
    status: u16,
    pub(crate) hint: Option<Box<ErrorHint>>,
}

/// What a client can do about an error. HTTP says it in a header.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ErrorHint {
    pub(crate) retry_after: Option<Duration>,
    /// The client should get a token with these scopes.
    pub(crate) required_scopes: Vec<Cow<'static, str>>,
}

/// An error of a call. The client gets this error unchanged.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub(crate) struct CallRefusal(pub(crate) RpcError);

impl RpcError {
    /// Appends the error object.
    pub(crate) fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(br#"{"code":"#);
        out.extend_from_slice(self.code.to_string().as_bytes());
        out.extend_from_slice(br#","message":"#);
        push_json_string(out, &self.message);
        if let Some(data) = &self.data {
            out.extend_from_slice(br#","data":"#);
            push_json(out, data);
        }
        out.push(b'}');
    }

    /// Returns the HTTP status of the error.
    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    /// Returns the time after which the client should send the same request again.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        self.hint.as_ref()?.retry_after
    }

    /// Returns the scopes that the caller needs, if it lacks one.
    pub(crate) fn required_scopes(&self) -> &[Cow<'static, str>] {
        self.hint.as_ref().map_or(&[], |hint| &hint.required_scopes)
    }

    /// Creates the error for a message that is not JSON.
    pub(crate) fn parse(reason: impl Into<String>) -> Self {
        Self::new(PARSE_ERROR, reason).with_status(400)
    }

    /// Creates the error for text that is JSON, but not a JSON-RPC 2.0 message.
    pub(crate) fn invalid_request(reason: impl Into<String>) -> Self {
        Self::new(INVALID_REQUEST, reason).with_status(400)
    }

    /// Creates the error for a request whose reply has a form that the client does not accept.
    pub(crate) fn not_acceptable(reason: impl Into<String>) -> Self {
        Self::new(INVALID_REQUEST, reason).with_status(406)
    }

    pub(crate) fn method_not_found(method: &str) -> Self {
        Self::new(METHOD_NOT_FOUND, format!("Method not found: {}", shortened(method))).with_status(404)
    }

    pub(crate) fn invalid_params(reason: impl Into<String>) -> Self {
        Self::new(INVALID_PARAMS, reason)
    }

    /// Creates the error for a request of 2026-07-28 that lacks a required key of `_meta`.
    pub(crate) fn missing_meta(key: &str) -> Self {
        Self::invalid_params(format!("`_meta` lacks `{key}`")).with_status(400)
    }

    /// Creates the error for a `requestState` that the server did not issue for this request. The error does not say
    /// why the `requestState` is wrong, so that an attacker learns nothing.
    pub(crate) fn inauthentic_state() -> Self {
        Self::invalid_params("`requestState` does not belong to this request; send the request again without it")
    }

    /// Creates the error for a `requestState` that has expired.
    pub(crate) fn past_state() -> Self {
        Self::invalid_params(
            "`requestState` has expired: the call waited too long, or the process that held the call is gone; send \
             the request again without it",
        )
    }

    /// Creates the error for a `requestState` of a call that the ledger does not know.
    pub(crate) fn other_ledger() -> Self {
        Self::invalid_params(
            "`requestState` belongs to a call that this server's ledger does not know: the server was restarted, \
             or its instances do not share a ledger; send the request again without it",
        )
    }

    /// Creates the error for a `requestState` of a call that was cancelled.
    pub(crate) fn cancelled() -> Self {
        Self::invalid_params(
            "`requestState` belongs to a call that was cancelled; send the request again without it to begin a new call",
        )
    }

    /// Creates the error for an interrupted step that must not run twice. The outcome of the step is unknown.
    pub(crate) fn unknown_outcome(tool: &str, idempotency_key: &str) -> Self {
        Self::internal(format!(
            "the call of `{tool}` was interrupted after its side effects began, and its outcome is unknown; check the \
             outcome before you repeat the call"
        ))
        .with_data(object([("idempotencyKey", idempotency_key.into())]))
    }

    /// Creates the error for a round that another request is running. The `requestState` stays valid: the client can
    /// retry.
    pub(crate) fn busy(retry_after: Duration) -> Self {
        Self::internal("another request is running this call; send the same request again")
            .with_status(503)
            .with_retry_after(retry_after)
    }

    /// Creates the error for a call that a layer of the application rejects.
    pub(crate) fn rejected(message: String, status: u16, retry_after: Option<Duration>) -> Self {
        let error = if status == 403 { Self::invalid_request(message) } else { Self::internal(message) };
        let error = error.with_status(status);
        match retry_after {
            Some(time) => error.with_retry_after(time),
            None => error,
        }
    }

    /// Creates the error for a client that has reached one of its limits. The request had no effect.
    pub(crate) fn too_many(what: &str) -> Self {
        Self::internal(format!("{what}; send the same request again later"))
            .with_status(429)
            .with_retry_after(Duration::from_secs(1))
    }

    /// Creates the error for a server that has reached a limit for all clients. The request had no effect.
    pub(crate) fn overloaded(what: &str) -> Self {
        Self::too_many(what).with_status(503)
    }

    /// Creates the error for a tool or a prompt of another server that has not answered yet.
    pub(crate) fn not_loaded(kind: &str, name: &str, server: &str) -> Self {
        let name = shortened(name);
        Self::overloaded(&format!(
            "the {kind} `{name}` is not known yet, because the server `{server}` has not answered"
        ))
    }

    /// Creates the error for a token that cannot be verified now.
    pub(crate) fn unverified(retry_after: Duration) -> Self {
        Self::invalid_request("tokens cannot be verified at the moment").with_status(503).with_retry_after(retry_after)
    }

    /// Creates the error for a service that is shutting down and accepts no further call.
    pub(crate) fn stopping() -> Self {
        Self::overloaded("this server is shutting down")
    }

    /// Creates the error for a call that another instance has taken over. That instance will record the reply.
    pub(crate) fn taken_over() -> Self {
        Self::busy(Duration::from_millis(250))
    }

    /// Creates the error for a failure of the ledger. The request had no effect, and the client can retry it.
    pub(crate) fn unavailable(error: impl std::error::Error) -> Self {
        crate::base::report::report_limited!("{}", chain(&error));
        Self::internal("this server cannot continue calls at the moment; send the same request again")
            .with_status(503)
            .with_retry_after(Duration::from_secs(1))
    }

    /// Creates the error for a name that no item of this kind has.
    pub(crate) fn unknown(kind: &str, name: &str) -> Self {
        Self::invalid_params(format!("Unknown {kind}: {}", shortened(name)))
    }

    /// Creates the error for a URI that no resource has. Revisions before 2026-07-28 have a separate code for this
    /// error.
    pub(crate) fn unknown_resource(uri: &str, revision: Revision) -> Self {
        let code = if revision.is_modern() { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        Self::new(code, format!("Unknown resource: {}", shortened(uri))).with_data(object([("uri", uri.into())]))
    }

    pub(crate) fn internal(reason: impl Into<String>) -> Self {
        Self::new(INTERNAL_ERROR, reason)
    }

    /// Creates the error for a request that has no result, because its user declined a question.
    pub(crate) fn user_rejected(message: impl Into<String>) -> Self {
        Self::new(USER_REJECTED, message)
    }

    /// Creates the error for a request that names no revision, on a connection without a negotiated revision.
    pub(crate) fn no_revision() -> Self {
        Self::new(
            INVALID_PARAMS,
            "send `initialize` first, or name the protocol version in \
             `_meta[\"io.modelcontextprotocol/protocolVersion\"]`",
        )
        .with_status(400)
        .with_data(object([("supported", supported_revisions().into())]))
    }

    pub(crate) fn unsupported_revision(requested: &str) -> Self {
        let data = object([("supported", supported_revisions().into()), ("requested", shortened(requested).into())]);
        Self::new(-32022, "Unsupported protocol version").with_status(400).with_data(data)
    }

    /// Creates the error for an HTTP header that must repeat a value of the body, but does not.
    pub(crate) fn header_mismatch(reason: impl std::fmt::Display) -> Self {
        Self::new(-32020, format!("Header mismatch: {reason}")).with_status(400)
    }

    /// Creates the error for a caller that lacks a scope that the tool needs. `is_known` says whether the caller is
    /// authenticated.
    pub(crate) fn insufficient_scope(described: &str, scopes: &[Cow<'static, str>], is_known: bool) -> Self {
        let reason = if is_known {
            "which its caller was not granted"
        } else {
            "and its caller is unknown: this server has no `authorization`"
        };
        Self::invalid_request(format!("The {described} needs `{}`, {reason}", scopes.join(" ")))
            .with_status(403)
            .with_data(object([("requiredScopes", scopes.into())]))
            .with_hint(ErrorHint { required_scopes: scopes.to_vec(), ..ErrorHint::default() })
    }

    pub(crate) fn missing_capability(described: &str, missing: Capabilities) -> Self {
        Self::new(MISSING_CAPABILITY, format!("The {described} needs a client that supports {missing}"))
            .with_status(400)
            .with_data(object([("requiredCapabilities", missing.to_json())]))
    }

    /// Creates the error that another server has sent for a request that was passed on to it.
    pub(crate) fn passed_on(code: i64, message: String, data: Value) -> Self {
        let code = i32::try_from(code).unwrap_or(INTERNAL_ERROR);
        let error = Self { data: (!data.is_null()).then(|| data.into()), ..Self::new(code, message) };
        if code == MISSING_CAPABILITY { error.with_status(400) } else { error }
    }

    fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, status: OK, hint: None }
    }

    pub(crate) fn with_status(self, status: u16) -> Self {
        Self { status, ..self }
    }

    fn with_retry_after(self, time: Duration) -> Self {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.with_data(object([("retryAfterMs", milliseconds.into())]))
            .with_hint(ErrorHint { retry_after: Some(time), ..ErrorHint::default() })
    }

    fn with_hint(self, hint: ErrorHint) -> Self {
        Self { hint: Some(Box::new(hint)), ..self }
    }

    fn with_data(self, data: Value) -> Self {
        Self { data: Some(Box::new(data)), ..self }
    }
}

impl From<InvalidCapabilities> for RpcError {
    fn from(_: InvalidCapabilities) -> Self {
        Self::invalid_params("the client's capabilities must be an object of objects")
    }
}

/// Returns the revisions that the server supports, newest first.
pub(crate) fn supported_revisions() -> Vec<&'static str> {
    Revision::ALL.iter().rev().map(|revision| revision.as_str()).collect()
}
