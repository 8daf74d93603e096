//! The runs in Redis, with real servers that stop, lose data, fill up and fail over.

mod changes;
mod indexes;
mod losing;
mod sharing;

use mcp_runtime::store::RedisStore;

use crate::{
    actions::records::{NO_LIMIT, NO_LIMITS, change, insert, run},
    support::redis_server::RedisServer,
};

async fn connect(server: &RedisServer) -> RedisStore {
    RedisStore::builder(&server.url()).durable().connect().await.unwrap()
}
