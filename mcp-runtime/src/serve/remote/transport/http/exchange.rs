//! The requests of a connection, and the streams of their responses.

use std::{sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{
    HeaderName, HeaderValue, Method, Request, Response, StatusCode,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST},
};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use tokio::time::{sleep, timeout};

use super::{
    authorizes::RefusedAuthorization,
    events::EventReader,
    message::{MessageHead, is_response_to},
    reply::{answer, is_stream, refused, text_of},
    url::Endpoint,
};
use crate::{
    base::mutex::Mutex,
    serve::remote::transport::{TransferError, queue::QueueSender},
    wire::protocol::revision::Revision,
};

static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// If a stream ends early, the client resumes it. After this many tries in a row without a new event, the client fails.
const RESUMES: u32 = 5;

/// How long a client waits before it resumes a stream, unless the server says it, and the longest time.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long the end of a stream may take after its last message. The connection is used again afterwards.
const ENDING: Duration = Duration::from_secs(1);

/// What the tasks of a connection share.
pub(super) struct SharedConnection {
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) revision: Mutex<Revision>,
    pub(super) session: Mutex<Option<HeaderValue>>,
    pub(super) tell: QueueSender<Heard>,
    #[cfg(feature = "dev")]
    pub(super) observer: std::sync::OnceLock<Arc<dyn super::super::observed::HttpObserver>>,
}

/// A message that the client received, and the id of the request to which the message belongs.
pub(super) struct Heard {
    pub(super) request: Option<u64>,
    /// Whether the request is over.
    pub(super) is_last: bool,
    /// The message, or the reason why none was received.
    pub(super) said: Result<String, TransferError>,
}

impl SharedConnection {
    pub(super) fn revision(&self) -> Revision {
        *self.revision.lock()
    }

    /// Sends a request, and reads messages from the returned stream until the response arrives.
    pub(super) async fn exchange(&self, request: Request<Full<Bytes>>, id: u64) {
        if let Err(why) = self.try_exchange(request, id).await {
            self.tell(Some(id), true, Err(why)).await;
        }
    }

    async fn try_exchange(&self, request: Request<Full<Bytes>>, id: u64) -> Result<(), TransferError> {
        let is_of_session = request.headers().contains_key(&SESSION);
        let response = self.send(request).await?;
        #[cfg(feature = "dev")]
        if let Some(observer) = self.observer.get() {
            observer.answered(&id.to_string(), response.status(), response.headers());
        }
        if let Some(session) = response.headers().get(&SESSION) {
            *self.session.lock() = Some(session.clone());
        }
        if !is_stream(&response) {
            let status = response.status();
            let text = self.text_of(response).await?;
            if is_of_session && status == StatusCode::NOT_FOUND {
                // The session is over, whatever the body says. The client must begin another one.
                return Err(refused(status, &text));
            }
            self.tell(Some(id), true, Ok(answer(status, text, id)?)).await;
            return Ok(());
        }
        let mut events = EventReader::with_limit(self.endpoint.max_message);
        let mut answered = self.hear(response, &mut events, Some(id)).await?;
        let mut left = RESUMES;
        while !answered {
            events.resume();
            let Some(last_id) = events.last_id.clone().filter(|_| left > 0 && !self.revision().is_modern()) else {
                let why = "the server has ended the stream of a request without a response";
                return Err(TransferError::Broken(why.to_owned()));
            };
            left -= 1;
            sleep(pause(&events, PAUSE)).await;
            let response = match self.send(self.get(Some(&last_id))).await {
                // The request was sent, and only its stream is not reached.
                Err(TransferError::Unreachable(_)) => continue,
                response => response?,
            };
            if !is_stream(&response) {
                return Err(refused(response.status(), &self.text_of(response).await?));
            }
            answered = self.hear(response, &mut events, Some(id)).await?;
            if events.last_id.as_deref() != Some(&*last_id) {
                left = RESUMES;
            }
        }
        Ok(())
    }

    /// Reads the stream of the session for as long as the server has one. The messages on this stream belong to no
    /// request.
    pub(super) async fn listen(&self) {
        let mut events = EventReader::with_limit(self.endpoint.max_message);
        let mut left = RESUMES;
        while left > 0 {
            match self.send(self.get(events.last_id.as_deref())).await {
                Ok(response) if is_stream(&response) => {
                    left = RESUMES;
                    // A message above the limit is left out, because no request waits for it.
                    let _ = self.hear(response, &mut events, None).await;
                    events.resume();
                }
                // The server has no such stream.
                Ok(_) => return,
                Err(_) => left -= 1,
            }
            sleep(pause(&events, 10 * PAUSE)).await;
        }
    }

    /// Forwards the messages of a stream until the response to `id` arrives. Returns whether it did.
    async fn hear(
        &self,
        response: Response<Incoming>,
        events: &mut EventReader,
        id: Option<u64>,
    ) -> Result<bool, TransferError> {
        let mut body = response.into_body();
        while let Some(Ok(frame)) = body.frame().await {
            let read = frame.data_ref().map(|bytes| events.read(bytes)).unwrap_or_default();
            if events.is_cut {
                return Err(TransferError::TooLong { limit: self.endpoint.max_message });
            }
            for data in read {
                let is_last = id.is_some_and(|id| is_response_to(&data, id));
                self.tell(id, is_last, Ok(data)).await;
                if is_last {
                    let rest = async { while let Some(Ok(_)) = body.frame().await {} };
                    // If the server does not end the stream, the connection is closed.
                    let _ = timeout(ENDING, rest).await;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Sends a request. If the server refuses its authorization, sends it once more with another one.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>, TransferError> {
        let client = self.endpoint.client();
        let Some(authorization) = self.endpoint.authorization() else { return client.send(request).await };
        let used = authorization.authorization(&self.endpoint).await?;
        let response = client.send(authorized(request.clone(), used.as_ref())).await?;
        let Some(refusal) = RefusedAuthorization::of(response.status(), response.headers(), used) else {
            return Ok(response);
        };
        match authorization.after_refusal(&self.endpoint, &refusal).await? {
            None => Ok(response),
            Some(other) => client.send(authorized(request, Some(&other))).await,
        }
    }

    pub(super) async fn text_of(&self, response: Response<Incoming>) -> Result<String, TransferError> {
        text_of(response, self.endpoint.max_message).await
    }

    /// Returns the request for a message. `parameters` are values of headers that repeat arguments of a tool.
    pub(super) fn post(
        &self,
        head: &MessageHead,
        text: &str,
        parameters: &[(HeaderName, String)],
    ) -> Request<Full<Bytes>> {
        let mut request = self.request(Method::POST, Full::from(text.to_owned()));
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if self.revision().is_modern() {
            // Repeats parts of the body in headers, so that proxies can read them.
            for (name, value) in [("mcp-method", head.method.as_deref()), ("mcp-name", head.name())] {
                headers.extend(value.map(|value| (HeaderName::from_static(name), encoded(value))));
            }
            headers.extend(parameters.iter().map(|(name, value)| (name.clone(), encoded(value))));
        }
        request
    }

    fn get(&self, last_id: Option<&str>) -> Request<Full<Bytes>> {
        let mut request = self.request(Method::GET, Full::default());
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        let last_id = last_id.and_then(|id| HeaderValue::from_str(id).ok());
        request.headers_mut().extend(last_id.map(|id| (HeaderName::from_static("last-event-id"), id)));
        request
    }

    pub(super) fn request(&self, method: Method, body: Full<Bytes>) -> Request<Full<Bytes>> {
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = self.endpoint.uri().clone();
        request.headers_mut().extend(HeaderValue::from_str(self.endpoint.authority()).ok().map(|host| (HOST, host)));
        let session = self.session.lock().clone();
        if self.revision().is_modern() || session.is_some() {
            request.headers_mut().insert(&VERSION, HeaderValue::from_static(self.revision().as_str()));
        }
        request.headers_mut().extend(session.map(|session| (SESSION.clone(), session)));
        for (name, value) in &self.endpoint.headers {
            request.headers_mut().insert(name, value.clone());
        }
        request
    }

    /// Passes a message to the client. `request` is `None` if the message belongs to no request.
    async fn tell(&self, request: Option<u64>, is_last: bool, said: Result<String, TransferError>) {
        let bytes = said.as_ref().map_or(0, String::len);
        // The client may be gone.
        let _ = self.tell.push(Heard { request, is_last, said }, bytes).await;
    }
}

fn authorized(mut request: Request<Full<Bytes>>, authorization: Option<&HeaderValue>) -> Request<Full<Bytes>> {
    if let Some(value) = authorization {
        request.headers_mut().insert(AUTHORIZATION, value.clone());
    }
    request
}

fn pause(events: &EventReader, usual: Duration) -> Duration {
    events.retry.unwrap_or(usual).min(LONGEST_PAUSE)
}

/// Encodes a header value. Plain ASCII stays unchanged, and any other value is encoded as Base64.
fn encoded(value: &str) -> HeaderValue {
    let is_plain =
        value.trim() == value && !value.starts_with("=?") && value.bytes().all(|byte| matches!(byte, 32..=126));
    let plain = HeaderValue::from_str(value).ok().filter(|_| is_plain);
    plain.unwrap_or_else(|| {
        let base64 = format!("=?base64?{}?=", STANDARD.encode(value));
        HeaderValue::from_str(&base64).unwrap_or(HeaderValue::from_static(""))
    })
}
