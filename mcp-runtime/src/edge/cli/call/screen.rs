//! Shows progress as a bar and log messages as lines on standard error.

use console::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value};

use crate::{
    edge::cli::terminal::{harmless, label, one_line, tell},
    serve::client::{Log, Report},
    wire::protocol::level::Level,
};

/// The number of steps of the progress bar. It does not depend on the unit of the progress.
const STEPS: u64 = 1000;

/// Shows progress and log messages on standard error during a call.
pub(crate) struct Screen {
    tool: String,
    /// The progress bar. It is drawn from the first report on, and only if standard error is a terminal.
    bar: Option<ProgressBar>,
}

impl Screen {
    pub(crate) fn new(tool: &str) -> Self {
        Self { tool: tool.to_owned(), bar: None }
    }

    pub(crate) fn progress(&mut self, report: &Report) {
        let bar = self.bar.get_or_insert_with(|| {
            ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr()).with_style(
                ProgressStyle::with_template("{bar:30} {wide_msg}").unwrap_or_else(|_| ProgressStyle::default_bar()),
            )
        });
        let part = report.total.filter(|total| *total > 0.0).map_or(0.0, |total| report.progress / total);
        bar.set_message(progress_text(report));
        bar.set_position((part.clamp(0.0, 1.0) * STEPS as f64) as u64);
    }

    pub(crate) fn log(&self, log: &Log) {
        let from = log.logger.as_ref().filter(|logger| **logger != self.tool);
        let from = from.map(|logger| format!(" {logger}")).unwrap_or_default();
        let line = format!("{}{from}: {}", label(log.level.as_str(), style(log.level)), harmless(&words(&log.data)));
        match &self.bar {
            Some(bar) => bar.suspend(|| tell(line)),
            None => tell(line),
        }
    }

    /// Removes the progress bar before a prompt or the result. The next progress report draws the bar again.
    pub(crate) fn clear(&mut self) {
        self.bar.take().iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Formats a report as `40% reading`, `3/10` without a message, or `3 reading` without a total.
fn progress_text(Report { progress, total, message }: &Report) -> String {
    let done = match total {
        Some(total) if *total == 1.0 || (message.is_some() && *total > 0.0) => {
            format!("{:.0}%", progress / total * 100.0)
        }
        Some(total) => format!("{progress}/{total}"),
        None => progress.to_string(),
    };
    // The message is shown on one line, even if the tool sends several lines.
    message.iter().fold(done, |done, message| format!("{done} {}", one_line(message)))
}

/// Returns a log message as text. A string stays unchanged. An object with a `message` becomes the text of that
/// message, followed by the other fields of the object.
fn words(data: &Value) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    let message = |fields: &Map<String, Value>| {
        let mut line = fields.get("message")?.as_str()?.to_owned();
        for (name, value) in fields.iter().filter(|(name, _)| *name != "message") {
            line.push_str(&format!(" {name}={}", text(value)));
        }
        Some(line)
    };
    data.as_object().and_then(message).unwrap_or_else(|| text(data))
}

fn style(level: Level) -> Style {
    match level {
        Level::Debug => Style::new().dim(),
        Level::Info | Level::Notice => Style::new().green(),
        Level::Warning => Style::new().yellow(),
        _ => Style::new().red(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shows_progress_in_its_own_unit() {
        let told = |report: Value| progress_text(&serde_json::from_value(report).unwrap());
        assert_eq!(
            told(json!({ "progress": 0.416, "total": 1, "message": "reading\n\u{1b}[2Jfiles" })),
            "42% reading [2Jfiles"
        );
        assert_eq!(told(json!({ "progress": 3, "total": 10.0, "message": "3 of 10 files" })), "30% 3 of 10 files");
        assert_eq!(told(json!({ "progress": 3, "total": 10.0 })), "3/10");
        assert_eq!(told(json!({ "progress": 2.5, "message": "rows" })), "2.5 rows");
    }

    #[test]
    fn shows_a_message_before_its_fields() {
        assert_eq!(words(&json!("plain")), "plain");
        assert_eq!(words(&json!({ "message": "read", "path": "a b", "bytes": 7 })), "read path=a b bytes=7");
        assert_eq!(words(&json!({ "bytes": 7 })), r#"{"bytes":7}"#);
    }
}
