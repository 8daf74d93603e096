//! What the tool does: it asks a service for the price, and changes a cart in Redis. Both servers written in Rust use it.

use redis::{AsyncTypedCommands as _, aio::ConnectionManager};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The connections, which all calls share.
#[derive(Clone)]
pub(crate) struct Shop {
    redis: ConnectionManager,
    http: reqwest::Client,
    prices: String,
}

/// A cart after the change.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Cart {
    /// The number of pieces of the product.
    pieces: i64,
    /// The number of different products.
    products: usize,
    /// What these pieces cost.
    cents: i64,
}

#[derive(Deserialize)]
struct Price {
    cents: i64,
}

impl Shop {
    /// Connects to Redis at this URL. `prices` is the URL of the service.
    pub(crate) async fn open(redis: &str, prices: String) -> Result<Self, Failure> {
        let redis = ConnectionManager::new(redis::Client::open(redis)?).await?;
        Ok(Self { redis, http: reqwest::Client::new(), prices })
    }

    /// Reads the cart, asks for the price, and writes what changed.
    pub(crate) async fn add(&self, user: &str, product: &str, pieces: i64) -> Result<Cart, Failure> {
        let mut redis = self.redis.clone();
        let cart = format!("cart:{user}");
        let before = redis.hgetall(&cart).await?;
        let price: Price = self.http.get(format!("{}/{product}", self.prices)).send().await?.json().await?;
        let mut change = redis::pipe();
        change.hincr(&cart, product, pieces).zincr("popular", product, pieces).ignore();
        change.lpush(format!("history:{user}"), product).ignore().ltrim(format!("history:{user}"), 0, 9).ignore();
        let (pieces,): (i64,) = change.query_async(&mut redis).await?;
        let products = before.len() + usize::from(!before.contains_key(product));
        Ok(Cart { pieces, products, cents: pieces * price.cents })
    }
}
