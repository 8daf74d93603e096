//! A server behind a URL. The client uses streamable HTTP. Since 2026-07-28, there is no session.

mod authorizes;
mod client;
mod connector;
pub(crate) mod events;
mod exchange;
mod message;
mod reply;
#[cfg(test)]
mod tests;
#[cfg(feature = "remote")]
mod tls;
pub(crate) mod url;

use std::{collections::HashMap, sync::Arc, time::Duration};

use http::{HeaderName, Method, StatusCode};
use http_body_util::Full;
use tokio::{
    runtime::Handle,
    task::{AbortHandle, JoinSet},
    time::timeout,
};

pub(crate) use self::{
    authorizes::{Authorizes, Authorizing, RefusedAuthorization},
    reply::text_of,
};
use self::{
    exchange::{Heard, SharedConnection},
    message::MessageHead,
    reply::refused,
    url::Endpoint,
};
use super::{
    QUEUED_BYTES, ReceiveError, ServerText, Transfer, TransferError, Transport, TransportClosing,
    queue::{QueueReceiver, QueuedItem, byte_queue},
};
use crate::{base::mutex::Mutex, wire::protocol::revision::Revision};

/// How long the server may take to accept a message that is not a request, or to end a session.
const ACCEPTANCE: Duration = Duration::from_secs(30);

/// The client's connection to a server over HTTP. If the server has opened a session, the connection belongs to it.
pub(crate) struct HttpTransport {
    shared: Arc<SharedConnection>,
    heard: QueueReceiver<Heard>,
    /// The requests in flight.
    open: HashMap<u64, AbortHandle>,
    tasks: JoinSet<()>,
}

impl HttpTransport {
    pub(crate) fn new(endpoint: Arc<Endpoint>, revision: Revision) -> Self {
        let (tell, heard) = byte_queue(QUEUED_BYTES);
        let shared = SharedConnection {
            endpoint,
            revision: Mutex::new(revision),
            session: Mutex::default(),
            tell,
            #[cfg(feature = "dev")]
            observer: std::sync::OnceLock::new(),
        };
        Self { shared: Arc::new(shared), heard, open: HashMap::new(), tasks: JoinSet::new() }
    }

    /// Posts a message. Waits until it is accepted, but does not wait for the response to a request.
    async fn post(&mut self, text: &str, parameters: &[(HeaderName, String)]) -> Result<(), TransferError> {
        let head = MessageHead::of(text);
        let request = self.shared.post(&head, text, parameters);
        #[cfg(feature = "dev")]
        if let Some(observer) = self.shared.observer.get() {
            observer.sent(&self.shared.endpoint.url(), request.headers());
        }
        // Forgets the tasks that have ended.
        while self.tasks.try_join_next().is_some() {}
        let shared = Arc::clone(&self.shared);
        if let Some(id) = head.request() {
            self.open.insert(id, self.tasks.spawn(async move { shared.exchange(request, id).await }));
            return Ok(());
        }
        let accepted = async {
            let response = shared.send(request).await?;
            match response.status().is_success() {
                true => Ok(()),
                false => Err(refused(response.status(), &shared.text_of(response).await?)),
            }
        };
        let accepted = timeout(ACCEPTANCE, accepted).await;
        let late = || format!("the server has not accepted a message within {} s", ACCEPTANCE.as_secs());
        accepted.map_err(|_| TransferError::Broken(late()))??;
        let is_initialized = head.method.as_deref() == Some("notifications/initialized");
        if is_initialized && shared.revision() != Revision::V2024_11_05 {
            self.tasks.spawn(async move { shared.listen().await });
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<ServerText, ReceiveError> {
        while let Some(QueuedItem { item: Heard { request, is_last, said }, .. }) = self.heard.next().await {
            if let Some(request) = request
                && !self.open.contains_key(&request)
            {
                // The request was cancelled.
                continue;
            }
            if let (Some(request), true) = (request, is_last) {
                self.open.remove(&request);
            }
            return match said {
                Ok(text) => Ok(ServerText { text, request }),
                Err(error) => Err(ReceiveError { request, error }),
            };
        }
        // `shared` holds a sender, so the queue stays open.
        Err(TransferError::Broken("the connection has ended".to_owned()).into())
    }

    /// Returns what ends the session, if there is one.
    fn end_session(&self) -> Option<impl Future<Output = ()> + Send + use<>> {
        let request = self.shared.request(Method::DELETE, Full::default());
        self.shared.session.lock().take()?;
        let shared = Arc::clone(&self.shared);
        Some(async move {
            // If this fails, the session expires.
            let _ = timeout(ACCEPTANCE, shared.send(request)).await;
        })
    }
}

impl Transport for HttpTransport {
    fn send<'a>(&'a mut self, text: &'a str) -> Transfer<'a, ()> {
        Box::pin(self.post(text, &[]))
    }

    fn send_with_headers<'a>(&'a mut self, text: &'a str, headers: &'a [(HeaderName, String)]) -> Transfer<'a, ()> {
        Box::pin(self.post(text, headers))
    }

    fn receive(&mut self) -> Transfer<'_, ServerText, ReceiveError> {
        Box::pin(self.next())
    }

    fn negotiated(&mut self, revision: Revision) {
        *self.shared.revision.lock() = revision;
    }

    #[cfg(feature = "dev")]
    fn observe(&mut self, observer: Arc<dyn super::observed::HttpObserver>) {
        // A connection has one observer.
        let _ = self.shared.observer.set(observer);
    }

    /// Closes the stream of a request. Since 2026-07-28 this cancels the request.
    fn cancel(&mut self, request: u64) -> bool {
        self.open.remove(&request).iter().for_each(AbortHandle::abort);
        self.shared.revision().is_modern()
    }

    fn close(&mut self) -> TransportClosing<'_> {
        self.tasks.abort_all();
        let end = self.end_session();
        Box::pin(async {
            if let Some(end) = end {
                end.await;
            }
        })
    }
}

impl Drop for HttpTransport {
    /// Ends the session, if the tokio runtime runs long enough to send the request.
    fn drop(&mut self) {
        if let (Some(end), Ok(runtime)) = (self.end_session(), Handle::try_current()) {
            runtime.spawn(end);
        }
    }
}

/// Gets a path of the server that is no endpoint of the protocol, such as a health check. Returns the status and the text.
///
/// # Errors
/// Returns the reason why the server cannot be reached.
pub(crate) async fn get_text(endpoint: &Endpoint, path: &str) -> Result<(StatusCode, String), String> {
    let endpoint = endpoint.at(path)?;
    let HttpTransport { shared, .. } = &HttpTransport::new(Arc::new(endpoint), Revision::LATEST);
    let response = shared.send(shared.request(Method::GET, Full::default())).await?;
    Ok((response.status(), shared.text_of(response).await?))
}
