//! Handles requests: parses the body of a request, calls the methods, and writes the body of the response.

use std::{collections::HashMap, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    http::{StatusCode, request::Parts},
    response::{IntoResponse as _, Response},
};
use serde_json::value::RawValue;

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
        endpoint::{is_json, set_caller},
    },
    serve::{http::guard::Guard, server::BuildError},
    wire::protocol::{
        error::{INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR},
        text::shortened,
    },
};

pub(super) struct RpcDoor {
    contract: Arc<dyn Invoker>,
    /// The methods by their full names.
    methods: HashMap<String, RpcMethod>,
    /// The OpenRPC document.
    document: Arc<str>,
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

impl RpcDoor {
    /// Creates the door.
    ///
    /// # Errors
    /// Returns an error if a method needs scopes, but the door cannot establish who calls.
    pub(super) fn new(contract: Arc<dyn Invoker>, options: Options) -> Result<Self, BuildError> {
        let guard = options.endpoint.guard(&*contract, "the JSON-RPC endpoint", of_refused)?;
        let descriptor = contract.descriptor();
        let mut methods = HashMap::new();
        for resource in &descriptor.resources {
            for method in &resource.methods {
                let Some(input) = contract.input(&resource.name, &method.name) else { continue };
                let fields = openrpc::ordered_fields(descriptor, method);
                let fields = fields.map(|fields| fields.iter().map(|field| field.name.to_owned()).collect());
                methods.insert(format!("{}.{}", resource.name, method.name), RpcMethod { input, fields });
            }
        }
        let document = openrpc::document(descriptor).to_string().into();
        Ok(Self { contract, methods, document, guard, options })
    }

    /// Answers a request at the endpoint.
    pub(super) async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        self.guard.around(Arc::new(parts), None, |parts| self.answer(parts, body)).await
    }

    /// Answers a request for the OpenRPC document.
    pub(super) async fn describe(&self, request: Request) -> Response {
        let document = async |_| RpcResponse::document(&self.document);
        self.guard.around(Arc::new(request.into_parts().0), None, document).await
    }

    /// Answers a request with another verb than `POST`. The guard answers preflight requests of web pages.
    pub(super) async fn not_allowed(&self, request: Request) -> Response {
        let reason = "requests are sent with `POST`";
        let answer = async |_| failed(StatusCode::METHOD_NOT_ALLOWED, &ErrorObject::new(INVALID_REQUEST, reason));
        self.guard.around(Arc::new(request.into_parts().0), None, answer).await
    }

    async fn answer(&self, parts: Arc<Parts>, body: Body) -> Response {
        if !is_json(&parts.headers) {
            let reason = "the body must be JSON; send `Content-Type: application/json`";
            return failed(StatusCode::UNSUPPORTED_MEDIA_TYPE, &ErrorObject::new(INVALID_REQUEST, reason));
        }
        let bytes = match self.guard.read_plain(body, &parts, None).await {
            Ok(bytes) => bytes,
            Err(refused) => return refused,
        };
        let unreadable = |reason| failed(StatusCode::BAD_REQUEST, &ErrorObject::new(PARSE_ERROR, reason));
        let Ok(text) = std::str::from_utf8(&bytes) else { return unreadable("the body is not UTF-8".to_owned()) };
        let not_json = |error: serde_json::Error| unreadable(format!("the body is not JSON: {error}"));
        if text.trim_ascii_start().starts_with('[') {
            match serde_json::from_str::<Vec<&RawValue>>(text) {
                Ok(messages) => self.batch(&messages, &parts).await,
                Err(error) => not_json(error),
            }
        } else {
            match serde_json::from_str::<&RawValue>(text) {
                Ok(message) => self.one(message.get(), &parts).await.map_or_else(nothing, RpcResponse::into_response),
                Err(error) => not_json(error),
            }
        }
    }

    /// Answers a batch with the array of responses, or with an empty body if the batch has only notifications.
    async fn batch(&self, messages: &[&RawValue], parts: &Parts) -> Response {
        let most = self.options.max_batch;
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
        match self.options.endpoint.check_reply("a batch", bytes) {
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
            Ok(result) => match self.options.endpoint.check_reply(&method, result.get().len()) {
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
            return RawValue::from_string(self.document.to_string())
                .map_err(|error| failed(ErrorObject::new(INTERNAL_ERROR, error.to_string())));
        }
        let not_found = || ErrorObject::new(METHOD_NOT_FOUND, format!("there is no method `{}`", shortened(name)));
        let method = self.methods.get(name).ok_or_else(|| failed(not_found()))?;
        let mut input = method.input.clone();
        input.set_json(params.input(method.fields.as_deref()).map_err(failed)?);
        set_caller(&mut input, &self.guard, parts);
        self.contract.call(input).await.map_err(|error| match error {
            InvokeError::Failed(error) => failed((self.options.error_mapper)(&error)),
            InvokeError::Refused(refusal) => NoResult::Refused(refusal),
            InvokeError::NotJson(_) => failed(invalid_params([error.to_string()])),
            InvokeError::InvalidInput(mistakes) => {
                failed(invalid_params(mistakes.lines().map(|line| line.trim_start_matches("- ").to_owned())))
            }
            InvokeError::UnknownMethod => failed(not_found()),
            InvokeError::Internal(reason) => failed(ErrorObject::new(INTERNAL_ERROR, reason)),
        })
    }
}

fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
