//! What happens around every call: a line in the log, and a limit for each caller.

use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU32, Ordering},
    time::Instant,
};

use governor::{
    DefaultKeyedRateLimiter, Quota,
    clock::{Clock, DefaultClock},
};
use mcp_runtime::{
    CallToolResult, Result,
    layer::{CallInfo, Layer, Next, Rejection},
};

/// The number of calls after which the limiter forgets the callers that have not called for a while.
const CLEANUP: u32 = 1024;

/// Logs the caller, the tool and the outcome of each call. Arguments and results are left out, because they can be secret.
pub(crate) async fn audit(call: CallInfo, next: Next) -> Result<CallToolResult> {
    let begun = Instant::now();
    let outcome = next.run().await;
    let word = if outcome.as_ref().is_ok_and(|result| !result.is_error()) { "succeeded" } else { "failed" };
    eprintln!("`{}` of {} {word} after {:?}", call.tool(), caller(&call), begun.elapsed());
    outcome
}

/// Limits the calls of each caller.
pub(crate) struct CallLimit {
    per_minute: NonZeroU32,
    callers: DefaultKeyedRateLimiter<String>,
    clock: DefaultClock,
    calls: AtomicU32,
}

impl CallLimit {
    pub(crate) fn new(per_minute: NonZeroU32) -> Self {
        let callers = DefaultKeyedRateLimiter::keyed(Quota::per_minute(per_minute));
        Self { per_minute, callers, clock: DefaultClock::default(), calls: AtomicU32::new(0) }
    }
}

impl Layer for CallLimit {
    async fn admit(&self, call: &CallInfo) -> Result<()> {
        if self.calls.fetch_add(1, Ordering::Relaxed) % CLEANUP == CLEANUP - 1 {
            self.callers.retain_recent();
        }
        self.callers.check_key(&caller(call)).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            let message = format!("at most {} calls in a minute; call again in {wait:.0?}", self.per_minute);
            Rejection::too_many_requests(message, wait).into()
        })
    }
}

/// Returns the name of the caller in the log and in the limits. Callers without a principal share one name.
fn caller(call: &CallInfo) -> String {
    call.principal().map_or_else(|| "an anonymous caller".to_owned(), |principal| principal.name().to_owned())
}
