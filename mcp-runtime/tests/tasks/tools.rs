//! A server whose tools are tasks, but for one.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{Result, Server, Service, prelude::*};

/// How often the booking was paid.
#[derive(Clone, Default)]
pub(crate) struct Payments(pub(crate) Arc<AtomicU32>);

#[elicits]
enum Questions {
    First { name: String },
    Second { name: String },
}

/// Sleeps and answers.
#[mcp_tool(task)]
async fn sleep(ctx: &Ctx, millis: u64) -> String {
    ctx.progress(0.5).message("sleeping");
    tokio::time::sleep(Duration::from_millis(millis)).await;
    format!("slept {millis} ms")
}

/// Fails always.
#[mcp_tool(task, requires(tasks))]
async fn fail() -> Result<String> {
    Err("out of order".into())
}

/// Panics always.
#[mcp_tool(task)]
async fn panics() -> String {
    panic!("secret")
}

/// Asks two things at once.
#[mcp_tool(task)]
async fn both(ctx: &Ctx<Questions>) -> Result<String> {
    let (first, second) =
        tokio::join!(ctx.elicit::<First>("First?").strict(), ctx.elicit::<Second>("Second?").strict());
    Ok(format!("{} {}", first?.name, second?.name))
}

/// Asks the same question twice.
#[mcp_tool(task)]
async fn twice(ctx: &Ctx<Questions>) -> Result<String> {
    let First { name: first } = ctx.elicit::<First>("First?").strict().await?;
    let First { name: second } = ctx.elicit::<First>("And now?").strict().await?;
    Ok(format!("{first} {second}"))
}

/// Returns what JSON cannot carry.
#[mcp_tool(task)]
async fn unserializable() -> Json<UnserializableMap> {
    Json(UnserializableMap(BTreeMap::from([((1, 2), 3)])))
}

#[derive(serde::Serialize)]
struct UnserializableMap(BTreeMap<(u8, u8), u8>);

impl schemars::JsonSchema for UnserializableMap {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "UnserializableMap".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

/// Answers at once.
#[mcp_tool]
pub(crate) async fn greet() -> &'static str {
    "hello"
}

struct Book;

/// Books a seat.
#[handoff(task)]
impl Book {
    async fn before(&self, seat: String) -> String {
        seat
    }

    async fn client(ctx: &Ctx<Questions>, _seat: &String) -> Result<String> {
        Ok(ctx.elicit::<First>("For whom?").strict().await?.name)
    }

    async fn after(&self, payments: &Payments, seat: String, name: String) -> String {
        tokio::time::sleep(Duration::from_millis(30)).await;
        payments.0.fetch_add(1, Ordering::SeqCst);
        format!("{seat} for {name}")
    }
}

pub(crate) fn server() -> Server {
    Server::new("s", "1.0.0")
        .state(Payments::default())
        .tools(tools![sleep, fail, panics, both, twice, unserializable, greet])
        .tool(Book)
}

pub(crate) fn service() -> Service {
    server().build().unwrap()
}
