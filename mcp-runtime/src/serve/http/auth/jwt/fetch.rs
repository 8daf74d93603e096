//! Fetches a key set over HTTP.

use std::{error::Error, sync::Arc, time::Duration};

use axum::body::Bytes;
use http::{Request, StatusCode, Uri, header::ACCEPT};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::{ConfigBuilderExt as _, HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use rustls::{ClientConfig, RootCertStore, crypto::aws_lc_rs::default_provider};

use super::keys::JwksError;
use crate::{base::error::chain, serve::http::auth::url::Url};

/// How long a fetch can take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The largest accepted document, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

pub(super) struct Fetch {
    pub(super) url: Uri,
    client: Client<HttpsConnector<HttpConnector>, Empty<Bytes>>,
}

impl Fetch {
    pub(super) fn new(url: &str) -> Result<Self, JwksError> {
        let without_query = url.split('?').next().unwrap_or_default();
        Url::read(without_query).map_err(JwksError::Url)?;
        let url: Uri = url.parse().map_err(|_| JwksError::Url("it is not a URL"))?;
        let connector = HttpsConnectorBuilder::new().with_tls_config(tls(&url)?).https_or_http().enable_http1().build();
        Ok(Self { url, client: Client::builder(TokioExecutor::new()).build(connector) })
    }

    /// # Errors
    /// Returns the reason why the fetch failed. The reason is written for the operator.
    pub(super) async fn fetch(&self) -> Result<Bytes, String> {
        let got = tokio::time::timeout(TIMEOUT, self.get()).await;
        got.unwrap_or_else(|_| Err(format!("no answer within {} s", TIMEOUT.as_secs())))
    }

    async fn get(&self) -> Result<Bytes, String> {
        let request = Request::get(&self.url).header(ACCEPT, "application/json").body(Empty::new());
        let response = self.client.request(request.map_err(|error| chain(&error))?).await;
        let response = response.map_err(|error| chain(&error))?;
        if response.status() != StatusCode::OK {
            return Err(format!("the response has the status {}", response.status()));
        }
        let body = Limited::new(response.into_body(), MAX_BYTES).collect().await;
        Ok(body.map_err(|error| chain(&*error))?.to_bytes())
    }
}

/// Returns a TLS configuration that trusts the certificates of the system. For an `http` URL, it trusts no certificate.
fn tls(url: &Uri) -> Result<ClientConfig, JwksError> {
    let failed = |error: Box<dyn Error + Send + Sync>| JwksError::Certificates(error);
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().map_err(|error| failed(error.into()))?;
    let config = if url.scheme_str() == Some("https") {
        config.with_native_roots().map_err(|error| failed(error.into()))?
    } else {
        config.with_root_certificates(RootCertStore::empty())
    };
    Ok(config.with_no_client_auth())
}
