//! A server behind a URL. The client uses streamable HTTP. Since 2026-07-28, there is no session.

pub(crate) mod connection;
pub(crate) mod events;
mod reply;
pub(crate) mod url;

use std::{collections::HashMap, sync::Arc, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use http::{
    HeaderName, HeaderValue, Method, Request, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, HOST},
};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use serde_json::Value;
use tokio::{
    runtime::Handle,
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::{AbortHandle, JoinSet},
    time::sleep,
};

use self::{
    connection::RequestConnection,
    events::EventReader,
    reply::{answer, is_stream, refused, text_of},
    url::Endpoint,
};
use super::{ReceiveError, ServerText, Transfer, TransferError, Transport};
use crate::{base::mutex::Mutex, wire::protocol::revision::Revision};

static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
static VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// If a stream ends early, the client resumes it. After this many tries in a row without a new event, the client fails.
const RESUMES: usize = 5;

/// The client's connection to a server over HTTP. If the server has opened a session, the connection belongs to it.
pub(crate) struct HttpTransport {
    shared: Arc<SharedConnection>,
    heard: UnboundedReceiver<Heard>,
    /// The requests in flight. The key is the id of the request.
    open: HashMap<u64, AbortHandle>,
    tasks: JoinSet<()>,
}

struct SharedConnection {
    endpoint: Arc<Endpoint>,
    revision: Revision,
    session: Mutex<Option<HeaderValue>>,
    tell: UnboundedSender<Heard>,
    #[cfg(feature = "dev")]
    observer: std::sync::OnceLock<Arc<dyn super::observed::HttpObserver>>,
}

/// A message that the client received, and the id of the request to which the message belongs.
struct Heard {
    request: Option<u64>,
    /// The message, or the reason why none was received.
    said: Result<String, TransferError>,
}

impl HttpTransport {
    pub(crate) fn new(endpoint: Arc<Endpoint>, revision: Revision) -> Self {
        let (tell, heard) = unbounded_channel();
        let shared = SharedConnection {
            endpoint,
            revision,
            session: Mutex::default(),
            tell,
            #[cfg(feature = "dev")]
            observer: std::sync::OnceLock::new(),
        };
        Self { shared: Arc::new(shared), heard, open: HashMap::new(), tasks: JoinSet::new() }
    }

    /// Posts a message. Waits until it is accepted, but does not wait for the response to a request.
    async fn post(&mut self, text: &str) -> Result<(), TransferError> {
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        let request = self.shared.post(&message, text);
        #[cfg(feature = "dev")]
        if let Some(observer) = self.shared.observer.get() {
            observer.sent(&self.shared.endpoint.url(), request.headers());
        }
        let shared = Arc::clone(&self.shared);
        if let (Some(id), true) = (message["id"].as_u64(), message.get("method").is_some()) {
            let open = self.tasks.spawn(async move {
                if let Err(why) = shared.exchange(request, id).await {
                    shared.tell(Some(id), Err(why));
                }
            });
            self.open.insert(id, open);
            return Ok(());
        }
        let (_connection, response) = shared.send(request).await?;
        if !response.status().is_success() {
            return Err(refused(response.status(), &text_of(response).await?));
        }
        if message["method"] == "notifications/initialized" && self.shared.revision != Revision::V2024_11_05 {
            self.tasks.spawn(async move { shared.listen().await });
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<ServerText, ReceiveError> {
        // The channel stays open, because `shared` holds a sender.
        while let Some(Heard { request, said }) = self.heard.recv().await {
            if request.is_none_or(|request| self.open.contains_key(&request)) {
                return match said {
                    Ok(text) => Ok(ServerText { text, request }),
                    Err(error) => Err(ReceiveError { request, error }),
                };
            }
        }
        Err(TransferError::Broken("the connection has ended".to_owned()).into())
    }
}

impl Transport for HttpTransport {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(self.post(text))
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(self.next())
    }

    #[cfg(feature = "dev")]
    fn observe(&mut self, observer: Arc<dyn super::observed::HttpObserver>) {
        // A connection has one observer.
        let _ = self.shared.observer.set(observer);
    }

    /// Closes the stream of a request. Since 2026-07-28 this cancels the request.
    fn cancel(&mut self, request: u64) -> bool {
        self.open.remove(&request).iter().for_each(AbortHandle::abort);
        self.shared.revision.is_modern()
    }
}

impl Drop for HttpTransport {
    /// Ends the session, if the tokio runtime runs long enough to send the request.
    fn drop(&mut self) {
        let shared = Arc::clone(&self.shared);
        let has_session = shared.session.lock().is_some();
        if let (true, Ok(runtime)) = (has_session, Handle::try_current()) {
            runtime.spawn(async move {
                let request = shared.request(Method::DELETE, Full::default());
                // If this fails, the session expires.
                let _ = shared.send(request).await;
            });
        }
    }
}

impl SharedConnection {
    /// Sends a request, and reads messages from the returned stream until the response arrives.
    async fn exchange(&self, request: Request<Full<Bytes>>, id: u64) -> Result<(), TransferError> {
        let (_connection, response) = self.send(request).await?;
        #[cfg(feature = "dev")]
        if let Some(observer) = self.observer.get() {
            observer.answered(&id.to_string(), response.status(), response.headers());
        }
        if let Some(session) = response.headers().get(&SESSION) {
            *self.session.lock() = Some(session.clone());
        }
        if !is_stream(&response) {
            let status = response.status();
            self.tell(Some(id), Ok(answer(status, text_of(response).await?, id)?));
            return Ok(());
        }
        let mut events = EventReader::default();
        let mut answered = self.hear(response, &mut events, Some(id)).await;
        let mut left = RESUMES;
        while !answered {
            let Some(last_id) = events.last_id.clone().filter(|_| left > 0 && !self.revision.is_modern()) else {
                let why = "the server has ended the stream of a request without a response";
                return Err(TransferError::Broken(why.to_owned()));
            };
            left -= 1;
            sleep(events.retry.unwrap_or(Duration::from_millis(100))).await;
            let (_connection, response) = self.send(self.get(Some(&last_id))).await?;
            if !is_stream(&response) {
                return Err(refused(response.status(), &text_of(response).await?));
            }
            answered = self.hear(response, &mut events, Some(id)).await;
            if events.last_id.as_deref() != Some(&*last_id) {
                left = RESUMES;
            }
        }
        Ok(())
    }

    /// Reads the stream of the session, if the server has one. The messages on this stream belong to no request.
    async fn listen(&self) {
        if let Ok((_connection, response)) = self.send(self.get(None)).await
            && is_stream(&response)
        {
            self.hear(response, &mut EventReader::default(), None).await;
        }
    }

    /// Forwards the messages of a stream. Returns whether one of them was the response to `id`.
    async fn hear(&self, response: Response<Incoming>, events: &mut EventReader, id: Option<u64>) -> bool {
        let mut body = response.into_body();
        let mut answered = false;
        while let Some(Ok(frame)) = body.frame().await {
            for data in frame.data_ref().into_iter().flat_map(|bytes| events.read(bytes)) {
                let message: Value = serde_json::from_str(&data).unwrap_or_default();
                answered |= message.get("method").is_none() && id.is_some() && message["id"].as_u64() == id;
                self.tell(id, Ok(data));
            }
        }
        answered
    }

    /// Sends a request on a separate connection, which closes when the returned `JoinSet` is dropped.
    async fn send(&self, request: Request<Full<Bytes>>) -> Result<(JoinSet<()>, Response<Incoming>), TransferError> {
        RequestConnection::open(&self.endpoint.address).await?.send(request).await
    }

    fn post(&self, message: &Value, text: &str) -> Request<Full<Bytes>> {
        let mut request = self.request(Method::POST, Full::from(text.to_owned()));
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        if self.revision.is_modern() {
            // Repeats parts of the body in headers, so that proxies can read them.
            let named_by = if message["method"] == "resources/read" { "uri" } else { "name" };
            for (name, value) in [("mcp-method", &message["method"]), ("mcp-name", &message["params"][named_by])] {
                headers.extend(value.as_str().map(|value| (HeaderName::from_static(name), encoded(value))));
            }
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

    fn request(&self, method: Method, body: Full<Bytes>) -> Request<Full<Bytes>> {
        let Endpoint { authority, path, headers, .. } = &*self.endpoint;
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = path.parse().unwrap_or_default();
        request.headers_mut().extend(HeaderValue::from_str(authority).ok().map(|host| (HOST, host)));
        let session = self.session.lock().clone();
        if self.revision.is_modern() || session.is_some() {
            request.headers_mut().insert(&VERSION, HeaderValue::from_static(self.revision.as_str()));
        }
        request.headers_mut().extend(session.map(|session| (SESSION.clone(), session)));
        for (name, value) in headers {
            request.headers_mut().insert(name, value.clone());
        }
        request
    }

    /// Passes a message to the client. `request` is `None` if the message belongs to no request.
    fn tell(&self, request: Option<u64>, said: Result<String, TransferError>) {
        // The client may be gone.
        let _ = self.tell.send(Heard { request, said });
    }
}

/// Gets a path of the server that is no endpoint of the protocol, such as a health check. Returns the status and the text.
///
/// # Errors
/// Returns the reason why the server cannot be reached.
pub(crate) async fn get_text(endpoint: &Endpoint, path: &str) -> Result<(StatusCode, String), String> {
    let endpoint = Endpoint { path: path.to_owned(), ..endpoint.clone() };
    let HttpTransport { shared, .. } = &HttpTransport::new(Arc::new(endpoint), Revision::LATEST);
    let (_connection, response) = shared.send(shared.request(Method::GET, Full::default())).await?;
    Ok((response.status(), text_of(response).await?))
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
