//! Handles requests: parses the body of a request, calls the methods, and writes the body of the response.

use std::{collections::HashMap, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    http::{StatusCode, request::Parts},
    response::{IntoResponse as _, Response},
};
use serde_json::value::{RawValue, to_raw_value};

use super::{
    Options,
    batch::run_all,
    error::ErrorObject,
    openrpc,
    request::{NotRequest, RpcParams, RpcRequest, invalid_params},
    response::{RpcResponse, failed, of_batch, of_refused},
};
use crate::{
    apps::contract::{
        InvokeError, Invoker, MethodInput, RefusedCall,
        endpoint::{call, read_json},
    },
    serve::{http::guard::Guard, server::BuildError},
    wire::protocol::{
        error::{INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR},
        text::shortened,
    },
};

pub(super) struct RpcEndpoint {
    contract: Arc<dyn Invoker>,
    /// The methods by their full names.
    methods: HashMap<String, RpcMethod>,
    /// The OpenRPC document.
    document: Box<RawValue>,
    guard: Guard,
    options: Options,
}

struct RpcMethod {
    /// The empty input of the method.
    input: MethodInput,
    /// The names of the input's fields, in the order of positional params. `None` if the schema of the input does not
    /// list fields.
    fields: Option<Vec<String>>,
}

/// The reason why a call has no result.
enum NoResult {
    Failed(ErrorObject),
    Refused(RefusedCall),
}

impl RpcEndpoint {
    /// Creates the endpoint.
    ///
    /// # Errors
    /// Returns an error if a method needs scopes, but the endpoint cannot establish who calls.
    pub(super) fn new(contract: Arc<dyn Invoker>, options: Options) -> Result<Self, BuildError> {
        let guard = options.guard(&*contract, "the JSON-RPC endpoint")?.render(of_refused);
        let descriptor = contract.descriptor();
        let mut methods = HashMap::new();
        for (resource, method) in descriptor.methods() {
            let Some(input) = contract.input(&resource.name, &method.name) else { continue };
            let fields = openrpc::ordered_fields(descriptor, method);
            let fields = fields.map(|fields| fields.iter().map(|field| field.name.to_owned()).collect());
            methods.insert(format!("{}.{}", resource.name, method.name), RpcMethod { input, fields });
        }
        let document = to_raw_value(&openrpc::document(descriptor)).unwrap_or_default();
        Ok(Self { contract, methods, document, guard, options })
    }

    /// Answers a request at the endpoint.
    pub(super) async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        self.guard.around(Arc::new(parts), None, |parts| self.answer(parts, body)).await
    }

    /// Answers a request for the OpenRPC document.
    pub(super) async fn describe(&self, request: Request) -> Response {
        let document = async |_| RpcResponse::document(self.document.clone());
        self.guard.around(Arc::new(request.into_parts().0), None, document).await
    }

    /// Answers a request with another verb than `POST`. The guard answers preflight requests of web pages.
    pub(super) async fn not_allowed(&self, request: Request) -> Response {
        let reason = "requests are sent with `POST`";
        let answer = async |_| failed(StatusCode::METHOD_NOT_ALLOWED, &ErrorObject::new(INVALID_REQUEST, reason));
        self.guard.around(Arc::new(request.into_parts().0), None, answer).await
    }

    async fn answer(&self, parts: Arc<Parts>, body: Body) -> Response {
        let text = match read_json(&self.guard, body, &parts).await {
            Ok(text) => text,
            Err(refused) => return refused,
        };
        let not_json = |error: serde_json::Error| {
            let reason = format!("the body is not JSON: {error}");
            failed(StatusCode::BAD_REQUEST, &ErrorObject::new(PARSE_ERROR, reason))
        };
        if text.trim_ascii_start().starts_with('[') {
            match serde_json::from_str::<Vec<&RawValue>>(&text) {
                Ok(messages) => self.batch(&messages, &parts).await,
                Err(error) => not_json(error),
            }
        } else {
            match serde_json::from_str::<&RawValue>(&text) {
                Ok(message) => self.one(message.get(), &parts).await.map_or_else(nothing, RpcResponse::into_response),
                Err(error) => not_json(error),
            }
        }
    }

    /// Answers a batch with the array of responses, or with an empty body if the batch has only notifications.
    async fn batch(&self, messages: &[&RawValue], parts: &Parts) -> Response {
        let most = self.options.own.max_batch;
        let invalid = |reason| RpcResponse::error("null", &ErrorObject::new(INVALID_REQUEST, reason)).into_response();
        if messages.is_empty() {
            return invalid("the batch is empty".to_owned());
        }
        if messages.len() > most {
            return invalid(format!("the batch has {} requests; the limit is {most}", messages.len()));
        }
        let calls = messages.iter().map(|message| Box::pin(self.one(message.get(), parts)) as _).collect();
        let responses = run_all(calls).await;
        let bytes = responses.iter().map(RpcResponse::len).sum();
        match self.options.check_reply("a batch", bytes) {
            _ if responses.is_empty() => nothing(),
            Ok(()) => of_batch(responses),
            Err(reason) => RpcResponse::error("null", &ErrorObject::new(INTERNAL_ERROR, reason)).into_response(),
        }
    }

    /// Returns the response to a message. Returns `None` for a notification.
    async fn one(&self, text: &str, parts: &Parts) -> Option<RpcResponse> {
        let RpcRequest { id, method, params } = match RpcRequest::read(text) {
            Ok(request) => request,
            Err(NotRequest { id, error }) => return Some(RpcResponse::error(id, &error)),
        };
        let outcome = self.call(&method, &params, parts).await;
        let id = id?;
        Some(match outcome {
            Ok(result) => match self.options.check_reply(&method, result.get().len()) {
                Ok(()) => RpcResponse::result(id, result),
                Err(reason) => RpcResponse::error(id, &ErrorObject::new(INTERNAL_ERROR, reason)),
            },
            Err(NoResult::Failed(error)) => RpcResponse::error(id, &error),
            Err(NoResult::Refused(refusal)) => RpcResponse::refused(id, refusal),
        })
    }

    async fn call(&self, name: &str, params: &RpcParams<'_>, parts: &Parts) -> Result<Box<RawValue>, NoResult> {
        let failed = NoResult::Failed;
        if name == "rpc.discover" {
            return Ok(self.document.clone());
        }
        let not_found = || ErrorObject::new(METHOD_NOT_FOUND, format!("there is no method `{}`", shortened(name)));
        let method = self.methods.get(name).ok_or_else(|| failed(not_found()))?;
        let mut input = method.input.clone();
        input.set_json(params.input(method.fields.as_deref()).map_err(failed)?);
        call(&*self.contract, input, &self.guard, parts).await.map_err(|error| match error {
            InvokeError::Failed(error) => failed(self.options.error_of(&error)),
            InvokeError::Refused(refusal) => NoResult::Refused(refusal),
            InvokeError::NotJson(_) => failed(invalid_params(&[error.to_string()])),
            InvokeError::InvalidInput(mistakes) => failed(invalid_params(&mistakes)),
            InvokeError::UnknownMethod => failed(not_found()),
            InvokeError::Internal(reason) => failed(ErrorObject::new(INTERNAL_ERROR, reason)),
        })
    }
}

fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
