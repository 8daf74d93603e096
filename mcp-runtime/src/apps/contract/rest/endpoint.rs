//! Serves one method of a contract at its route.

use std::{borrow::Cow, sync::Arc};

use axum::{
    body::{Body, Bytes, HttpBody as _},
    extract::{FromRequestParts as _, OriginalUri, RawPathParams, Request},
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_TYPE, LOCATION},
        request::Parts,
    },
    response::{IntoResponse as _, Response},
};

use super::{Options, ProblemDetails, input::InputReader};
use crate::{
    apps::contract::{
        InvokeError, Invoker, MethodDescriptor, MethodInput, ResourceDescriptor,
        endpoint::{call, text_of},
    },
    serve::http::guard::Guard,
    wire::protocol::scan::{Scanner, read_string},
};

pub(super) struct RestEndpoint {
    contract: Arc<dyn Invoker>,
    /// The empty input of the method.
    input: MethodInput,
    reader: InputReader,
    status: StatusCode,
    has_output: bool,
    /// The full name of the method, for reports.
    name: String,
    /// The name of an output field, such as `id`. Its value is the last part of the new item's path.
    location: Option<String>,
    guard: Guard,
    options: Arc<Options>,
}

impl RestEndpoint {
    /// Creates the route of a method. Returns `None` if the contract has no such method.
    pub(super) fn new(
        contract: &Arc<dyn Invoker>,
        resource: &ResourceDescriptor,
        method: &MethodDescriptor,
        guard: &Guard,
        options: &Arc<Options>,
    ) -> Option<Self> {
        Some(Self {
            name: format!("{}.{}", resource.name, method.name),
            guard: guard.clone(),
            input: contract.input(&resource.name, &method.name)?,
            reader: InputReader::new(method, contract.descriptor()),
            status: StatusCode::from_u16(method.http.status).unwrap_or_default(),
            has_output: method.has_output(),
            location: location(resource, method).map(str::to_owned),
            options: Arc::clone(options),
            contract: Arc::clone(contract),
        })
    }

    /// Answers a request to the route.
    pub(super) fn respond(self: Arc<Self>, request: Request) -> impl Future<Output = Response> {
        let (parts, body) = request.into_parts();
        let parts = Arc::new(parts);
        async move {
            let answer = async |mut parts| match self.output(&mut parts, body).await {
                Ok(output) => self.success(&parts, output),
                Err(response) => response,
            };
            self.guard.around(parts, None, answer).await
        }
    }

    /// Returns the output of the method, or the response to a request that has no output.
    async fn output(&self, parts: &mut Arc<Parts>, body: Body) -> Result<String, Response> {
        let input = self.input(parts, body).await?;
        call(&*self.contract, input, &self.guard, parts).await.map_err(|error| self.failure(error))
    }

    /// Returns the input of the method, or the response to a request that has none.
    async fn input(&self, parts: &mut Arc<Parts>, body: Body) -> Result<MethodInput, Response> {
        let params = self.path(Arc::make_mut(parts)).await.map_err(ProblemDetails::into_response)?;
        // A request without a body needs no content type.
        let body = match !self.reader.has_body || body.is_end_stream() {
            true => Bytes::new(),
            false => self.guard.read_json(body, parts, None).await?,
        };
        // If this router is nested in another path, the values of that path come first.
        let outer = params.iter().flatten().count().saturating_sub(self.reader.path.len());
        let path = params.iter().flatten().skip(outer).map(|(_, value)| value);
        let mut input = self.input.clone();
        if self.reader.has_body {
            let text = text_of(&body).map_err(|error| self.guard.refuse(error.into()))?;
            let text = if text.trim_ascii().is_empty() { "{}" } else { text };
            input.set_json(self.reader.with_body(path, text));
            return Ok(input);
        }
        let text = self.reader.with_query(path, parts.uri.query().unwrap_or_default());
        match self.reader.takes_json {
            true => input.set_json(text),
            // The reader has written every value itself.
            false => input.set_checked_json(text),
        }
        Ok(input)
    }

    /// Returns the parameters of the path, if the path of the method has any.
    async fn path(&self, parts: &mut Parts) -> Result<Option<RawPathParams>, ProblemDetails> {
        if self.reader.path.is_empty() {
            return Ok(None);
        }
        let params = RawPathParams::from_request_parts(parts, &()).await;
        params.map(Some).map_err(|_| ProblemDetails::new(400).detail("the path is not UTF-8"))
    }

    fn success(&self, parts: &Parts, output: String) -> Response {
        if !self.has_output {
            return self.status.into_response();
        }
        if let Err(reason) = self.options.check_reply(&self.name, output.len()) {
            return ProblemDetails::new(500).detail(reason).into_response();
        }
        let location = self.location.as_ref().and_then(|field| location_of(parts, &output, field));
        let mut response = Response::new(Body::from(output));
        *response.status_mut() = self.status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        location.into_iter().for_each(|location| drop(response.headers_mut().insert(LOCATION, location)));
        response
    }

    fn failure(&self, error: InvokeError) -> Response {
        let problem = match error {
            InvokeError::Refused(refusal) => return self.guard.refuse(refusal.into_refused()),
            InvokeError::Failed(error) => (self.options.error_mapper)(&error),
            InvokeError::NotJson(_) => ProblemDetails::of(StatusCode::BAD_REQUEST).detail(error.to_string()),
            InvokeError::InvalidInput(mistakes) => ProblemDetails::of(StatusCode::UNPROCESSABLE_ENTITY)
                .detail("the input does not fit the schema")
                .member("errors", mistakes),
            InvokeError::UnknownMethod => ProblemDetails::of(StatusCode::NOT_FOUND),
            InvokeError::Internal(reason) => ProblemDetails::of(StatusCode::INTERNAL_SERVER_ERROR).detail(reason),
        };
        problem.into_response()
    }
}

/// Returns the last parameter of the path of `get`, if the rest of that path is the path of this method. For `POST
/// /todos` and `GET /todos/{id}`, returns `id`.
fn location<'a>(resource: &'a ResourceDescriptor, method: &MethodDescriptor) -> Option<&'a str> {
    let get = resource.methods.iter().find(|other| other.name == "get" && other.http.verb == "GET")?;
    let end = get.http.path.strip_prefix(&method.http.path)?;
    let field = end.strip_prefix("/{")?.strip_suffix('}')?;
    Some(field).filter(|_| method.http.status == 201 && !field.contains('/'))
}

fn location_of(parts: &Parts, output: &str, field: &str) -> Option<HeaderValue> {
    let mut value = None;
    let mut scanner = Scanner::new(output);
    let found = scanner.object(|scanner, name| {
        let member = scanner.value()?;
        value = if name == field { Some(member) } else { value };
        Ok(())
    });
    let value = found.ok().and(value)?;
    let id = match value.as_bytes().first()? {
        b'"' => read_string(value)?,
        b'-' | b'0'..=b'9' => Cow::Borrowed(value),
        _ => return None,
    };
    // A path with one of these parts is another path.
    if matches!(&*id, "" | "." | "..") {
        return None;
    }
    // The path as the client wrote it, even if this router is nested in another.
    let path = parts.extensions.get::<OriginalUri>().map_or(parts.uri.path(), |uri| uri.path());
    let id: String = form_urlencoded::byte_serialize(id.as_bytes()).collect();
    // A space is `+` in forms, but `%20` in paths.
    HeaderValue::from_str(&format!("{}/{}", path.trim_end_matches('/'), id.replace('+', "%20"))).ok()
}
