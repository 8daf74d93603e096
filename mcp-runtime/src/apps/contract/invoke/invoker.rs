//! Calls methods by their names: the interface of endpoints.

use std::{borrow::Cow, pin::Pin, sync::Arc, time::Duration};

use super::builder::{Contract, ContractMethod, ServedContract};
use crate::{
    apps::contract::{Descriptor, MethodError},
    base::error::{ToolError, UnserializableOutput},
    engine::{
        call::{Principal, message_sink::DropNotifications, request::Peer, running::Round},
        layer::Rejection,
        tool::begin::InvalidArguments,
    },
    serve::server::{
        Service,
        concurrency::Room,
        local_call::{LocalCall, NotBegun},
    },
    wire::protocol::{
        error::{MISSING_CAPABILITY, RpcError},
        frame::OK,
        scan::Scanner,
    },
};

/// The interface between an endpoint, such as REST, and the methods of a contract. An endpoint reads the descriptor, fills
/// an input, and calls a method by the names of the resource and of the method. [`Contract`] implements this trait.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_runtime::contract::{InvokeError, Invoker};
///
/// /// An endpoint for a command line: `todos.create '{ "title": "milk" }'`.
/// async fn run(invoker: Arc<dyn Invoker>, name: &str, json: &str) -> Result<String, InvokeError> {
///     let (resource, method) = name.split_once('.').ok_or(InvokeError::UnknownMethod)?;
///     let mut input = invoker.input(resource, method).ok_or(InvokeError::UnknownMethod)?;
///     input.set_json(json);
///     invoker.call(input).await
/// }
/// ```
pub trait Invoker: Send + Sync {
    /// Returns the description of the resources, methods and types.
    fn descriptor(&self) -> &Descriptor;

    /// Returns the service that runs the calls. Its guard protects the endpoints for JSON-RPC and REST.
    fn service(&self) -> &Service;

    /// Creates an input for this method. It is an empty object until the caller fills it. Returns `None` if there is no
    /// such method.
    fn input(&self, resource: &str, method: &str) -> Option<MethodInput>;

    /// Calls the method for which the input was created. Returns the output as JSON text, or `null` if the method has no
    /// output.
    fn call(&self, input: MethodInput) -> Invocation;
}

/// The future of a call.
pub type Invocation = Pin<Box<dyn Future<Output = Result<String, InvokeError>> + Send>>;

/// The input of one call of a method, and its caller.
#[derive(Clone, Debug)]
pub struct MethodInput {
    /// The index of the method in the contract.
    method: usize,
    json: Cow<'static, str>,
    /// Whether the text is known to be a JSON object that is not nested too deeply.
    is_checked: bool,
    principal: Option<Principal>,
    room: Option<Room>,
}

/// The reason why a call has no output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvokeError {
    /// No method has this name.
    #[error("there is no such method")]
    UnknownMethod,
    /// The input is not JSON, or is nested more than 128 levels deep. The error says what is wrong, and where.
    #[error("the input is not JSON: {0}")]
    NotJson(String),
    /// The input does not match the schema: one text for each mistake.
    #[error("invalid input:\n- {}", .0.join("\n- "))]
    InvalidInput(Vec<String>),
    /// The call was refused before the method ran: the caller may not call the method, or a limit is reached.
    #[error("{0}")]
    Refused(RefusedCall),
    /// The method failed.
    #[error("{0}")]
    Failed(MethodError),
    /// The service has a fault: the method panicked or took too long, or its output cannot be written as JSON.
    #[error("{0}")]
    Internal(String),
}

/// The reason why a call was refused before its method ran: the caller may not call the method, or the server is full.
/// A layer of the server can also refuse a call.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", .0.message)]
pub struct RefusedCall(pub(crate) RpcError);

impl MethodInput {
    /// Sets the JSON text of the input, which must be an object. [`Invoker::call`] checks it.
    pub fn set_json(&mut self, json: impl Into<String>) {
        self.json = Cow::Owned(json.into());
        self.is_checked = false;
    }

    /// Sets the JSON text of the input, which the endpoint has written itself.
    #[allow(dead_code, reason = "only REST writes inputs")]
    pub(crate) fn set_checked_json(&mut self, json: String) {
        self.json = Cow::Owned(json);
        self.is_checked = true;
    }

    /// Returns the JSON text of the input.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Sets the caller, as your endpoint has authenticated it. Methods with `scopes` can be called only by a principal that
    /// was granted them. Default: a caller without an identity.
    pub fn set_principal(&mut self, principal: impl Into<Principal>) {
        self.principal = Some(principal.into());
    }

    /// Sets the capacity that the call shares with others. Default: no limit, because the application itself calls.
    pub(crate) fn set_room(&mut self, room: Room) {
        self.room = Some(room);
    }
}

impl Invoker for Contract {
    fn descriptor(&self) -> &Descriptor {
        &self.0.parts.descriptor
    }

    fn service(&self) -> &Service {
        &self.0.service
    }

    fn input(&self, resource: &str, method: &str) -> Option<MethodInput> {
        let is_meant = |known: &ContractMethod| *known.resource == *resource && known.method.name() == method;
        let method = self.0.parts.methods.iter().position(is_meant)?;
        Some(MethodInput { method, json: Cow::Borrowed("{}"), is_checked: true, principal: None, room: None })
    }

    fn call(&self, input: MethodInput) -> Invocation {
        Box::pin(Arc::clone(&self.0).run(input))
    }
}

impl<T: Invoker + ?Sized> Invoker for Arc<T> {
    fn descriptor(&self) -> &Descriptor {
        (**self).descriptor()
    }

    fn service(&self) -> &Service {
        (**self).service()
    }

    fn input(&self, resource: &str, method: &str) -> Option<MethodInput> {
        (**self).input(resource, method)
    }

    fn call(&self, input: MethodInput) -> Invocation {
        (**self).call(input)
    }
}

impl ServedContract {
    /// Runs a call that does not come from an MCP client. The method cannot ask questions.
    async fn run(self: Arc<Self>, input: MethodInput) -> Result<String, InvokeError> {
        let MethodInput { method, json, is_checked, principal, room } = input;
        let (tool, ContractMethod { method, described, .. }) = (&self.tools[method], &self.parts.methods[method]);
        if !is_checked {
            check(&json)?;
        }
        let peer = Peer::remote(DropNotifications::shared(), principal);
        let described = Some(Arc::clone(described));
        let call = LocalCall { service: &self.service, tool, described, arguments: &json, peer, room };
        let refused = |error| InvokeError::Refused(RefusedCall(error));
        let ended = call.run().await.map_err(|reason| match reason {
            NotBegun::Refused(error) => refused(error),
            NotBegun::Invalid(InvalidArguments::Unfit(violations)) => InvokeError::InvalidInput(violations.texts()),
            NotBegun::Invalid(InvalidArguments::Unread(reason)) => InvokeError::InvalidInput(vec![reason.to_string()]),
        })?;
        let outcome = match ended.round {
            Round::Done(outcome) => outcome,
            Round::Asks => {
                let reason = "the method asked the client, but the call has no client";
                return Err(InvokeError::Internal(reason.to_owned()));
            }
        };
        if let Some(error) = ended.error.filter(|error| self.is_of_method(error)) {
            let status = method.errors.and_then(|errors| (errors.status)(&error));
            return Err(InvokeError::Failed(MethodError { error, status }));
        }
        match outcome {
            Ok(result) if !result.is_error() => {
                result.structured.ok_or_else(|| InvokeError::Internal("the method has no output".to_owned()))
            }
            Ok(result) => Err(InvokeError::Internal(result.first_text().to_owned())),
            Err(error) if error.status() == OK => Err(InvokeError::Internal(error.message)),
            // A layer has rejected the call.
            Err(error) => Err(refused(error)),
        }
    }

    /// Returns whether an error is that of the method. Otherwise it is a fault of the service, or the decision of a
    /// layer.
    fn is_of_method(&self, error: &ToolError) -> bool {
        let has_layers = self.service.0.settings.layers.is_some();
        error.downcast_ref::<UnserializableOutput>().is_none() && !(has_layers && Rejection::of(error).is_some())
    }
}

/// Checks that the text is a JSON object and is not nested too deeply. The engine requires this.
fn check(json: &str) -> Result<(), InvokeError> {
    let mut scanner = Scanner::new(json);
    let scanned = scanner.value().and_then(|input| scanner.end().map(|()| input));
    match scanned {
        Ok(input) if input.starts_with('{') => Ok(()),
        Ok(_) => Err(InvokeError::InvalidInput(vec!["the input must be an object".to_owned()])),
        Err(error) => Err(InvokeError::NotJson(error.to_string())),
    }
}

impl RefusedCall {
    /// Returns the HTTP status: 403 if the caller lacks a scope, 429 or 503 if a limit is reached, 501 if the method
    /// needs a client that answers questions, or the status that a layer has chosen.
    pub fn status(&self) -> u16 {
        match self.0.code {
            MISSING_CAPABILITY => 501,
            _ => self.0.status(),
        }
    }

    /// Returns the time after which the caller can try again, if trying again can help.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after()
    }

    /// Returns the scopes that the method needs, if the caller lacks one of them.
    pub fn required_scopes(&self) -> &[Cow<'static, str>] {
        self.0.required_scopes()
    }
}
