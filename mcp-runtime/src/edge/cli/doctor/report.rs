//! What `doctor` has seen, and how it is written.

use std::time::Duration;

use console::Style;
use serde::Serialize;

use crate::edge::cli::terminal::{counted, one_line};

/// One part of the examination, such as that of a transport.
#[derive(Serialize)]
pub(crate) struct Section {
    title: String,
    steps: Vec<ExaminedStep>,
}

/// One thing that was examined.
#[derive(Serialize)]
struct ExaminedStep {
    mark: Mark,
    text: String,
    #[serde(rename = "milliseconds", skip_serializing_if = "Option::is_none", serialize_with = "milliseconds")]
    time: Option<Duration>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    Ok,
    /// It works, but the author or the operator should know.
    Warning,
    /// It does not work.
    Wrong,
}

fn milliseconds<S: serde::Serializer>(time: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
    time.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)).serialize(to)
}

impl Section {
    pub(crate) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), steps: Vec::new() }
    }

    pub(crate) fn ok(&mut self, text: impl Into<String>) {
        self.add(Mark::Ok, text, None);
    }

    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.add(Mark::Warning, text, None);
    }

    pub(crate) fn wrong(&mut self, text: impl Into<String>) {
        self.add(Mark::Wrong, text, None);
    }

    /// Adds a step that took this time. It is a warning if the time is longer than `limit`.
    pub(crate) fn timed(&mut self, text: impl Into<String>, time: Duration, limit: Duration) {
        if time <= limit {
            return self.add(Mark::Ok, text, Some(time));
        }
        let text = format!("{}: slow; this should take less than {} s", text.into(), limit.as_secs());
        self.add(Mark::Warning, text, Some(time));
    }

    /// Adds the steps of another section. `prefix` says what they are about.
    pub(crate) fn append(&mut self, prefix: &str, other: Self) {
        let steps =
            other.steps.into_iter().map(|step| ExaminedStep { text: format!("{prefix}: {}", step.text), ..step });
        self.steps.extend(steps);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn add(&mut self, mark: Mark, text: impl Into<String>, time: Option<Duration>) {
        self.steps.push(ExaminedStep { mark, text: one_line(&text.into()), time });
    }
}

/// Returns the worst mark.
pub(crate) fn worst(sections: &[Section]) -> Mark {
    let marks = sections.iter().flat_map(|section| &section.steps).map(|step| step.mark);
    marks.max().unwrap_or(Mark::Ok)
}

/// Writes the sections as JSON.
pub(crate) fn json(sections: &[Section]) -> String {
    let report = serde_json::json!({ "mark": worst(sections), "sections": sections });
    format!("{report:#}\n")
}

/// Writes the sections for people. A terminal shows signs in colours, and anything else gets words.
pub(crate) fn text(sections: &[Section], is_terminal: bool) -> String {
    let mut text = String::new();
    for Section { title, steps } in sections {
        text.push_str(&format!("{title}\n"));
        for ExaminedStep { mark, text: step, time } in steps {
            let time = time.map(|time| format!(" ({} ms)", time.as_millis())).unwrap_or_default();
            text.push_str(&format!("  {} {step}{time}\n", sign(*mark, is_terminal)));
        }
        text.push('\n');
    }
    let count = |mark| sections.iter().flat_map(|section| &section.steps).filter(|step| step.mark == mark).count();
    let (wrong, warning_count) = (count(Mark::Wrong), count(Mark::Warning));
    let warnings = counted(warning_count, "warning");
    let ending = match (wrong, warning_count) {
        (0, 0) => "everything works".to_owned(),
        (0, _) => format!("everything works; {warnings}"),
        _ => format!("{}, {warnings}", counted(wrong, "problem")),
    };
    text + &format!("{ending}\n")
}

fn sign(mark: Mark, is_terminal: bool) -> String {
    let (sign, word, style) = match mark {
        Mark::Ok => ("✓", "ok:", Style::new().green()),
        Mark::Warning => ("!", "warning:", Style::new().yellow()),
        Mark::Wrong => ("✗", "wrong:", Style::new().red()),
    };
    if is_terminal { style.apply_to(sign).to_string() } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sections() -> Vec<Section> {
        let mut section = Section::new("Transport");
        section.timed("started", Duration::from_millis(12), Duration::from_secs(5));
        section.timed("listed", Duration::from_secs(7), Duration::from_secs(5));
        section.wrong("two\nlines");
        vec![section]
    }

    #[test]
    fn writes_words_where_no_terminal_is() {
        let expected = "Transport\n  ok: started (12 ms)\n  \
                        warning: listed: slow; this should take less than 5 s (7000 ms)\n  \
                        wrong: two lines\n\n1 problem, 1 warning\n";
        assert_eq!(text(&sections(), false), expected);
        assert!(text(&[], false).ends_with("everything works\n"));
    }

    #[test]
    fn json_has_the_worst_mark_and_the_times() {
        let report: serde_json::Value = serde_json::from_str(&json(&sections())).unwrap();
        assert_eq!(report["mark"], "wrong");
        assert_eq!(report["sections"][0]["steps"][0]["milliseconds"], 12);
        assert!(report["sections"][0]["steps"][2].get("milliseconds").is_none());
    }
}
