//! What the operator is told went wrong on the server's side.

use std::{fmt::Display, time::Duration};

use crate::mutex::Mutex;
use tokio::{
    runtime::Handle,
    time::{Instant, sleep_until},
};

/// How often a line that a flood of requests would repeat is written at most.
const WINDOW: Duration = Duration::from_secs(10);

/// Tells the operator what went wrong on the server's side: through `tracing` where somebody listens to it, else on
/// standard error.
macro_rules! report {
    ($($message:tt)*) => {{
        #[cfg(feature = "tracing")]
        let told = tracing::dispatcher::has_been_set();
        #[cfg(not(feature = "tracing"))]
        let told = false;
        if told {
            #[cfg(feature = "tracing")]
            tracing::error!($($message)*);
        } else {
            eprintln!($($message)*);
        }
    }};
}

/// The same for what every request of a flood might say: the first is told at once, and the others of the next ten
/// seconds as a count.
macro_rules! report_limited {
    ($($message:tt)*) => {{
        static LIMIT: crate::report::RateLimit = crate::report::RateLimit::new(|line| crate::report!("{line}"));
        LIMIT.report(&format_args!($($message)*));
    }};
}

pub(crate) use {report, report_limited};

/// Limits the lines of one kind to one in ten seconds, and counts the others.
pub(crate) struct RateLimit {
    write: fn(&str),
    told: Mutex<Option<Told>>,
}

/// The last line that was written.
struct Told {
    at: Instant,
    line: String,
    /// How many more there were since.
    more: u64,
}

impl RateLimit {
    pub(crate) const fn new(write: fn(&str)) -> Self {
        Self { write, told: Mutex::new(None) }
    }

    pub(crate) fn report(&'static self, message: &dyn Display) {
        let mut told = self.told.lock();
        if let Some(told) = told.as_mut().filter(|told| told.at.elapsed() < WINDOW) {
            told.more += 1;
            let end = told.at + WINDOW;
            // Without a runtime the count is written with the next line.
            if told.more == 1
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
        let before = told.replace(Told { at: Instant::now(), line: line.clone(), more: 0 });
        drop(told);
        before.and_then(|before| before.count()).into_iter().for_each(|count| (self.write)(&count));
        (self.write)(&line);
    }

    /// Writes how many there were, and begins to count anew.
    fn write_count(&self) {
        let mut told = self.told.lock();
        let Some(last) = told.as_mut().filter(|told| told.at.elapsed() >= WINDOW) else { return };
        let count = last.count();
        (last.at, last.more) = (Instant::now(), 0);
        drop(told);
        count.into_iter().for_each(|count| (self.write)(&count));
    }
}

impl Told {
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
    async fn a_flood_is_one_line_in_ten_seconds_with_a_count() {
        static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
        static LIMIT: RateLimit = RateLimit::new(|line| LINES.lock().push(line.to_owned()));
        let lines = || std::mem::take(&mut *LINES.lock());
        for number in 0..3 {
            LIMIT.report(&format_args!("refused {number}"));
        }
        assert_eq!(lines(), ["refused 0"]);
        sleep(WINDOW + Duration::from_millis(1)).await;
        assert_eq!(lines(), ["refused 0 (and 2 more in the last 10 s)"]);
        // The flood goes on: one line in each window.
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
    fn without_a_runtime_the_count_comes_with_the_next_line() {
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
