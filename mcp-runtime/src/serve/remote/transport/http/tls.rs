//! The certificates that a client trusts.

use std::sync::{Arc, OnceLock};

use hyper_rustls::ConfigBuilderExt as _;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore, WantsVerifier, crypto::aws_lc_rs::default_provider};

use crate::base::error::chain;

/// Returns a configuration that trusts the certificates of the system. They are read once.
///
/// # Errors
/// Fails if the system has no certificates.
pub(super) fn of_system() -> Result<ClientConfig, String> {
    static READ: OnceLock<Result<ClientConfig, String>> = OnceLock::new();
    let read = || {
        let config = builder()?.with_native_roots();
        let config = config.map_err(|error| format!("the certificates of the system: {}", chain(&error)))?;
        Ok(config.with_no_client_auth())
    };
    READ.get_or_init(read).clone()
}

/// Returns a configuration that trusts only these certificates.
///
/// # Errors
/// Fails if the cryptography of `rustls` supports no version of TLS.
pub(super) fn of_roots(roots: impl Into<Arc<RootCertStore>>) -> Result<ClientConfig, String> {
    Ok(builder()?.with_root_certificates(roots).with_no_client_auth())
}

fn builder() -> Result<ConfigBuilder<ClientConfig, WantsVerifier>, String> {
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    builder.with_safe_default_protocol_versions().map_err(|error| chain(&error))
}
