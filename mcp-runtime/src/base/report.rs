//! Reports faults of the server to the operator.

use std::{
    fmt::{self, Display},
    io::{self, Write as _},
    time::Duration,
};

use crate::base::mutex::Mutex;
use tokio::{
    runtime::Handle,
    time::{Instant, sleep_until},
};

/// The minimum time between two lines of the same kind.
const WINDOW: Duration = Duration::from_secs(10);

/// Logs a fault of the server: through `tracing` if a subscriber is set, else to standard error.
macro_rules! report {
    ($($message:tt)*) => {
        crate::base::report::write(format_args!($($message)*))
    };
}

/// Logs like `report!`, but at most one line in ten seconds, because a client can cause such a message with every
/// request. Writes the first message at once, and later the number of suppressed messages.
macro_rules! report_limited {
    ($($message:tt)*) => {{
        static LIMIT: crate::base::report::RateLimit = crate::base::report::RateLimit::new(|line| crate::report!("{line}"));
        LIMIT.report(&format_args!($($message)*));
    }};
}

pub(crate) use {report, report_limited};

pub(crate) fn write(line: fmt::Arguments<'_>) {
    #[cfg(feature = "tracing")]
    if tracing::dispatcher::has_been_set() {
        tracing::error!(target: "mcp_runtime", "{line}");
        return;
    }
    // If standard error is closed, the line is lost. In this case `eprintln!` would panic and so end the call.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes at most one line in ten seconds, and counts the suppressed lines.
pub(crate) struct RateLimit {
    write: fn(&str),
    last: Mutex<Option<LastLine>>,
}

/// The last line written.
struct LastLine {
    at: Instant,
    line: String,
    /// The number of lines that were suppressed since this line was written.
    more: u64,
}

impl RateLimit {
    pub(crate) const fn new(write: fn(&str)) -> Self {
        Self { write, last: Mutex::new(None) }
    }

    pub(crate) fn report(&'static self, message: &dyn Display) {
        let mut last = self.last.lock();
        if let Some(last) = last.as_mut().filter(|last| last.at.elapsed() < WINDOW) {
            last.more += 1;
            let end = last.at + WINDOW;
            // Outside a runtime, the count is written with the next line.
            if last.more == 1
                && let Ok(runtime) = Handle::try_current()
            {
                runtime.spawn(async move {
                    sleep_until(end).await;
                    self.write_count();
                });
            }
            return;
        }
        let line = message.to_string();
        let before = last.replace(LastLine { at: Instant::now(), line: line.clone(), more: 0 });
        drop(last);
        before.and_then(|before| before.count()).into_iter().for_each(|count| (self.write)(&count));
        (self.write)(&line);
    }

    /// Writes the count of suppressed lines and resets it.
    fn write_count(&self) {
        let mut guard = self.last.lock();
        let Some(last) = guard.as_mut().filter(|last| last.at.elapsed() >= WINDOW) else { return };
        let count = last.count();
        (last.at, last.more) = (Instant::now(), 0);
        drop(guard);
        count.into_iter().for_each(|count| (self.write)(&count));
    }
}

impl LastLine {
    fn count(&self) -> Option<String> {
        let Self { line, more, .. } = self;
        (*more > 0).then(|| format!("{line} (and {more} more in the last {} s)", WINDOW.as_secs()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, sleep};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn writes_a_flood_as_one_line_per_ten_seconds_with_a_count() {
        static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
        static LIMIT: RateLimit = RateLimit::new(|line| LINES.lock().push(line.to_owned()));
        let lines = || std::mem::take(&mut *LINES.lock());
        for number in 0..3 {
            LIMIT.report(&format_args!("refused {number}"));
        }
        assert_eq!(lines(), ["refused 0"]);
        sleep(WINDOW + Duration::from_millis(1)).await;
        assert_eq!(lines(), ["refused 0 (and 2 more in the last 10 s)"]);
        // During the flood: one line in each window.
        for _ in 0..5 {
            LIMIT.report(&"refused");
        }
        assert_eq!(lines(), [""; 0]);
        sleep(WINDOW + Duration::from_millis(1)).await;
        assert_eq!(lines(), ["refused 0 (and 5 more in the last 10 s)"]);
        sleep(3 * WINDOW).await;
        LIMIT.report(&"refused again");
        assert_eq!(lines(), ["refused again"], "nothing was left to count");
    }

    #[test]
    fn writes_the_count_with_the_next_line_outside_a_runtime() {
        static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
        static LIMIT: RateLimit = RateLimit::new(|line| LINES.lock().push(line.to_owned()));
        LIMIT.report(&"first");
        LIMIT.report(&"second");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            advance(WINDOW).await;
            LIMIT.report(&"third");
        });
        assert_eq!(*LINES.lock(), ["first", "first (and 1 more in the last 10 s)", "third"]);
    }
}
