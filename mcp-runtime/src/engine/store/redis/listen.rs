//! Listens to the writes of all processes. The scripts publish each write in a channel.

use std::{future::poll_fn, pin::pin, time::Duration};

use futures_core::Stream as _;
use redis::{
    Client, RedisError,
    aio::{PubSubSink, PubSubStream},
};
use tokio::time::timeout;

use super::{connection::PATIENCE, error::advice};
use crate::engine::{runs::RunChanges, store::listener::report};

/// After this time without a message, the connection is tested. A connection that was cut silently shows no error.
const SILENCE: Duration = Duration::from_secs(10);

/// Reports each message of the channel until the connection is lost. The connection receives nothing else.
pub(super) async fn listen(
    client: Client,
    address: String,
    channel: String,
    changes: RunChanges,
) -> Result<(), String> {
    // The error itself is left out, because some servers repeat the password in errors.
    let failed = |advice: &str| format!("Redis at {address} {advice}");
    let subscribed = timeout(PATIENCE, subscribe(&client, &channel)).await;
    let subscribed = subscribed.map_err(|_| failed("does not answer in time"))?;
    let (mut sink, stream) = subscribed.map_err(|error| failed(advice(&error)))?;
    // Messages from before the subscription are lost.
    changes.any_written();
    let mut stream = pin!(stream);
    loop {
        match timeout(SILENCE, poll_fn(|cx| stream.as_mut().poll_next(cx))).await {
            Ok(Some(message)) => report(&changes, &String::from_utf8_lossy(message.get_payload_bytes())),
            Ok(None) => return Ok(()),
            Err(_) => {
                let repeated = timeout(PATIENCE, sink.subscribe(&channel)).await;
                if !matches!(repeated, Ok(Ok(()))) {
                    return Ok(());
                }
            }
        }
    }
}

async fn subscribe(client: &Client, channel: &str) -> Result<(PubSubSink, PubSubStream), RedisError> {
    let (mut sink, stream) = client.get_async_pubsub().await?.split();
    sink.subscribe(channel).await?;
    Ok((sink, stream))
}
