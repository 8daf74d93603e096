//! What the endpoints for JSON-RPC and REST share: the guard before each request, the caller of a method, and replies
//! that are not copied.

use axum::http::{HeaderMap, header::CONTENT_TYPE, request::Parts};
use bytes::Bytes;
use serde_json::value::RawValue;

use super::{Invoker, MethodInput, tool::tool_name};
use crate::{
    base::report::report_limited,
    serve::{
        http::guard::{Guard, PrincipalFunction, Render, principal},
        server::BuildError,
    },
};

/// The default limit for the size of a body, in bytes: 1 MiB.
pub(super) const MAX_BODY_SIZE: usize = 1024 * 1024;

/// The default limit for the size of a reply, in bytes: 64 MiB.
pub(super) const MAX_REPLY_SIZE: usize = 64 * 1024 * 1024;

/// The settings that the options of both endpoints have.
#[derive(Clone)]
pub(super) struct EndpointSettings {
    pub(super) max_body_size: usize,
    pub(super) max_reply_size: usize,
    pub(super) principal: Option<PrincipalFunction>,
}

impl Default for EndpointSettings {
    fn default() -> Self {
        Self { max_body_size: MAX_BODY_SIZE, max_reply_size: MAX_REPLY_SIZE, principal: None }
    }
}

impl EndpointSettings {
    /// Returns the guard of an endpoint for this contract, such as "the REST endpoint".
    ///
    /// # Errors
    /// Returns an error for each method that needs scopes, if the endpoint cannot establish who calls.
    pub(super) fn guard(&self, contract: &dyn Invoker, endpoint: &str, render: Render) -> Result<Guard, BuildError> {
        let guard = contract.service().guard().max_body_size(self.max_body_size).render(render);
        let guard = guard.with_principal(self.principal.clone());
        guard.warn_of_endpoint(endpoint);
        if guard.knows_principals() {
            return Ok(guard);
        }
        let registry = contract.service().0.registry.read();
        let resources = &contract.descriptor().resources;
        let methods =
            resources.iter().flat_map(|resource| resource.methods.iter().map(move |method| (resource, method)));
        let problems = methods.filter_map(|(resource, method)| {
            let scopes = &registry.find(&tool_name(&resource.name, &method.name))?.definition.scopes;
            (!scopes.is_empty()).then(|| {
                format!(
                    "the method `{}.{}` needs the scopes `{}`, but {endpoint} does not know who calls it; set \
                     `Options::principal`, or `Server::authorization` for the service of `Contract::served_by`",
                    resource.name,
                    method.name,
                    scopes.join(" ")
                )
            })
        });
        let problems: Vec<_> = problems.collect();
        if problems.is_empty() { Ok(guard) } else { Err(BuildError::of("contract", problems)) }
    }

    /// Checks the size of a reply, and tells the operator if it is too large.
    ///
    /// # Errors
    /// Returns the reason for the caller.
    pub(super) fn check_reply(&self, method: &str, bytes: usize) -> Result<(), String> {
        let most = self.max_reply_size;
        if bytes <= most {
            return Ok(());
        }
        report_limited!(
            "the reply of `{method}` has {bytes} bytes and is not sent; return less, for example in pages, or raise \
             `Options::max_reply_size` ({most} bytes)"
        );
        Err(format!("the reply has {bytes} bytes, but this server sends at most {most}; ask for less"))
    }
}

/// Sets the caller of a method: the principal of the request, and the capacity that its calls share.
pub(super) fn set_caller(input: &mut MethodInput, guard: &Guard, parts: &Parts) {
    let principal = principal(&parts.extensions);
    input.set_room(guard.room(principal.as_ref()));
    principal.into_iter().for_each(|principal| input.set_principal(principal));
}

/// Whether the body is declared as JSON. This is also a matter of safety: without a preflight request, a web page of
/// another origin can send certain other content types, but not JSON.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let essence = value.split(';').next().unwrap_or_default().trim();
    let subtype = essence.get(..12).filter(|start| start.eq_ignore_ascii_case("application/")).map(|_| &essence[12..]);
    subtype
        .is_some_and(|subtype| subtype.eq_ignore_ascii_case("json") || subtype.to_ascii_lowercase().ends_with("+json"))
}

/// Returns the JSON text as bytes, without a copy.
pub(super) fn bytes_of(json: Box<RawValue>) -> Bytes {
    Bytes::from(String::from(Box::<str>::from(json)))
}
