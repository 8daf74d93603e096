//! Liveness and readiness, for load balancers and supervisors.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{StatusCode, header::CACHE_CONTROL},
    response::{IntoResponse as _, Response},
    routing::get,
};
use tokio::{
    sync::Mutex,
    task::JoinSet,
    time::{Instant, timeout},
};

use crate::{
    engine::{
        call::lease::LedgerError,
        durable::ledger::{Ledger, LedgerKey, LedgerShards},
    },
    serve::server::Service,
};

/// A ledger that does not answer within this time counts as unreachable.
const TIMEOUT: Duration = Duration::from_secs(1);

/// How long the server reuses an answer of the ledger, so that frequent checks do not load the ledger.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The key of the entry that readiness checks write to the ledger.
const ENTRY: &str = "health";
/// The size of the `health` entry in bytes. A call's record has about the same size.
const BYTES: usize = 512;

/// The cached outcome of the last readiness check.
#[derive(Default)]
pub(crate) struct Readiness {
    /// When the last write to the ledger ended, and whether it succeeded.
    ledger: Mutex<Option<(Instant, bool)>>,
}

impl Service {
    /// Returns a router with the health checks for load balancers and supervisors. Merge it into an application:
    /// `app.merge(service.health_router())`. [`Service::serve_http`] includes it.
    ///
    /// | path | 200 | 503 |
    /// | --- | --- | --- |
    /// | `/health` | always, because the process is alive | – |
    /// | `/health/ready` | the server accepts requests | the server has [retired](Self::retire), or its shared ledger is unreachable or out of space |
    ///
    /// If the machine's wall clock differs from the ledger's time by more than five minutes, the body of
    /// `/health/ready` has a warning after `ok`. Calls use the ledger's time (see [`surviving`](crate::guide::surviving)), but
    /// the operator should correct the clock. There is also a warning for each server that was mounted with `Server::mount`
    /// and cannot be used now: this server still accepts requests.
    ///
    /// A supervisor that restarts an unresponsive server should request `/health`. It should not request
    /// `/health/ready`, because a restart does not repair a ledger. A load balancer should request `/health/ready`.
    /// Both paths accept any host and need no token. Requests to `/health/ready` write to the ledger at most once a
    /// second.
    pub fn health_router(&self) -> Router {
        Router::new()
            .route("/health", get(|| async { response(true, &[]) }))
            .route("/health/ready", get(ready))
            .with_state(self.clone())
    }

    async fn is_ready(&self) -> bool {
        let http = self.http();
        if http.lifecycle.is_retired() {
            return false;
        }
        let Some(ledgers) = self.0.durable.ledgers.as_ref().filter(|ledgers| ledgers.is_shared()) else { return true };
        // Locked during the write to the ledger, so that concurrent checks share the outcome of one write.
        let mut known = http.readiness.ledger.lock().await;
        if let Some((asked, reached)) = *known
            && asked.elapsed() < MAX_AGE
        {
            return reached;
        }
        let reached = timeout(TIMEOUT, is_one_writable(ledgers)).await.unwrap_or(false);
        *known = Some((Instant::now(), reached));
        reached
    }

    /// Returns what the operator should mend although the server accepts requests.
    fn warnings(&self) -> Vec<String> {
        let of_extensions = self.0.extensions.iter().flat_map(|extension| extension.warnings());
        self.0.durable.skew().into_iter().chain(of_extensions).collect()
    }
}

async fn ready(State(service): State<Service>) -> Response {
    let is_ready = service.is_ready().await;
    let warnings = if is_ready { service.warnings() } else { Vec::new() };
    response(is_ready, &warnings)
}

/// Whether the server can write to a ledger that gets new calls. All are tried at the same time.
async fn is_one_writable(ledgers: &LedgerShards) -> bool {
    let mut tries = JoinSet::new();
    for ledger in ledgers.active() {
        let ledger = Arc::clone(ledger);
        tries.spawn(async move { is_writable(&ledger).await });
    }
    while let Some(tried) = tries.join_next().await {
        if tried.unwrap_or(false) {
            return true;
        }
    }
    false
}

/// Whether the server can write to the ledger. A ledger that rejects only new calls is healthy.
async fn is_writable(ledger: &Arc<dyn Ledger>) -> bool {
    let written = async {
        let key = LedgerKey::new(ledger.id().await?, ENTRY);
        let seen = ledger.load(key).await?.map(|entry| entry.version);
        // A conflict with the write of another instance also shows that the ledger can be written.
        ledger.swap(key, seen, Arc::from([0; BYTES]), MAX_AGE, None).await
    };
    !matches!(written.await, Err(LedgerError::Failed(_) | LedgerError::OutOfSpace(_)))
}

fn response(is_well: bool, warnings: &[String]) -> Response {
    let (status, word) =
        if is_well { (StatusCode::OK, "ok\n") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready\n") };
    let warnings: String = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    let body = if warnings.is_empty() { Body::from(word) } else { Body::from(format!("{word}{warnings}")) };
    (status, [(CACHE_CONTROL, "no-store")], body).into_response()
}
