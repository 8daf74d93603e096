//! The shop written with `mcp-runtime`. Run it with `shop_ours ADDRESS REDIS PRICES`.

#[path = "../shop.rs"]
mod shop;
#[path = "../../../http/src/until_told.rs"]
mod until_told;

use mcp_runtime::{Result, prelude::*, store::RedisStore};

use self::{
    shop::{Cart, Failure, Shop},
    until_told::until_told,
};

/// Put pieces of a product into the cart of a user.
#[mcp_tool]
async fn add_to_cart(shop: &Shop, user: String, product: String, pieces: i64) -> Result<Json<Cart>, Failure> {
    Ok(Json(shop.add(&user, &product, pieces).await?))
}

#[elicits]
enum Question {
    Sure { sure: bool },
}

/// Put pieces of a product into the cart of a user, if the user is sure.
#[mcp_tool(replayable)]
async fn order(shop: &Shop, ctx: &Ctx<Question>, user: String, product: String, pieces: i64) -> Result<Json<Cart>> {
    let Sure { sure } = ctx.elicit::<Sure>(format!("Order {pieces} pieces of {product}?")).strict().await?;
    if !sure {
        return Err("the user is not sure".into());
    }
    ctx.try_step("add", shop.add(&user, &product, pieces)).await.map(Json)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::result::Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().ok_or("run it with `shop_ours ADDRESS REDIS PRICES`");
    let (address, redis, prices) = (next()?, next()?, next()?);
    let server = Server::new("shop", "0.1.0")
        // One address stands for many users here.
        .max_open_calls_per_client(usize::MAX)
        .ledger(RedisStore::connect(&redis).await?)
        .state(Shop::open(&redis, prices).await?)
        .tools(tools![add_to_cart, order]);
    server.build()?.serve_http(address, until_told()).await?;
    Ok(())
}
