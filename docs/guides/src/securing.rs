//! The code of the page `securing`.
#![allow(dead_code, reason = "the page includes it, and the tests use most of it")]

use std::{error::Error, time::Duration};

// ANCHOR: scopes
use mcp_runtime::{
    Principal, Result,
    auth::{Authorization, BearerToken, Jwks, JwtVerifier, TokenError, TokenFuture, TokenVerifier},
    prelude::*,
};

/// Lists the bookings of the caller.
#[mcp_tool(read_only, scopes("flights:read"))]
async fn my_bookings(ctx: &Ctx) -> Result<String> {
    // The rows of this user only: a scope says what a caller may do, the principal says whose data it is.
    let caller = ctx.principal().ok_or("the caller is not logged in")?;
    Ok(format!("{} has no bookings", caller.name()))
}

/// Cancels all bookings, if the user confirms it.
#[mcp_tool(destructive, replayable, scopes("flights:write"))]
async fn cancel_all(ctx: &Ctx<Cancelling>) -> Result<&'static str> {
    let sure = ctx.elicit::<Confirm>("Cancel all bookings?").strict().await?;
    Ok(if sure.confirmed { "cancelled" } else { "kept" })
}

#[elicits]
pub(crate) enum Cancelling {
    Confirm { confirmed: bool },
}
// ANCHOR_END: scopes

// ANCHOR: jwt
fn authorized(server: Server) -> Result<Server, Box<dyn Error>> {
    let verifier = JwtVerifier::new("https://auth.example.com", Jwks::from_url("https://auth.example.com/jwks.json")?);
    let authorization = Authorization::new("https://mcp.example.com/mcp", verifier)
        .scopes(["flights:read"])
        .implies("flights:write", ["flights:read"]);
    Ok(server.authorization(authorization).hide_unauthorized(true))
}
// ANCHOR_END: jwt

// ANCHOR: verifier
/// Knows its tokens. A real verifier asks the authorization server, or looks up a hash of the token.
struct Table;

impl TokenVerifier for Table {
    fn verify<'a>(&'a self, token: BearerToken<'a>) -> TokenFuture<'a> {
        Box::pin(async move {
            match token.secret() {
                "token-of-ann" => Ok(Principal::new("ann").scopes(["flights:write"])),
                "token-of-bob" => Ok(Principal::new("bob").scopes(["flights:write"])),
                "token-of-eve" => Ok(Principal::new("eve").scopes(["flights:read"])),
                _ => Err(TokenError::invalid("the token is unknown")),
            }
        })
    }
}
// ANCHOR_END: verifier

// ANCHOR: limits
use mcp_runtime::http::{AllowedHosts, HttpLimits};

fn limited(server: Server) -> Server {
    server
        .allowed_hosts(AllowedHosts::new(["mcp.example.com"]).origins(["https://app.example.com"]))
        .max_message_size(256 * 1024)
        .max_open_calls_per_client(64)
        .http_limits(HttpLimits::default().max_calls_per_client(32).session_idle(Duration::from_secs(600)))
        // The messages of the sources of an error go to the log, and not to the client.
        .error_sources(false)
}
// ANCHOR_END: limits

// ANCHOR: settings
use mcp_runtime::settings::Secret;

#[derive(Debug, Settings)]
#[setting(prefix = "FLIGHTS")]
struct FlightSettings {
    /// The address of the booking service.
    #[setting(default = "https://booking.example.com")]
    url: String,
    /// The token of the booking service.
    token: Secret<String>,
}

/// Says how many seats are free.
#[mcp_tool(read_only)]
async fn free_seats(settings: &FlightSettings) -> Text<usize> {
    // Only this line shows the value.
    let header = format!("Bearer {}", settings.token.expose_secret());
    Text(ask(&settings.url, &header).await)
}
// ANCHOR_END: settings

async fn ask(_url: &str, header: &str) -> usize {
    header.len()
}

// ANCHOR: url
/// Connects the account of the user at the airline.
#[mcp_tool(requires(elicitation_url))]
async fn connect_account(ctx: &Ctx) -> Result<&'static str> {
    let id = begin_login(ctx.principal());
    let url = format!("https://mcp.example.com/connect?id={id}");
    let visited = ctx.elicit_url("connect", url, "Log in to the airline").await?;
    // The user agreed to open the page. Whether the login succeeded, the page has told the server.
    if !is_logged_in(id).await {
        return Err("the login was not completed".into());
    }
    visited.complete();
    Ok("connected")
}
// ANCHOR_END: url

fn begin_login(_owner: Option<Principal>) -> &'static str {
    "8s1"
}

async fn is_logged_in(id: &str) -> bool {
    id == "8s1"
}

#[cfg(test)]
mod tests {
    use axum::{
        Router,
        body::{Body, to_bytes},
        http::{HeaderMap, Request, StatusCode},
    };
    use mcp_runtime::{Revision, settings::SettingsLoader, testing::Client};
    use serde_json::{Value, json};
    use tower::ServiceExt as _;

    use super::*;

    fn app() -> Router {
        let authorization = Authorization::new("https://mcp.example.com/mcp", Table)
            .authorization_servers(["https://auth.example.com"]);
        let server = Server::new("flights", "1.0.0")
            .tools(tools![my_bookings, cancel_all])
            .authorization(authorization.implies("flights:write", ["flights:read"]));
        server.build().unwrap().mount("/mcp")
    }

    /// Calls a tool with these parameters, as a client of 2026-07-28.
    async fn post(token: Option<&str>, mut params: Value, app: &Router) -> (StatusCode, HeaderMap, Value) {
        let name = params["name"].as_str().unwrap().to_owned();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let mut request = Request::post("/mcp")
            .header("host", "mcp.example.com")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", name);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let reply = app.clone().oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
        let (head, body) = reply.into_parts();
        let body = to_bytes(body, 1 << 20).await.unwrap();
        (head.status, head.headers, serde_json::from_slice(&body).unwrap_or_default())
    }

    #[tokio::test]
    async fn a_request_needs_a_token_and_the_scopes_of_its_tool() {
        let app = app();
        let call = || json!({ "name": "my_bookings", "arguments": {} });
        for token in [None, Some("guessed")] {
            let (status, headers, _) = post(token, call(), &app).await;
            assert_eq!(status, StatusCode::UNAUTHORIZED);
            let challenge = headers["www-authenticate"].to_str().unwrap();
            assert!(challenge.contains("https://mcp.example.com/.well-known/oauth-protected-resource"), "{challenge}");
        }
        let (status, _, body) = post(Some("token-of-ann"), call(), &app).await;
        assert_eq!((status, &body["result"]["content"][0]["text"]), (StatusCode::OK, &json!("ann has no bookings")));

        let (status, headers, _) =
            post(Some("token-of-eve"), json!({ "name": "cancel_all", "arguments": {} }), &app).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        assert!(headers["www-authenticate"].to_str().unwrap().contains("flights:write"));
    }

    #[tokio::test]
    async fn a_state_is_unreadable_and_belongs_to_its_principal() {
        let app = app();
        let call = json!({ "name": "cancel_all", "arguments": {} });
        let (_, _, asked) = post(Some("token-of-ann"), call.clone(), &app).await;
        let state = asked["result"]["requestState"].as_str().unwrap();
        assert!(!state.contains("ann") && !state.contains("Cancel"), "{state}");

        let mut answered = call;
        answered["requestState"] = json!(state);
        answered["inputResponses"] = json!({ "confirm": { "action": "accept", "content": { "confirmed": true } } });
        let (_, _, stolen) = post(Some("token-of-bob"), answered.clone(), &app).await;
        assert_eq!(stolen["error"]["code"], -32602, "{stolen}");
        let (_, _, own) = post(Some("token-of-ann"), answered, &app).await;
        assert_eq!(own["result"]["content"][0]["text"], "cancelled");
    }

    #[tokio::test]
    async fn other_hosts_and_origins_are_refused() {
        let app = limited(Server::new("flights", "1.0.0").tools(tools![my_bookings])).build().unwrap().mount("/mcp");
        let status = async |name: &str, value: &str| {
            let request =
                Request::post("/mcp").header("host", "mcp.example.com").header("content-type", "application/json");
            let mut request = request.body(Body::from("{}")).unwrap();
            request.headers_mut().insert(axum::http::HeaderName::try_from(name).unwrap(), value.parse().unwrap());
            app.clone().oneshot(request).await.unwrap().status()
        };
        assert_eq!(status("host", "evil.example").await, StatusCode::FORBIDDEN);
        assert_eq!(status("origin", "https://evil.example").await, StatusCode::FORBIDDEN);
        assert_eq!(status("origin", "https://app.example.com").await, StatusCode::BAD_REQUEST);
    }

    #[test]
    fn a_secret_is_in_no_error_and_no_debug() {
        let variables = [("FLIGHTS_TOKEN", "s3cr3t")];
        let settings: FlightSettings = SettingsLoader::new().variables(variables).load().unwrap();
        assert!(!format!("{settings:?}").contains("s3cr3t"));
        assert_eq!(settings.token.expose_secret(), "s3cr3t");
        let missing = Server::new("flights", "1.0.0").settings::<FlightSettings>().build().unwrap_err();
        assert!(missing.to_string().contains("FLIGHTS_TOKEN"), "{missing}");
    }

    #[tokio::test]
    async fn a_page_is_asked_in_url_mode() {
        let service = Server::new("flights", "1.0.0").tools(tools![connect_account]).build().unwrap();
        for revision in [Revision::V2025_11_25, Revision::LATEST] {
            let mut client = Client::new(&service, revision);
            let connected = client.call("connect_account", ()).accept_url().await;
            assert_eq!(connected.text(), "connected");
            assert_eq!(connected.asked()[0].url(), Some("https://mcp.example.com/connect?id=8s1"));
        }
        let refused = Client::new(&service, Revision::V2025_06_18).call("connect_account", ()).await;
        assert!(refused.is_error() || refused.error().is_some());
    }

    #[tokio::test]
    async fn the_jwt_server_is_built() {
        assert!(authorized(Server::new("flights", "1.0.0")).unwrap().build().is_ok());
    }
}
