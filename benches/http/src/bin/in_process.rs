//! An application that calls a tool of its own process, or reads what its server offers beside tools. Its arguments are
//! `TOOL COUNT`; `view`, `called`, `skills`, `searched` and `found` are not tools.

#[path = "../../../src/tools/asking.rs"]
#[allow(dead_code, reason = "only the handoff is called")]
mod asking;

use std::error::Error;

use mcp_runtime::{
    Elicited, Server,
    elicit::ElicitRequest,
    plugin::{Plugin, PluginHost},
    prelude::*,
    search::Search,
    skills,
    tool::DynamicTool,
};
use serde_json::{Value, json};

use self::asking::{HandOver, QuestionHandler, Sure};

/// A text of 100 bytes.
const TEXT: &str =
    "The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog, and sleeps";

/// Give the text back.
#[mcp_tool]
async fn echo(
    /// The text to give back.
    text: String,
) -> String {
    text
}

/// Give the text back, with the help of another tool.
#[mcp_tool]
async fn echo_by_another(ctx: &Ctx, text: String) -> mcp_runtime::Result<String> {
    ctx.call_tool(echo::with(text)).await
}

/// A page that the server joins with its client.
#[mcp_view("ui://bench/seats", html = "../../../../examples/flights/src/seats.html")]
struct Seats;

/// Show the seats.
#[mcp_tool(view = Seats)]
async fn seats() -> Json<Vec<String>> {
    Json(Vec::new())
}

/// A user who is always sure.
struct SureUser;

impl QuestionHandler for SureUser {
    async fn sure(&self, _: ElicitRequest<'_, Sure>) -> Elicited<Sure> {
        Elicited::Accept(Sure { sure: true })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let tool = arguments.next().ok_or("no tool")?;
    let count: u32 = arguments.next().ok_or("no count")?.parse()?;
    let server = Server::new("bench", "0.1.0").tools(tools![echo]);
    match &*tool {
        "view" => {
            let request = json!({ "uri": "ui://bench/seats" });
            return ask(server.tools(tools![seats]), count, "resources/read", &request, "text/html;profile=mcp-app")
                .await;
        }
        "called" => {
            let request = json!({ "name": "echo_by_another", "arguments": { "text": TEXT } });
            return ask(server.tools(tools![echo_by_another]), count, "tools/call", &request, TEXT).await;
        }
        "skills" => {
            let skills = skills!["../../../../mcp-runtime/src/docs/macros/skills/refunds"];
            return ask(server.skills(skills), count, "skills/list", &json!({}), "refunds").await;
        }
        "searched" => {
            let request = json!({ "name": "search_tools", "arguments": { "query": "cancel an order of a customer" } });
            return ask(many(server), count, "tools/call", &request, "cancel_order").await;
        }
        "found" => {
            let call = json!({ "name": "echo", "arguments": { "text": TEXT } });
            let request = json!({ "name": "call_tool", "arguments": call });
            return ask(many(server), count, "tools/call", &request, TEXT).await;
        }
        _ => {}
    }
    let host = PluginHost::builder(server).plugin(Plugin::new(HandOver).on_elicit(SureUser)).start().await?;
    for _ in 0..count {
        let call = host.call(&tool, json!({ "text": TEXT })).await?;
        let outcome = call.outcome().await;
        if outcome.text() != TEXT {
            return Err(format!("a wrong outcome: {outcome:?}").into());
        }
    }
    Ok(())
}

/// Adds 300 tools, which clients search.
fn many(mut server: Server) -> Server {
    let verbs = ["create", "list", "update", "cancel", "archive", "export", "share", "approve", "find", "count"];
    let nouns = "order invoice customer project issue release file meeting contract payment refund product \
                 warehouse shipment driver route ticket report budget account team employee holiday room device \
                 backup certificate domain message survey";
    for (verb, noun) in verbs.iter().flat_map(|verb| nouns.split(' ').map(move |noun| (verb, noun))) {
        let text = format!("Calls the service to {verb} one or several of the {noun}s that a customer or a team has.");
        let schema = json!({ "type": "object", "properties": { "id": { "type": "string", "description": format!("The {noun}.") } } });
        server = server.tool(DynamicTool::from_schema(
            format!("{verb}_{noun}"),
            text,
            schema,
            async |_: Ctx, _: Value| "done",
        ));
    }
    server.searchable(Search::new())
}

/// Makes a request again and again, as a client of the newest revision does. Each reply must contain this text.
async fn ask(server: Server, count: u32, method: &str, params: &Value, expected: &str) -> Result<(), Box<dyn Error>> {
    let mut client = server.build()?.memory();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "0.1.0" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": { "io.modelcontextprotocol/ui": {} } },
    });
    let mut params = params.clone();
    params["_meta"] = meta;
    let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    for _ in 0..count {
        client.send(&request).await;
        let reply = client.receive().await.ok_or("no reply")?;
        if !reply.contains(expected) {
            return Err(format!("a wrong reply: {reply}").into());
        }
    }
    Ok(())
}
