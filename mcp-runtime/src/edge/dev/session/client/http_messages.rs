//! Adds to each logged message what HTTP says about it.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

use http::{HeaderMap, StatusCode};

use crate::{base::mutex::Mutex, edge::dev::session::log::SharedLog, serve::remote::transport::observed::HttpObserver};

/// The number of responses that wait for their message.
const MOST_WAITING: usize = 1000;

/// Sees the HTTP requests and responses of one connection.
pub(super) struct HttpMessages {
    log: SharedLog,
    /// The number of the message that is sent now.
    pub(super) sending: AtomicU64,
    /// The status and the headers of responses whose message was not received yet, by request.
    answered: Mutex<HashMap<String, HttpAnswer>>,
}

/// What HTTP says about a response.
struct HttpAnswer {
    status: u16,
    headers: Vec<(String, String)>,
}

impl HttpMessages {
    pub(super) fn new(log: SharedLog) -> Self {
        Self { log, sending: AtomicU64::new(0), answered: Mutex::default() }
    }

    /// Adds the status and the headers of its response to a message. `request` is `None` if it is not known which
    /// request has failed.
    pub(super) fn received(&self, n: u64, request: Option<&str>) {
        let mut answered = self.answered.lock();
        let request = match request {
            Some(request) => request.to_owned(),
            None if answered.len() == 1 => answered.keys().next().cloned().unwrap_or_default(),
            None => return,
        };
        if let Some(HttpAnswer { status, headers }) = answered.remove(&request) {
            self.log.set_response(n, status, headers);
        }
    }
}

impl HttpObserver for HttpMessages {
    fn sent(&self, url: &str, headers: &HeaderMap) {
        self.log.set_request(self.sending.load(Ordering::Relaxed), url, listed(headers));
    }

    fn answered(&self, request: &str, status: StatusCode, headers: &HeaderMap) {
        let mut answered = self.answered.lock();
        if answered.len() < MOST_WAITING {
            let answer = HttpAnswer { status: status.as_u16(), headers: listed(headers) };
            answered.insert(request.to_owned(), answer);
        }
    }
}

/// Returns headers as the log keeps them.
pub(crate) fn listed(headers: &HeaderMap) -> Vec<(String, String)> {
    let listed = headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    listed.collect()
}
