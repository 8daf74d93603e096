//! The guard: decides whether a caller may call an item. Every way to call an item passes the guard, because a call
//! begins with a [`Pass`], and only the guard creates one.

use std::borrow::Cow;

use super::registered::RegisteredTool;
use crate::{
    engine::call::{CallState, Client, Principal, request::Peer},
    wire::protocol::{capability::Capabilities, error::RpcError},
};

/// The proof that the guard has admitted a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass(());

/// The reason why the guard has refused a call. Nothing of the call has run.
#[derive(Debug)]
pub(crate) enum Denied {
    /// The caller lacks a scope. `is_known` says whether the caller is authenticated.
    Scopes { is_known: bool },
    /// The client lacks these capabilities.
    Capabilities(Capabilities),
}

impl RegisteredTool {
    /// Admits a call of this item by `peer`, whose client is `client`.
    #[inline]
    pub(crate) fn admit(&self, peer: &Peer, client: &Client) -> Result<Pass, Denied> {
        self.admit_caller(peer.principal.as_ref(), peer.remote, client)
    }

    /// Admits a call of this item within the call `outer`, for the principal and the client of that call.
    pub(crate) fn admit_within(&self, outer: &CallState) -> Result<Pass, Denied> {
        self.admit_caller(outer.principal().as_ref(), outer.is_remote, &outer.client())
    }

    /// Checks that `peer` was granted the scopes of this item. For requests that do not call the item, such as a
    /// subscription to a resource.
    pub(crate) fn check_scopes(&self, peer: &Peer) -> Result<(), RpcError> {
        self.check(peer.principal.as_ref(), peer.remote).map_err(|denied| denied.error(self))
    }

    /// Checks that the caller of `call` was granted the scopes of this item. For calls that run a function of another
    /// item, such as a completion of its arguments.
    pub(crate) fn check_granted_to(&self, call: &CallState) -> Result<(), RpcError> {
        self.check(call.principal().as_ref(), call.is_remote).map_err(|denied| denied.error(self))
    }

    /// Returns whether a caller was granted the scopes of this item. For lists, which show the item without calling it.
    pub(crate) fn is_granted(&self, principal: Option<&Principal>, is_remote: bool) -> bool {
        self.check(principal, is_remote).is_ok()
    }

    #[inline]
    fn admit_caller(&self, principal: Option<&Principal>, is_remote: bool, client: &Client) -> Result<Pass, Denied> {
        self.check(principal, is_remote)?;
        let missing = self.requires.without(client.capabilities());
        if missing.is_empty() { Ok(Pass(())) } else { Err(Denied::Capabilities(missing)) }
    }

    fn check(&self, principal: Option<&Principal>, is_remote: bool) -> Result<(), Denied> {
        let may = self.definition.scopes.iter().all(|scope| has_scope(principal, is_remote, scope));
        if may { Ok(()) } else { Err(Denied::Scopes { is_known: principal.is_some() }) }
    }
}

/// Returns whether a caller was granted this scope. A caller in this process, or on standard input, has every scope. A
/// remote caller has those of its principal.
pub(crate) fn has_scope(principal: Option<&Principal>, is_remote: bool, scope: &str) -> bool {
    principal.map_or(!is_remote, |principal| principal.has_scope(scope))
}

impl Denied {
    /// Returns the error of the protocol for a refused call of this item.
    pub(crate) fn error(self, item: &RegisteredTool) -> RpcError {
        self.error_about(item, None)
    }

    /// Returns the error of the protocol, which calls the item `described`, or names its kind and its name.
    pub(crate) fn error_about(self, item: &RegisteredTool, described: Option<&str>) -> RpcError {
        let described = described.map_or_else(|| item.described().into(), Cow::Borrowed);
        match self {
            Self::Scopes { is_known } => RpcError::insufficient_scope(&described, &item.definition.scopes, is_known),
            Self::Capabilities(missing) => RpcError::missing_capability(&described, missing),
        }
    }
}
