//! Credentials for servers over HTTP: a token that the author has, or one from an authorization server (OAuth 2.1).

mod bearer;
mod challenge;
mod client_credentials;
mod discovery;
#[cfg(test)]
mod tests;
mod token;

pub(crate) use self::bearer::FixedBearer;
pub use self::client_credentials::ClientCredentials;
