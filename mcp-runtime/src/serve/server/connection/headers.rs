//! Checks the HTTP headers that repeat parts of a message. Only requests since 2026-07-28 have them.

use crate::{
    base::report::report_limited,
    engine::tool::registered::RegisteredTool,
    serve::server::core::service::RequestContext,
    wire::protocol::{error::RpcError, headers::RepeatedHeaders},
};

impl RequestContext<'_> {
    /// Checks the headers that name the revision and the method.
    pub(super) fn check_headers(&self, version: &str) -> Result<(), RpcError> {
        let Some(headers) = self.headers else { return Ok(()) };
        let body_decides = self.server.settings.http_rules.revision_of_body;
        headers.check_request(version, self.method, body_decides).inspect_err(|error| {
            if !body_decides && headers.names_older_revision() {
                report_limited!(
                    "rejected a request ({}), because its header `MCP-Protocol-Version` names an older revision than \
                     its body; to serve such clients, set `Server::revision_of_body(true)`",
                    error.code
                );
            }
        })
    }

    /// Checks the header that repeats the name of the item.
    pub(crate) fn check_name(&self, name: &str) -> Result<(), RpcError> {
        self.headers.map_or(Ok(()), |headers| headers.check_name(name))
    }

    /// Checks the headers that repeat arguments.
    pub(super) fn check_arguments(&self, tool: &RegisteredTool, arguments: &str) -> Result<(), RpcError> {
        self.headers.map_or(Ok(()), |headers| headers.check_arguments(&tool.param_headers, arguments))
    }

    /// Returns the idempotency key in the headers.
    pub(super) fn idempotency_key(&self) -> Result<Option<Box<str>>, RpcError> {
        self.headers.map_or(Ok(None), RepeatedHeaders::idempotency_key)
    }
}
