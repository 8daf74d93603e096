//! TLS with a server whose certificate only some clients trust.

use rustls::{
    RootCertStore, ServerConfig,
    crypto::aws_lc_rs::default_provider,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio_rustls::TlsAcceptor;

use super::*;

const PEM: &[u8] = include_bytes!("../../../../../../tests/http/auth/jwt/localhost.pem");

fn acceptor() -> TlsAcceptor {
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let certificates = CertificateDer::pem_slice_iter(PEM).map(Result::unwrap).collect();
    let config = config.with_single_cert(certificates, PrivateKeyDer::from_pem_slice(PEM).unwrap());
    TlsAcceptor::from(Arc::new(config.unwrap()))
}

fn url(server: &TestServer) -> String {
    format!("https://localhost:{}/mcp", server.listener.local_addr().unwrap().port())
}

#[tokio::test]
async fn a_client_that_trusts_the_certificate_is_answered() {
    let server = TestServer::start().await;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(CertificateDer::pem_slice_iter(PEM).map(Result::unwrap));
    let endpoint = Endpoint::parse(&url(&server)).unwrap().with_roots(roots).unwrap();
    let mut client = HttpTransport::new(Arc::new(endpoint), Revision::LATEST);
    call(&mut client, 1).await;
    let mut connection = ServerSide(acceptor().accept(server.accept().await.0).await.unwrap());
    assert!(connection.read().await.starts_with("POST /mcp HTTP/1.1\r\n"));
    connection.answer(&result(1)).await;
    assert_eq!(received(&mut client).await.unwrap().text, result(1).to_string());
}

#[tokio::test]
async fn a_client_that_does_not_trust_the_certificate_sends_nothing() {
    let server = TestServer::start().await;
    let endpoint = Endpoint::parse(&url(&server)).unwrap().with_roots(RootCertStore::empty()).unwrap();
    let mut client = HttpTransport::new(Arc::new(endpoint), Revision::LATEST);
    call(&mut client, 1).await;
    assert!(acceptor().accept(server.accept().await.0).await.is_err());
    let error = received(&mut client).await.unwrap_err().error;
    assert!(matches!(&error, TransferError::Unreachable(why) if why.contains("invalid peer certificate")), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_ends_the_handshake_is_unreachable() {
    let server = TestServer::start().await;
    let endpoint = Endpoint::parse(&url(&server)).unwrap().with_roots(RootCertStore::empty()).unwrap();
    let mut client = HttpTransport::new(Arc::new(endpoint), Revision::LATEST);
    call(&mut client, 1).await;
    let error = received(&mut client).await.unwrap_err().error;
    assert!(matches!(error, TransferError::Unreachable(_)), "{error:?}");
}
