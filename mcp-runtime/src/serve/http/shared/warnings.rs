//! Warnings about a listener whose address other machines can reach, and about endpoints of one process that differ in
//! authorization.

use std::net::SocketAddr;

use crate::{
    base::mutex::Mutex,
    engine::tool::registered::RegisteredTool,
    serve::{http::auth::Authorizer, server::Service},
};

/// The maximum number of open endpoints that are remembered for a later warning.
const MAX_OPEN: usize = 16;

/// The endpoints of this process.
static ENDPOINTS: Mutex<MountedEndpoints> = Mutex::new(MountedEndpoints { guarded: None, open: Vec::new() });

/// The endpoints that differ in authorization.
struct MountedEndpoints {
    /// The URL of an endpoint that requires tokens, and that other machines can reach.
    guarded: Option<String>,
    /// The endpoints that require no token, until one requires a token.
    open: Vec<String>,
}

/// Reports to the operator if another endpoint of this process differs in authorization from this one. `endpoint`
/// describes it.
pub(crate) fn warn_of_endpoint(endpoint: String, admission: Option<&Authorizer>) {
    let warnings = match admission {
        Some(admission) => ENDPOINTS.lock().guarded(admission.public_resource()),
        None => ENDPOINTS.lock().open(endpoint).into_iter().collect(),
    };
    warnings.iter().for_each(|warning| crate::report!("{warning}"));
}

impl MountedEndpoints {
    /// Records an endpoint that requires tokens. `resource` is its URL, unless it is on the local machine. Returns a
    /// warning for each open endpoint.
    fn guarded(&mut self, resource: Option<&str>) -> Vec<String> {
        let (Some(resource), None) = (resource, &self.guarded) else { return Vec::new() };
        self.guarded = Some(resource.to_owned());
        std::mem::take(&mut self.open).iter().map(|endpoint| differs(endpoint, resource)).collect()
    }

    /// Records an endpoint that requires no token. Returns a warning if another endpoint requires one.
    fn open(&mut self, endpoint: String) -> Option<String> {
        if let Some(resource) = &self.guarded {
            return Some(differs(&endpoint, resource));
        }
        if self.open.len() < MAX_OPEN && !self.open.contains(&endpoint) {
            self.open.push(endpoint);
        }
        None
    }
}

fn differs(endpoint: &str, resource: &str) -> String {
    format!(
        "{endpoint} requires no token, but {resource} in the same process does, so any client that reaches this process \
         can call it; set `Server::authorization` for it too, or put a middleware around it that authenticates clients"
    )
}

/// Warns the operator about tools that no client can call over HTTP.
pub(crate) fn warn_of_unreachable(service: &Service) {
    if service.http().admission.is_some() {
        return;
    }
    for tool in service.0.registry.read().iter().filter(|tool| !tool.definition.scopes.is_empty()) {
        let (name, scopes) = (&tool.definition.name, tool.definition.scopes.join(" "));
        crate::report!(
            "tool `{name}` needs the scopes `{scopes}`, but the server has no authorization, so it rejects calls of \
             this tool over HTTP; set `Server::authorization`, or let a middleware add a `Principal` with these scopes \
             to the request's extensions"
        );
    }
}

/// Reports the warnings about this address to the operator.
pub(crate) fn warn_of_address(service: &Service, address: SocketAddr) {
    of_address(service, address).iter().for_each(|warning| crate::report!("{warning}"));
}

/// Returns a warning for each missing setting: allowed hosts, authorization, and a shared ledger for multi-round tools.
fn of_address(service: &Service, address: SocketAddr) -> Vec<String> {
    if address.ip().to_canonical().is_loopback() {
        return Vec::new();
    }
    [of_hosts(service, address), of_callers(service, address), of_calls(service)].into_iter().flatten().collect()
}

fn of_hosts(service: &Service, address: SocketAddr) -> Option<String> {
    service.http().allowed_hosts().is_of_this_machine().then(|| {
        format!(
            "the server listens at {address}, but answers 403 to all requests whose `Host` is not `localhost`; use \
             `Server::allowed_hosts(AllowedHosts::new([\"mcp.example.com\"]))`, or `--allow-host` of the command `http`, \
             to set the host names that clients use"
        )
    })
}

fn of_callers(service: &Service, address: SocketAddr) -> Option<String> {
    service.http().admission.is_none().then(|| {
        format!(
            "the server listens at {address} without authorization, so any client that reaches it can call every tool \
             that has no `scopes`; set `Server::authorization`, or make the server reachable only through a proxy that \
             authenticates clients"
        )
    })
}

/// Returns a warning if some tools ask the client, but no other instance can reach the ledger.
fn of_calls(service: &Service) -> Option<String> {
    let server = &service.0;
    if server.durable.is_ledger_shared() {
        return None;
    }
    let is_bound = |tool: &&RegisteredTool| tool.may_ask() && !server.durable.waives_ledger(tool);
    let names: Vec<_> =
        server.registry.read().iter().filter(is_bound).map(|tool| format!("`{}`", tool.definition.name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the ledger is in the memory of this process: a restart ends the open calls of {}, and other instances \
             reject them. Set a shared store with `Server::store` (`SqliteStore`, or `PostgresStore` or `RedisStore` for several \
             machines), and the same `MCP_STATE_KEY` for all instances",
            names.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{MAX_OPEN, MountedEndpoints, of_address};
    use crate::{
        Call, Server, Tool,
        engine::{
            call::running::CallFuture,
            durable::{
                Once,
                ledger::{MemoryLedger, tests::forwarding::ForwardingLedger},
            },
            tool::{Arguments, ArgumentsError, ToolDefinition},
        },
        serve::http::AllowedHosts,
        wire::protocol::capability::Capability,
    };

    /// A tool that asks its user.
    struct Asks;

    impl Tool for Asks {
        fn definition(&self) -> ToolDefinition {
            ToolDefinition::new("asks", "Asks.").requires(Capability::Roots)
        }

        fn call(&self, _: Call, _: Arguments<'_>) -> Result<CallFuture, ArgumentsError> {
            Ok(Box::pin(std::future::pending()))
        }
    }

    #[test]
    fn warns_of_endpoints_that_differ_in_authorization() {
        let public = Some("https://mcp.example.com/mcp");
        let new = || MountedEndpoints { guarded: None, open: Vec::new() };
        // In each order.
        let mut endpoints = new();
        assert_eq!(endpoints.open("REST".to_owned()), None);
        assert_eq!(endpoints.open("REST".to_owned()), None);
        let warnings = endpoints.guarded(public);
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("REST requires no token, but https://mcp.example.com/mcp "), "{warnings:?}");
        assert!(endpoints.open("plugins".to_owned()).unwrap().starts_with("plugins requires no token"));
        assert!(endpoints.guarded(public).is_empty());
        // An endpoint of the local machine does not show that others can be reached.
        let mut endpoints = new();
        assert!(endpoints.guarded(None).is_empty());
        assert_eq!(endpoints.open("REST".to_owned()), None);
        // The number of names is limited.
        (0..99).for_each(|number| drop(endpoints.open(number.to_string())));
        assert_eq!(endpoints.guarded(public).len(), MAX_OPEN);
    }

    fn warnings(server: Server, address: &str) -> Vec<String> {
        of_address(&server.build().unwrap(), address.parse().unwrap())
    }

    fn server() -> Server {
        Server::new("s", "1").tool(Asks)
    }

    fn named() -> Server {
        server().allowed_hosts(AllowedHosts::new(["mcp.example.com"]))
    }

    #[test]
    fn warns_of_nothing_on_the_local_machine() {
        for address in ["127.0.0.1:80", "127.1.2.3:80", "[::1]:80", "[::ffff:127.0.0.1]:80"] {
            assert_eq!(warnings(server(), address), [] as [&str; 0], "{address}");
        }
    }

    #[test]
    fn warns_of_missing_hosts_authorization_and_shared_ledger() {
        for address in ["0.0.0.0:80", "[::]:80", "192.0.2.1:80"] {
            let warnings = warnings(server(), address);
            let expected = ["but answers 403", "Server::authorization", "open calls of `asks`"];
            assert_eq!(warnings.len(), expected.len(), "{warnings:?}");
            for (warning, part) in warnings.iter().zip(expected) {
                assert!(warning.contains(part), "{warning}");
            }
        }
    }

    #[test]
    fn does_not_warn_of_hosts_or_ledger_that_are_set() {
        let is_of_ledger =
            |server| warnings(server, "0.0.0.0:80").iter().any(|warning| warning.contains("the ledger is"));
        let is_of_hosts = |server| warnings(server, "0.0.0.0:80").iter().any(|warning| warning.contains("403"));
        assert!(!is_of_hosts(named()) && is_of_ledger(named()));
        assert!(!is_of_hosts(server().allowed_hosts(AllowedHosts::new(["*"]))));
        assert!(is_of_hosts(server().allowed_hosts(AllowedHosts::default().origins(["https://a.example"]))));
        assert!(!is_of_ledger(named().ledger(ForwardingLedger::shared())));
        assert!(is_of_ledger(named().ledger(MemoryLedger::default())));
        assert!(!is_of_ledger(named().once(Once::PerInstance)));
        assert!(!is_of_ledger(Server::new("s", "1")));
    }
}
