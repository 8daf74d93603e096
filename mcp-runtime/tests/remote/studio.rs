//! A server whose tools are tasks.

use std::time::Duration;

use mcp_runtime::{Result, prelude::*};
use tokio::time::sleep;

use crate::support::remote_servers::{Done, Kind, Started};

#[elicits]
pub(crate) enum Colors {
    Color { name: String },
    Frame { name: String },
}

/// Paints for a while.
#[mcp_tool(task)]
async fn paint(done: &Done, ctx: &Ctx, millis: u64) -> String {
    done.add("paint");
    ctx.progress(0.5).message("painting");
    sleep(Duration::from_millis(millis)).await;
    "painted".to_owned()
}

/// Cannot be called without tasks.
#[mcp_tool(task, requires(tasks))]
async fn varnish() -> Result<String> {
    Err("the varnish is empty".into())
}

/// Asks for two colors, one after the other.
#[mcp_tool(task)]
async fn mix(done: &Done, ctx: &Ctx<Colors>) -> Result<String> {
    let first = ctx.elicit::<Color>("Which color?").strict().await?.name;
    let second = ctx.elicit::<Frame>("Which frame?").strict().await?.name;
    done.add(format!("mix {first} {second}"));
    Ok(format!("{first} and {second}"))
}

/// Never ends. Notes that it was cancelled.
#[mcp_tool(task)]
async fn dry(done: &Done, ctx: &Ctx) {
    struct Cancelled(Done);
    impl Drop for Cancelled {
        fn drop(&mut self) {
            self.0.add("cancelled");
        }
    }
    done.add("dry");
    let _cancelled = Cancelled(done.clone());
    ctx.progress(0.5).message("drying");
    std::future::pending::<()>().await;
}

/// Returns more than a call records.
#[mcp_tool(task, read_only)]
async fn large() -> String {
    "x".repeat(100_000)
}

#[derive(serde::Serialize)]
struct Unserializable(std::collections::BTreeMap<(u8, u8), u8>);

impl schemars::JsonSchema for Unserializable {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Unserializable".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// Returns what JSON cannot carry.
#[mcp_tool(task)]
async fn spill() -> Json<Unserializable> {
    Json(Unserializable([((1, 2), 3)].into()))
}

struct Sell;

/// Sells a picture. The delivery takes a while.
#[handoff(task)]
impl Sell {
    async fn before(&self, millis: u64) -> u64 {
        millis
    }

    async fn client(ctx: &Ctx<Colors>, _millis: &u64) -> Result<String> {
        Ok(ctx.elicit::<Color>("Which one?").strict().await?.name)
    }

    async fn after(&self, done: &Done, millis: u64, name: String) -> String {
        done.add(format!("sell {name}"));
        sleep(Duration::from_millis(millis)).await;
        format!("{name} is sold")
    }
}

pub(crate) fn studio(done: &Done) -> Server {
    Server::new("studio", "1").state(done.clone()).tools(tools![paint, varnish, mix, dry, large, spill]).tool(Sell)
}

impl Started {
    /// Starts a server whose tools are tasks.
    pub(crate) async fn studio(kind: Kind) -> Self {
        Self::of(kind, studio).await
    }
}

impl Done {
    /// Waits until this was done.
    pub(crate) async fn until(&self, what: &str) {
        let done = async {
            while !self.has(what) {
                sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), done).await.unwrap_or_else(|_| panic!("`{what}` was not done"));
    }
}
