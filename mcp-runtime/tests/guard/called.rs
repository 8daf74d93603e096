//! A tool that another tool calls: whatever it requires holds for the caller of the whole call.

use axum::Router;
use mcp_runtime::{Principal, Result, Server, prelude::*};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::support::{Reply, Runs, modern};

/// Opens the vault.
#[mcp_tool(scopes("admin"))]
async fn open(runs: &Runs) -> Text<usize> {
    Text(runs.run())
}

struct Clerk;

/// Opens the vault for others.
#[mcp_actions]
impl Clerk {
    /// Opens it at once.
    #[action]
    async fn now(&self, ctx: &Ctx) -> Result<Text<usize>> {
        Ok(Text(ctx.call_tool(open::with()).await?))
    }

    /// Opens it in a run.
    #[action(run)]
    async fn later(&self, ctx: &Ctx) -> Result<Text<usize>> {
        Ok(Text(ctx.call_tool(open::with()).await?))
    }
}

/// Calls the clerk over HTTP, as nobody or as someone with this scope.
async fn call(app: &Router, arguments: &Value, scope: Option<&str>) -> String {
    let mut request = modern(None, "tools/call", json!({ "name": "clerk", "arguments": arguments }), &json!({}));
    if let Some(scope) = scope {
        request.extensions_mut().insert(Principal::new("ann").scopes([scope]));
    }
    Reply::of(app.clone().oneshot(request).await.unwrap()).await.text
}

#[tokio::test]
async fn a_caller_without_the_scope_does_not_get_it_from_another_tool() {
    let runs = Runs::default();
    let server = Server::new("s", "1").state(runs.clone()).tool(Clerk).tools(tools![open]);
    let app = Router::new().nest("/mcp", server.build().unwrap().router());
    let now = json!({ "action": "now", "params": {} });
    let later = json!({ "action": "later", "params": { "wait": true } });
    for arguments in [&now, &later] {
        for scope in [None, Some("other")] {
            let refused = call(&app, arguments, scope).await;
            assert!(refused.contains("`open` needs `admin`"), "{arguments}, {scope:?}: {refused}");
        }
        assert_eq!(runs.count(), 0, "{arguments}");
    }
    for (number, arguments) in [now, later].iter().enumerate() {
        call(&app, arguments, Some("admin")).await;
        assert_eq!(runs.count(), number + 1, "{arguments}");
    }
}
