//! What the command `manifest` of a server prints is a list that the macro reads.

use std::{collections::BTreeMap, env, fs};

use mcp_runtime::{
    Revision, Service,
    prelude::*,
    remote::{ReadRemote, RemoteTool},
    testing::Client,
};
use serde::{Deserialize, Serialize};

mod shop {
    mcp_runtime::remote_tools!("own_manifest.json");
}

#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Black tea.
    Black,
    /// Green tea.
    Green,
}

#[derive(Debug, Deserialize, schemars::JsonSchema, Serialize)]
struct Range {
    /// In cents.
    least: Option<u32>,
    most: u32,
}

#[derive(Deserialize, schemars::JsonSchema, Serialize)]
struct Found {
    kind: Kind,
    price: Option<Range>,
    names: Vec<String>,
    stock: BTreeMap<String, u64>,
    rating: f64,
}

/// Searches the stock.
#[mcp_tool(read_only)]
async fn search(
    /// A prefix of the name.
    text: String,
    kind: Kind,
    price: Option<Range>,
    #[serde(default)] limit: i32,
) -> Json<Found> {
    Json(Found { kind, price, names: vec![text.clone()], stock: BTreeMap::from([(text, 3)]), rating: limit.into() })
}

/// Removes everything.
#[mcp_tool]
async fn clear() -> Result<String, &'static str> {
    Err("nothing is there")
}

/// Calls the tools as a program does that knows only the list.
#[mcp_tool]
async fn caller(ctx: &Ctx) -> mcp_runtime::Result<String> {
    let price = shop::SearchPrice { least: None, most: 500 };
    let arguments =
        shop::Search { price: Some(price), limit: Some(-4), ..shop::Search::new("tea", shop::SearchKind::Green) };
    let found = called(ctx, arguments).await?;
    assert!(matches!(found.kind, shop::SearchOutputKind::Green), "{found:?}");
    let price = found.price.as_ref().unwrap();
    assert_eq!((price.least, price.most), (None, 500));
    assert_eq!((found.names[0].as_str(), found.stock["tea"], found.rating), ("tea", 3, -4.0));
    Ok(called(ctx, shop::Clear {}).await.unwrap_err().to_string())
}

async fn called<T: RemoteTool>(ctx: &Ctx, tool: T) -> mcp_runtime::Result<<T::Output as ReadRemote>::Value> {
    T::Output::read(ctx.call(T::NAME, &tool).await?)
}

fn service() -> Service {
    Server::new("shop", "1.0.0").tools(tools![search, clear, caller]).build().unwrap()
}

#[test]
fn the_saved_manifest_is_the_one_of_the_server() {
    let manifest = format!("{:#}\n", service().manifest());
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/remote_tools/own_manifest.json");
    if env::var_os("BLESS").is_some() {
        fs::write(file, &manifest).unwrap();
    }
    assert_eq!(fs::read_to_string(file).unwrap(), manifest, "run with `BLESS=1` and read `git diff`");
}

#[tokio::test]
async fn arguments_and_outputs_are_those_of_the_server() {
    let service = service();
    let mut client = Client::new(&service, Revision::LATEST);
    assert_eq!(client.call("caller", ()).await.text(), "nothing is there");
}
