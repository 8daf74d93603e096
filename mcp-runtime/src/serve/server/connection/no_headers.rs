//! Without HTTP, requests have no headers.
#![allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "with HTTP, the headers are checked")]

use crate::{
    engine::tool::registered::RegisteredTool, serve::server::core::service::RequestContext,
    wire::protocol::error::RpcError,
};

impl RequestContext<'_> {
    pub(super) fn check_headers(&self, _version: &str) -> Result<(), RpcError> {
        Ok(())
    }

    pub(crate) fn check_name(&self, _name: &str) -> Result<(), RpcError> {
        Ok(())
    }

    pub(super) fn check_arguments(&self, _tool: &RegisteredTool, _arguments: &str) -> Result<(), RpcError> {
        Ok(())
    }

    pub(super) fn idempotency_key(&self) -> Result<Option<Box<str>>, RpcError> {
        Ok(None)
    }
}
