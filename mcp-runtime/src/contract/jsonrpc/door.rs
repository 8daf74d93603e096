//! Handles requests: parses the body of a request, calls the methods, and writes the body of the response.

use std::{collections::HashMap, sync::Arc};

use axum::{
    extract::Request,
    http::{HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use serde_json::value::RawValue;

use super::{
    Options,
    batch::run_all,
    error::ErrorObject,
    openrpc,
    request::{NotRequest, RpcParams, RpcRequest, invalid_params},
};
use crate::{
    contract::{
        InvokeError, Invoker, MethodInput,
        body::{self, BadBody},
    },
    protocol::{
        error::{INTERNAL_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR},
        text::shortened,
    },
};

pub(super) struct RpcDoor {
    contract: Arc<dyn Invoker>,
    /// The methods by their full names.
    methods: HashMap<String, RpcMethod>,
    /// The OpenRPC document.
    pub(super) document: Arc<str>,
    options: Options,
}

struct RpcMethod {
    /// The empty input of the method.
    input: MethodInput,
    /// The names of the input's fields, in the order of positional params. `None` if the schema of the input does not
    /// list fields.
    fields: Option<Vec<String>>,
}

impl RpcDoor {
    pub(super) fn new(contract: Arc<dyn Invoker>, options: Options) -> Self {
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
        Self { contract, methods, document, options }
    }

    pub(super) async fn respond(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let bytes = match body::read(&parts.headers, body, self.options.max_body_size).await {
            Ok(bytes) => bytes,
            Err(bad) => return refused(bad.status(), &of_body(bad)),
        };
        let Ok(text) = std::str::from_utf8(&bytes) else {
            return refused(StatusCode::BAD_REQUEST, &of_body(BadBody::NotText));
        };
        let reply = if text.trim_ascii_start().starts_with('[') {
            match serde_json::from_str::<Vec<&RawValue>>(text) {
                Ok(messages) => self.batch(&messages).await,
                Err(error) => return refused(StatusCode::BAD_REQUEST, &not_json(&error)),
            }
        } else {
            match serde_json::from_str::<&RawValue>(text) {
                Ok(message) => self.one(message.get()).await,
                Err(error) => return refused(StatusCode::BAD_REQUEST, &not_json(&error)),
            }
        };
        match reply {
            Some(reply) => json(StatusCode::OK, reply),
            None => StatusCode::NO_CONTENT.into_response(),
        }
    }

    /// Returns the array of responses. Returns `None` if the batch has only notifications.
    async fn batch(&self, messages: &[&RawValue]) -> Option<String> {
        let most = self.options.max_batch;
        if messages.is_empty() {
            return Some(ErrorObject::new(INVALID_REQUEST, "the batch is empty").response("null"));
        }
        if messages.len() > most {
            let reason = format!("the batch has {} requests; the limit is {most}", messages.len());
            return Some(ErrorObject::new(INVALID_REQUEST, reason).response("null"));
        }
        let responses = run_all(messages.iter().map(|message| Box::pin(self.one(message.get())) as _).collect()).await;
        (!responses.is_empty()).then(|| format!("[{}]", responses.join(",")))
    }

    /// Returns the response to a message. Returns `None` for a notification.
    async fn one(&self, text: &str) -> Option<String> {
        let RpcRequest { id, method, params } = match RpcRequest::read(text) {
            Ok(request) => request,
            Err(NotRequest { id, error }) => return Some(error.response(id)),
        };
        let outcome = self.call(&method, &params).await;
        let id = id?;
        Some(match outcome {
            Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{}}}"#, result.get()),
            Err(error) => error.response(id),
        })
    }

    async fn call(&self, name: &str, params: &RpcParams<'_>) -> Result<Box<RawValue>, ErrorObject> {
        if name == "rpc.discover" {
            return RawValue::from_string(self.document.to_string())
                .map_err(|error| ErrorObject::new(INTERNAL_ERROR, error.to_string()));
        }
        let not_found = || ErrorObject::new(METHOD_NOT_FOUND, format!("there is no method `{}`", shortened(name)));
        let method = self.methods.get(name).ok_or_else(not_found)?;
        let mut input = method.input.clone();
        input.set_json(params.input(method.fields.as_deref())?);
        self.contract.call(input).await.map_err(|error| match error {
            InvokeError::Failed(error) => (self.options.error_mapper)(&error),
            InvokeError::NotJson(_) => invalid_params([error.to_string()]),
            InvokeError::InvalidInput(mistakes) => {
                invalid_params(mistakes.lines().map(|line| line.trim_start_matches("- ").to_owned()))
            }
            InvokeError::UnknownMethod => not_found(),
            InvokeError::Internal(reason) => ErrorObject::new(INTERNAL_ERROR, reason),
        })
    }
}

fn of_body(bad: BadBody) -> ErrorObject {
    let code = match bad {
        BadBody::WrongType | BadBody::TooLarge(_) => INVALID_REQUEST,
        BadBody::Broken | BadBody::NotText => PARSE_ERROR,
    };
    ErrorObject::new(code, bad.message())
}

fn not_json(error: &serde_json::Error) -> ErrorObject {
    ErrorObject::new(PARSE_ERROR, format!("the body is not JSON: {error}"))
}

fn refused(status: StatusCode, error: &ErrorObject) -> Response {
    json(status, error.response("null"))
}

fn json(status: StatusCode, body: String) -> Response {
    (status, [(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
