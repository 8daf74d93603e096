//! A rate limit for the calls that one caller makes of one tool. A layer rejects further calls with the status 429.
//!
//! Each instance counts in its own memory. So, behind a load balancer, a caller can reach the limit on each instance.

use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
};

use governor::{
    DefaultKeyedRateLimiter, Quota,
    clock::{Clock, DefaultClock},
};
use mcp_runtime::{
    Result,
    layer::{CallInfo, Layer, Rejection},
};

/// After each `CLEANUP` calls, the buckets that are full again are removed.
const CLEANUP: u32 = 1024;

/// A token bucket for each tool and principal. Callers without an identity share one bucket per tool.
pub struct RateLimit {
    calls: NonZeroU32,
    buckets: DefaultKeyedRateLimiter<Key>,
    clock: DefaultClock,
    admitted: AtomicU32,
}

/// The names of the tool and the principal.
type Key = (String, Option<String>);

impl RateLimit {
    /// Creates a limit of `calls` calls per minute. The calls can come all at once.
    pub fn per_minute(calls: NonZeroU32) -> Self {
        let buckets = DefaultKeyedRateLimiter::keyed(Quota::per_minute(calls));
        Self { calls, buckets, clock: DefaultClock::default(), admitted: AtomicU32::new(0) }
    }
}

impl Layer for RateLimit {
    // Not `around`, which runs again when a call that asks its user is rebuilt. Such a call counts once.
    async fn admit(&self, call: &CallInfo) -> Result<()> {
        if self.admitted.fetch_add(1, Ordering::Relaxed) % CLEANUP == CLEANUP - 1 {
            self.buckets.retain_recent();
        }
        let key = (call.tool().to_owned(), call.principal().map(|principal| principal.name().to_owned()));
        self.buckets.check_key(&key).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            let Self { calls, .. } = self;
            let message = format!("at most {calls} calls of `{}` per minute; call again in {wait:.0?}", call.tool());
            Rejection::too_many_requests(message, wait).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mcp_runtime::{
        Revision, Server, Service,
        prelude::*,
        testing::{Client, Outcome},
    };
    use serde_json::json;

    use super::*;

    #[mcp_tool(description = "Does nothing.")]
    async fn rest() {}

    #[mcp_tool(description = "Does nothing either.")]
    async fn sleep() {}

    #[elicits]
    enum Questions {
        Sure { sure: bool },
    }

    struct Ask;

    /// Asks twice.
    #[handoff]
    impl Ask {
        async fn before(&self) {}

        async fn client(ctx: &Ctx<Questions>) -> Result<()> {
            ctx.elicit::<Sure>("Sure?").strict().await?;
            ctx.elicit::<Sure>("Really?").strict().await?;
            Ok(())
        }

        async fn after(&self, _before: (), _client: ()) {}
    }

    fn service(calls: u32) -> Service {
        let limit = RateLimit::per_minute(NonZeroU32::new(calls).unwrap());
        Server::new("limited", "1").layer(limit).tools(tools![rest, sleep]).tool(Ask).build().unwrap()
    }

    fn is_admitted(outcome: &Outcome) -> bool {
        let Some(error) = outcome.error() else { return true };
        assert_eq!(error.code, -32603);
        let wait = Duration::from_millis(error.data["retryAfterMs"].as_u64().unwrap());
        assert!(wait > Duration::ZERO && wait <= Duration::from_secs(30), "{error:?}");
        assert!(error.message.starts_with("at most 2 calls of `rest` per minute; call again in "), "{error:?}");
        false
    }

    #[tokio::test]
    async fn each_caller_has_its_own_limit_for_each_tool() {
        for revision in [Revision::V2025_11_25, Revision::LATEST] {
            let service = service(2);
            let mut ada = Client::new(&service, revision).principal("ada");
            assert!(is_admitted(&ada.call("rest", ()).await));
            assert!(is_admitted(&ada.call("rest", ()).await));
            assert!(!is_admitted(&ada.call("rest", ()).await));
            assert!(is_admitted(&ada.call("sleep", ()).await), "another tool");
            let mut grace = Client::new(&service, revision).principal("grace");
            assert!(is_admitted(&grace.call("rest", ()).await), "another caller");
        }
    }

    #[tokio::test]
    async fn a_call_that_asks_counts_once() {
        let service = service(1);
        let mut client = Client::modern(&service).rebuilding();
        let asked = client.call("ask", json!({})).accept(Sure { sure: true }).accept(Sure { sure: true }).await;
        assert!(!asked.is_error(), "{:?}", asked.error());
        assert_eq!(asked.rounds(), 3);
        assert!(client.call("ask", json!({})).await.error().is_some());
    }
}
