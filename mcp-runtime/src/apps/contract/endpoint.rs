//! What the endpoints for JSON-RPC and REST share: their options, the guard before each request, the body of a request,
//! the caller of a method, and texts of their documents.

use std::{fmt, sync::Arc};

use axum::http::request::Parts;
use bytes::Bytes;
use serde_json::Value;

use super::{
    Invocation, Invoker, MethodDescriptor, MethodError, MethodInput, RefusedCall, ResourceDescriptor, invoke::tool_name,
};
use crate::{
    base::report::report_limited,
    engine::call::Principal,
    serve::{
        http::guard::{Guard, PrincipalFunction, RefusedRequest, principal},
        server::BuildError,
    },
    wire::protocol::{error::RpcError, json::object_of_some},
};

/// The options of an endpoint: `jsonrpc::Options` and `rest::Options`.
#[derive(Clone)]
#[must_use]
pub struct EndpointOptions<P: ContractProtocol> {
    max_body_size: usize,
    max_reply_size: usize,
    principal: Option<PrincipalFunction>,
    pub(super) error_mapper: MethodErrorMapper<P::Error>,
    /// The path of the document that describes the contract.
    pub(super) document_path: Option<String>,
    /// The options that only this protocol has.
    pub(super) own: P,
}

type MethodErrorMapper<E> = Arc<dyn Fn(&MethodError) -> E + Send + Sync>;

/// A protocol that an endpoint serves.
#[doc(hidden)]
pub trait ContractProtocol: Clone + Default + fmt::Debug + 'static {
    /// The error of a response.
    type Error;

    /// The default path of the document that describes the contract.
    const DOCUMENT_PATH: &'static str;

    /// Converts the error of a method, if the author sets no function.
    fn error(error: &MethodError) -> Self::Error;
}

impl<P: ContractProtocol> EndpointOptions<P> {
    /// Creates the default options.
    pub fn new() -> Self {
        Self {
            max_body_size: 1024 * 1024,
            max_reply_size: 64 * 1024 * 1024,
            principal: None,
            error_mapper: Arc::new(P::error),
            document_path: Some(P::DOCUMENT_PATH.to_owned()),
            own: P::default(),
        }
    }

    /// Sets the size of the largest accepted body, in bytes. Default: 1 MiB.
    pub fn max_body_size(mut self, bytes: usize) -> Self {
        self.max_body_size = bytes;
        self
    }

    /// Sets the size of the largest reply, in bytes. A call whose reply is larger fails after it has run; the operator
    /// gets a report. Default: 64 MiB. The responses of a JSON-RPC batch count together.
    pub fn max_reply_size(mut self, bytes: usize) -> Self {
        self.max_reply_size = bytes;
        self
    }

    /// Sets the function that finds the principal of a request, for example by a signed cookie. A method with `scopes`
    /// needs a principal that was granted them. Default: the principal of the token, if the server of
    /// [`Contract::served_by`](super::Contract::served_by) has an [`authorization`](crate::Server::authorization). If
    /// there is neither, a contract with scopes is not mounted.
    ///
    /// If a middleware of the application has already added the principal to the extensions of the request, return
    /// this one:
    ///
    /// ```
    /// # #[cfg(feature = "rest")] {
    /// # use mcp_runtime::{Principal, contract::rest::Options};
    /// let options = Options::new().principal(|parts| parts.extensions.get::<Principal>().cloned());
    /// # }
    /// ```
    pub fn principal(mut self, find: impl Fn(&Parts) -> Option<Principal> + Send + Sync + 'static) -> Self {
        self.principal = Some(Arc::new(find));
        self
    }

    /// Sets the function that converts the error of a method to the error of the response. Default: the text of the
    /// method's error, without its sources, which can name what a stranger must not know, and the status of
    /// [`ErrorStatus`](super::ErrorStatus). A REST error without such a status has 500; a JSON-RPC error has the code
    /// -32000, and its `data` contains the status, if there is one. The sources are reported to the operator.
    pub fn error_mapper(mut self, mapper: impl Fn(&MethodError) -> P::Error + Send + Sync + 'static) -> Self {
        self.error_mapper = Arc::new(mapper);
        self
    }

    /// Returns the guard of an endpoint for this contract, such as "the REST endpoint".
    ///
    /// # Errors
    /// Returns an error for each method that needs scopes, if the endpoint cannot establish who calls.
    pub(super) fn guard(&self, contract: &dyn Invoker, endpoint: &str) -> Result<Guard, BuildError> {
        let mut guard = contract.service().guard().max_body_size(self.max_body_size);
        guard.principal.clone_from(&self.principal);
        guard.warn_of_endpoint(endpoint);
        if guard.knows_principals() {
            return Ok(guard);
        }
        let registry = contract.service().0.registry.read();
        let problems = contract.descriptor().methods().filter_map(|(resource, method)| {
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

/// Returns the text of a body.
///
/// # Errors
/// Returns an error if the body is not UTF-8.
pub(super) fn text_of(body: &Bytes) -> Result<&str, RpcError> {
    str::from_utf8(body).map_err(|_| RpcError::parse("the body is not UTF-8"))
}

/// Calls a method for the sender of a request: with the principal of the request, and the capacity that the principal's
/// calls share.
pub(super) fn call(contract: &dyn Invoker, mut input: MethodInput, guard: &Guard, parts: &Parts) -> Invocation {
    let principal = principal(&parts.extensions);
    input.set_room(guard.room(principal.as_ref()));
    principal.into_iter().for_each(|principal| input.set_principal(principal));
    contract.call(input)
}

impl ResourceDescriptor {
    /// Returns the tag of the resource in documents.
    pub(super) fn tag(&self) -> Value {
        object_of_some([
            ("name", Some((&*self.name).into())),
            ("description", self.description.as_deref().map(Value::from)),
        ])
    }
}

impl MethodDescriptor {
    /// Returns the summary and the further description that documents show. Each can be empty.
    pub(super) fn summary(&self) -> (&str, &str) {
        let (first, rest) = self.description.split_once('\n').unwrap_or((&self.description, ""));
        match &self.title {
            Some(title) => (title, &self.description),
            None => (first.trim(), rest.trim()),
        }
    }
}

impl RefusedCall {
    /// Returns the refusal of the request that has called alone.
    pub(super) fn into_refused(self) -> RefusedRequest {
        let status = self.status();
        self.0.with_status(status).into()
    }
}

impl<P: ContractProtocol> Default for EndpointOptions<P> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: ContractProtocol> fmt::Debug for EndpointOptions<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("max_body_size", &self.max_body_size)
            .field("document_path", &self.document_path)
            .field("own", &self.own)
            .finish_non_exhaustive()
    }
}
