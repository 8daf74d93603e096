//! The settings of a scripted client.

use std::time::Duration;

use super::fault::Fault;
use crate::{engine::call::Principal, serve::client::ClientProfile};

/// The settings of a client. They decide what the client declares and requests.
#[derive(Clone, Debug)]
pub(crate) struct ClientSettings {
    pub(crate) profile: ClientProfile,
    pub(crate) limit: Duration,
    pub(crate) trouble: Option<Fault>,
    pub(crate) principal: Option<Principal>,
}
