//! Handles requests: parses the body of a request, calls the methods, and writes the body of the response.

use std::{collections::HashMap, sync::Arc};

use axum::{
    body::Body,
    extract::Request,
    http::{StatusCode, request::Parts},
    response::{IntoResponse as _, Response},
};
use serde::de::IgnoredAny;
use serde_json::{json, value::RawValue};

use super::{
    Options, openrpc,
    request::{RpcParams, RpcRequest},
    response::{ErrorObject, RpcResponse, failed, json_reply, of_refused, run_all},
};
use crate::{
    apps::contract::{
        InvokeError, Invoker, MethodInput,
        endpoint::{call, text_of},
    },
    serve::{http::guard::Guard, server::BuildError},
    wire::protocol::{
        error::{INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR},
        text::shortened,
    },
};

pub(super) struct RpcEndpoint {
    contract: Arc<dyn Invoker>,
    /// The methods by their full names.
    methods: HashMap<String, RpcMethod>,
    /// The OpenRPC document.
    pub(super) document: String,
    pub(super) guard: Guard,
    options: Options,
}

struct RpcMethod {
    /// The empty input of the method.
    input: MethodInput,
    /// The names of the input's fields, in the order of positional params. `None` if the schema of the input does not
    /// list fields.
    fields: Option<Vec<String>>,
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
        let document = openrpc::document(descriptor).to_string();
        Ok(Self { contract, methods, document, guard, options })
    }

    /// Answers a request at the endpoint.
    pub(super) fn respond(self: Arc<Self>, request: Request) -> impl Future<Output = Response> {
        let (parts, body) = request.into_parts();
        let parts = Arc::new(parts);
        async move { self.guard.around(parts, None, |parts| self.answer(parts, body)).await }
    }

    async fn answer(&self, parts: Arc<Parts>, body: Body) -> Response {
        let body = match self.guard.read_json(body, &parts, None).await {
            Ok(body) => body,
            Err(refused) => return refused,
        };
        let text = match text_of(&body) {
            Ok(text) => text,
            Err(error) => return self.guard.refuse(error.into()),
        };
        let answered = match text.trim_start_matches([' ', '\t', '\r', '\n']) {
            batch if batch.starts_with('[') => self.batch(text, &parts).await,
            message => self.message(message, text, &parts).await,
        };
        answered.unwrap_or_else(|error| {
            let reason = format!("the body is not JSON: {error}");
            failed(StatusCode::BAD_REQUEST, &ErrorObject::new(PARSE_ERROR, reason))
        })
    }

    /// Answers a message that is alone in the `body`.
    ///
    /// # Errors
    /// Returns an error if the body is not JSON.
    async fn message(&self, message: &str, body: &str, parts: &Parts) -> Result<Response, serde_json::Error> {
        let response = match RpcRequest::read(message) {
            Ok(request) => self.request(request, parts).await,
            Err(invalid) => {
                serde_json::from_str::<IgnoredAny>(body)?;
                Some(invalid.into())
            }
        };
        Ok(response.map_or_else(nothing, RpcResponse::into_response))
    }

    /// Answers a batch with the array of responses, or with an empty body if the batch has only notifications.
    ///
    /// # Errors
    /// Returns an error if the batch is not JSON.
    async fn batch(&self, batch: &str, parts: &Parts) -> Result<Response, serde_json::Error> {
        let messages: Vec<&RawValue> = serde_json::from_str(batch)?;
        let most = self.options.own.max_batch;
        let invalid =
            |reason| Ok(RpcResponse::error("null", &ErrorObject::new(INVALID_REQUEST, reason)).into_response());
        if messages.is_empty() {
            return invalid("the batch is empty".to_owned());
        }
        if messages.len() > most {
            return invalid(format!("the batch has {} requests; the limit is {most}", messages.len()));
        }
        let calls = messages.iter().map(|message| Box::pin(self.one(message.get(), parts)) as _).collect();
        let responses = run_all(calls).await;
        if responses.is_empty() {
            return Ok(nothing());
        }
        let texts: Vec<_> = responses.iter().map(|response| &*response.text).collect();
        Ok(match self.options.check_reply("a batch", texts.iter().map(|text| text.len()).sum()) {
            Ok(()) => json_reply(StatusCode::OK, format!("[{}]", texts.join(","))),
            Err(reason) => RpcResponse::error("null", &ErrorObject::new(INTERNAL_ERROR, reason)).into_response(),
        })
    }

    /// Returns the response to a message of a batch. Returns `None` for a notification.
    async fn one(&self, message: &str, parts: &Parts) -> Option<RpcResponse> {
        match RpcRequest::read(message) {
            Ok(request) => self.request(request, parts).await,
            Err(invalid) => Some(invalid.into()),
        }
    }

    /// Returns the response to a request. Returns `None` for a notification.
    async fn request(&self, request: RpcRequest<'_>, parts: &Parts) -> Option<RpcResponse> {
        let RpcRequest { id, method, params } = request;
        let error = match self.call(&method, &params, parts).await {
            Ok(result) => {
                let id = id?;
                match self.options.check_reply(&method, result.len()) {
                    Ok(()) => return Some(RpcResponse::result(id, &result)),
                    Err(reason) => ErrorObject::new(INTERNAL_ERROR, reason),
                }
            }
            Err(InvokeError::Refused(refusal)) => return Some(RpcResponse::refused(id?, refusal)),
            Err(InvokeError::Failed(error)) => (self.options.error_mapper)(&error),
            Err(error @ InvokeError::NotJson(_)) => invalid_params(&[error.to_string()]),
            Err(InvokeError::InvalidInput(mistakes)) => invalid_params(&mistakes),
            Err(InvokeError::UnknownMethod) => {
                ErrorObject::new(METHOD_NOT_FOUND, format!("there is no method `{}`", shortened(&method)))
            }
            Err(InvokeError::Internal(reason)) => ErrorObject::new(INTERNAL_ERROR, reason),
        };
        Some(RpcResponse::error(id?, &error))
    }

    async fn call(&self, name: &str, params: &RpcParams<'_>, parts: &Parts) -> Result<String, InvokeError> {
        if name == "rpc.discover" {
            return Ok(self.document.clone());
        }
        let method = self.methods.get(name).ok_or(InvokeError::UnknownMethod)?;
        let mut input = method.input.clone();
        input.set_json(params.input(method.fields.as_deref())?);
        call(&*self.contract, input, &self.guard, parts).await
    }
}

/// Returns the error for params with these mistakes.
fn invalid_params(mistakes: &[String]) -> ErrorObject {
    ErrorObject::new(INVALID_PARAMS, "the params do not fit the schema").with_data(json!({ "errors": mistakes }))
}

fn nothing() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
