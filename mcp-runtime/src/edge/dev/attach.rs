//! A server behind a URL, which runs elsewhere.

use std::{future::ready, sync::Arc, time::Duration};

use http::HeaderMap;
use serde_json::Value;
use tokio::sync::{broadcast, watch};

use super::target::{
    ClientSetup, DevStore, DevTarget, OpenedConnection, ProcessReport, ProcessStatus, ServerInstance, ServerStatus,
    TargetAbilities, TargetFuture, TargetStatus, TransportKind,
};
use crate::{
    serve::remote::transport::http::{HttpTransport, url::Endpoint},
    wire::protocol::revision::Revision,
};

/// A server that the page reaches over HTTP. Its processes and its store belong to others.
pub(crate) struct UrlTarget {
    endpoint: Arc<Endpoint>,
    status: watch::Sender<TargetStatus>,
    reports: broadcast::Sender<ProcessReport>,
}

impl UrlTarget {
    /// Creates the target. Each request has these headers, for example `authorization`.
    ///
    /// # Errors
    /// Fails if `url` is not an `http` or `https` URL.
    pub(crate) fn new(url: &str, headers: HeaderMap) -> Result<Self, String> {
        let mut endpoint = Endpoint::trusted(url)?;
        endpoint.headers = headers;
        let server = ServerStatus { status: ProcessStatus::Running, ..ServerStatus::default() };
        let (status, _) = watch::channel(TargetStatus { server, ..TargetStatus::default() });
        let (reports, _) = broadcast::channel(1);
        Ok(Self { endpoint: Arc::new(endpoint), status, reports })
    }
}

impl DevTarget for UrlTarget {
    fn connect<'a>(&'a self, client: &'a ClientSetup) -> TargetFuture<'a, OpenedConnection> {
        let connected = match (client.transport, Revision::parse(&client.revision)) {
            (TransportKind::Stdio, _) => Err("a server behind a URL has no standard streams; choose HTTP".to_owned()),
            (_, None) => Err(format!("there is no revision `{}`", client.revision)),
            (TransportKind::Http, Some(revision)) => {
                let transport = HttpTransport::new(Arc::clone(&self.endpoint), revision);
                Ok(OpenedConnection { transport: Box::new(transport), process: None })
            }
        };
        Box::pin(ready(connected))
    }

    fn abilities(&self) -> TargetAbilities {
        TargetAbilities { processes: false, stdio: false, http: true, principals: false }
    }

    fn status(&self) -> watch::Receiver<TargetStatus> {
        self.status.subscribe()
    }

    fn reports(&self) -> broadcast::Receiver<ProcessReport> {
        self.reports.subscribe()
    }

    fn kill(&self, _: ServerInstance) -> TargetFuture<'_, ()> {
        runs_elsewhere("it cannot be killed")
    }

    fn restart(&self) -> TargetFuture<'_, ()> {
        runs_elsewhere("it cannot be restarted")
    }

    fn advance_clock(&self, _: Duration) -> TargetFuture<'_, ()> {
        runs_elsewhere("its clock cannot be moved")
    }

    fn check(&self) -> TargetFuture<'_, Value> {
        runs_elsewhere("its rules are checked there, with the command `check` of its program")
    }

    fn url(&self, _: ServerInstance) -> Option<String> {
        Some(self.endpoint.url())
    }

    fn store(&self) -> Option<DevStore> {
        None
    }
}

fn runs_elsewhere<T: Send + 'static>(so: &str) -> TargetFuture<'static, T> {
    Box::pin(ready(Err(format!("the server runs elsewhere, so {so}"))))
}
