//! Requests that take too long.

use std::time::Duration;

use mcp_runtime::remote::RemoteError;
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::{servers::shop, text};
use crate::support::remote_servers::{Kind, Started};

#[tokio::test]
async fn a_request_without_reply_and_progress_ends_and_is_cancelled() {
    for kind in Kind::ALL {
        let shop = Started::of(kind, shop).await;
        let call = shop.remote.call("wait", json!({})).timeout(Duration::from_secs(1));
        let error = timeout(Duration::from_secs(10), call.into_future()).await.unwrap().unwrap_err();
        assert!(matches!(error, RemoteError::Timeout { .. }), "{kind:?}: {error}");
        let cancelled = async {
            while !shop.done.take().contains(&"cancelled".to_owned()) {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(10), cancelled).await.unwrap_or_else(|_| panic!("{kind:?}"));
    }
}

#[tokio::test]
async fn a_timeout_can_be_as_long_as_a_duration() {
    for kind in Kind::ALL {
        let remote = Started::of(kind, shop).await.remote.timeout(Duration::MAX);
        assert_eq!(text(&remote.call("note", json!({ "line": "tea" })).await.unwrap()), "3", "{kind:?}");
    }
}
