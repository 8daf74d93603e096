//! Whether the server is there and can do its work: for load balancers and supervisors.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderValue, StatusCode, header::CACHE_CONTROL},
    response::Response,
    routing::get,
};
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use crate::{
    call::lease::LedgerError,
    durable::ledger::{Ledger, LedgerKey, Skew},
    server::Service,
};

/// A ledger that needs longer is out of reach.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long what was found out holds good: whoever asks, and how often, the ledger is not asked more often.
const FRESH: Duration = Duration::from_secs(1);

/// An entry that is written to find out whether entries can be written.
const ENTRY: &str = "health";
/// About what a record has.
const BYTES: usize = 512;

/// Whether a server is ready for requests.
#[derive(Default)]
pub(super) struct Readiness {
    /// When the ledger was asked last, and whether calls can go forward with it.
    ledger: Mutex<Option<(Instant, bool)>>,
}

impl Service {
    /// What load balancers and supervisors ask, to be merged into an application: `app.merge(service.health_router())`.
    /// [`Service::serve_http`] has it.
    ///
    /// | path | 200 | 503 |
    /// | --- | --- | --- |
    /// | `/health` | always: the process is alive | – |
    /// | `/health/ready` | requests are welcome | the server [retires](Self::retire), or its shared ledger is out of reach or out of space |
    ///
    /// Where the wall clock of the machine is more than five minutes from the time of the ledger, `/health/ready` says
    /// so in its body, below `ok`: calls go on by the ledger's time (see [`surviving`](crate::surviving)), and the
    /// clock wants to be set right.
    ///
    /// A supervisor that restarts what does not answer asks for `/health`: no restart brings a ledger back. A load
    /// balancer asks for `/health/ready`. Both ask by any host and without a token, and are told nothing else: a ledger
    /// is asked once a second at most.
    pub fn health_router(&self) -> Router {
        Router::new()
            .route("/health", get(|| async { response(true, None) }))
            .route("/health/ready", get(ready))
            .with_state(self.clone())
    }

    async fn is_ready(&self) -> bool {
        let http = self.http();
        if http.lifecycle.is_retired() {
            return false;
        }
        let Some(ledger) = self.0.durable.ledger.as_ref().filter(|ledger| ledger.is_shared()) else { return true };
        // Held while it is asked: the others wait for what is found out.
        let mut known = http.readiness.ledger.lock().await;
        if let Some((asked, reached)) = *known
            && asked.elapsed() < FRESH
        {
            return reached;
        }
        let reached = timeout(PATIENCE, is_writable(ledger)).await.unwrap_or(false);
        *known = Some((Instant::now(), reached));
        reached
    }

    /// How far the wall clock is from the time of the ledger, if that is too far.
    fn skew(&self) -> Option<Skew> {
        let of_server = || Skew::from(self.0.durable.time());
        self.0.durable.claims.get().map_or_else(of_server, |claims| claims.skew())
    }
}

async fn ready(State(service): State<Service>) -> Response {
    let is_ready = service.is_ready().await;
    response(is_ready, service.skew().filter(|_| is_ready))
}

/// Whether the ledger can be written. One that is full as it was told to be is well: the calls under way go on with it.
async fn is_writable(ledger: &Arc<dyn Ledger>) -> bool {
    let written = async {
        let key = LedgerKey::new(ledger.id().await?, ENTRY);
        let seen = ledger.load(key).await?.map(|entry| entry.version);
        // That another instance was faster is an answer as well.
        ledger.swap(key, seen, Arc::from([0; BYTES]), FRESH, None).await
    };
    !matches!(written.await, Err(LedgerError::Failed(_) | LedgerError::OutOfSpace(_)))
}

fn response(is_well: bool, skew: Option<Skew>) -> Response {
    let (status, word) =
        if is_well { (StatusCode::OK, "ok\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") };
    let body = skew.map_or_else(|| Body::from(word), |skew| Body::from(format!("{word}warning: {skew}\n")));
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
