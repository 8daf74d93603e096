//! The desk of a shop, with `mcp-runtime`. Its counterparts are `rmcp_desk`, `fastmcp/desk.py` and `typescript/desk.ts`.

use std::{collections::BTreeMap, process::ExitCode};

use mcp_runtime::{Result, prelude::*};

// ANCHOR: state
/// What the shop sells.
struct Shop(BTreeMap<&'static str, Article>);

struct Article {
    cents: u32,
    pieces: u32,
}

impl Shop {
    fn find(&self, name: &str) -> Result<&Article> {
        Ok(self.0.get(name).ok_or_else(|| format!("there is no article `{name}`"))?)
    }
}
// ANCHOR_END: state

// ANCHOR: tool
/// Says what articles cost.
#[mcp_tool(read_only)]
async fn price(
    shop: &Shop,
    /// The article, such as `tea`.
    article: String,
    /// How many pieces. Default: 1.
    pieces: Option<u32>,
) -> Result<String> {
    let pieces = pieces.unwrap_or(1);
    let cents = shop.find(&article)?.cents * pieces;
    Ok(format!("{pieces} {article}: {cents} cents"))
}
// ANCHOR_END: tool

// ANCHOR: structured
/// An article in stock.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Stock {
    article: String,
    pieces: u32,
}

/// Counts the pieces in stock.
#[mcp_tool(read_only)]
async fn stock(
    shop: &Shop,
    /// The article, such as `tea`.
    article: String,
) -> Result<Json<Stock>> {
    let pieces = shop.find(&article)?.pieces;
    Ok(Json(Stock { article, pieces }))
}
// ANCHOR_END: structured

// ANCHOR: form
#[elicits]
enum Ordering {
    Confirm {
        /// Whether to send the order.
        confirmed: bool,
        /// A note for the shop.
        note: Option<String>,
    },
}

/// Orders an article. The user confirms the order.
#[mcp_tool]
async fn order(
    ctx: &Ctx<Ordering>,
    shop: &Shop,
    /// The article, such as `tea`.
    article: String,
) -> Result<String> {
    let cents = shop.find(&article)?.cents;
    let question = format!("Order {article} for {cents} cents?");
    Ok(match ctx.elicit::<Confirm>(question).await? {
        Elicited::Accept(Confirm { confirmed: true, note }) => {
            format!("Ordered {article}. Note: {}.", note.as_deref().unwrap_or("none"))
        }
        Elicited::Accept(_) | Elicited::Decline => "Nothing is ordered.".to_owned(),
        Elicited::Cancel => "The user closed the form.".to_owned(),
    })
}
// ANCHOR_END: form

// ANCHOR: resource
/// The list of prices.
#[mcp_resource("desk://prices", mime_type = "text/plain")]
async fn prices(shop: &Shop) -> String {
    shop.0.iter().map(|(name, article)| format!("{name}: {} cents\n", article.cents)).collect()
}
// ANCHOR_END: resource

// ANCHOR: prompt
/// Asks for a reminder to a customer.
#[mcp_prompt]
async fn reminder(
    /// Who gets it.
    customer: String,
    /// How it sounds. Default: friendly.
    tone: Option<String>,
) -> String {
    format!("Write a {} reminder to {customer}.", tone.as_deref().unwrap_or("friendly"))
}
// ANCHOR_END: prompt

// ANCHOR: main
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let articles = [("cup", Article { cents: 700, pieces: 3 }), ("tea", Article { cents: 400, pieces: 12 })];
    Server::new("desk", "1.0.0")
        .state(Shop(articles.into()))
        .tools(tools![price, stock, order])
        .resources(resources![prices])
        .prompts(prompts![reminder])
        .run()
        .await
}
// ANCHOR_END: main
