//! The server under load: `sustained memory`, `sustained sqlite PATH`, `sustained redis URL` or
//! `sustained stores 'URL URL'`, on stdio.

use std::time::Duration;

use mcp_runtime::{
    Result,
    prelude::*,
    store::{self, MemoryLedger, RedisStore, SqliteStore},
};

#[elicits]
enum Question {
    Sure { sure: bool },
}

/// Give the text back if the user is sure. The server remembers finished calls for 10 minutes.
#[mcp_tool(replayable, answer_within = "10m")]
async fn confirm(ctx: &Ctx<Question>, text: String) -> Result<String> {
    ask(ctx, text).await
}

/// Give the text back if the user is sure. The server remembers finished calls for 5 seconds.
#[mcp_tool(replayable, answer_within = "5s")]
async fn confirm_soon(ctx: &Ctx<Question>, text: String) -> Result<String> {
    ask(ctx, text).await
}

async fn ask(ctx: &Ctx<Question>, text: String) -> Result<String> {
    let Sure { sure } = ctx.elicit::<Sure>(format!("Give {text} back?")).strict().await?;
    if sure { Ok(text) } else { Err("the user is not sure".into()) }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (kind, place) = (arguments.next().unwrap_or_default(), arguments.next().unwrap_or_default());
    let server = Server::new("sustained", "0.1.0").tools(tools![confirm, confirm_soon]);
    let server = match &*kind {
        "memory" => server.ledger(MemoryLedger::new()),
        "sqlite" => server.store(SqliteStore::open(place)?),
        // So that the memory of Redis is flat soon.
        "redis" => server.ledger(RedisStore::builder(&place).keep_replies(Duration::from_secs(5)).connect().await?),
        "stores" => server.store(store::open(&place).await?),
        _ => return Err("the ledger is `memory`, `sqlite PATH`, `redis URL` or `stores 'URL URL'`".into()),
    };
    Ok(server.serve_stdio().await?)
}
