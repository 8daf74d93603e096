//! Log messages and progress that a client misses because it does not read: counted, and told.

use std::time::{Duration, Instant};

use crate::protocol::{
    frame::{Frame, Kind, push_json},
    level::Level,
};

/// What was dropped, until it is told.
#[derive(Default)]
pub(super) struct Dropped {
    gap: Option<Gap>,
    /// Not reported to the operator yet.
    unreported: Report,
    reported: Option<Instant>,
}

/// Frames that are missing at one place of the queue.
struct Gap {
    /// The place of the frame that would have followed.
    place: usize,
    frames: usize,
    /// The least severe of the log messages among them: the client has asked for this level.
    level: Option<Level>,
}

/// What the operator is told: how many frames were dropped.
#[derive(Default)]
pub(super) struct Report(usize);

/// The operator is told at most this often.
const INTERVAL: Duration = Duration::from_secs(60);

impl Dropped {
    /// Counts a frame that would have stood at this place of the queue.
    pub(super) fn count(&mut self, kind: Kind, place: usize) {
        let gap = self.gap.get_or_insert(Gap { place, frames: 0, level: None });
        gap.frames += 1;
        if let Kind::Log(level) = kind {
            gap.level = Some(gap.level.map_or(level, |least| least.min(level)));
        }
        self.unreported.0 += 1;
    }

    /// Puts a log message where frames are missing. A client that has asked for progress alone gets none.
    pub(super) fn tell_client(&mut self, frames: &mut Vec<Frame>) {
        let Some(Gap { place, frames: missing, level: Some(least) }) = self.gap.take() else { return };
        let level = least.max(Level::Warning);
        let text = format!(
            "{missing} log messages and progress notifications were dropped here: the client did not read them"
        );
        let notice = Frame::log(level, "mcp-runtime", |out| push_json(out, &text));
        frames.insert(place.min(frames.len()), notice);
    }

    /// What is to be reported to the operator now, or at the `end`.
    pub(super) fn take_report(&mut self, end: bool) -> Option<Report> {
        let due = end || self.reported.is_none_or(|reported| INTERVAL < reported.elapsed());
        if self.unreported.0 == 0 || !due {
            return None;
        }
        self.reported = Some(Instant::now());
        Some(std::mem::take(&mut self.unreported))
    }
}

impl Report {
    pub(super) fn report(&self) {
        crate::report!(
            "{} log messages and progress notifications were dropped: the client does not read standard output",
            self.0
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(dropped: &mut Dropped) -> Vec<String> {
        let mut frames = vec![Frame::notification("first", |_| {}), Frame::notification("last", |_| {})];
        dropped.tell_client(&mut frames);
        frames.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_client_is_told_once_where_frames_are_missing_at_a_level_it_asked_for() {
        let mut dropped = Dropped::default();
        dropped.count(Kind::Progress, 1);
        dropped.count(Kind::Log(Level::Alert), 1);
        dropped.count(Kind::Log(Level::Error), 1);
        let frames = told(&mut dropped);
        assert_eq!(frames.len(), 3);
        assert!(frames[1].contains(r#""level":"error""#) && frames[1].contains("\"3 log messages"), "{}", frames[1]);
        assert_eq!(told(&mut dropped).len(), 2);

        dropped.count(Kind::Log(Level::Debug), 1);
        assert!(told(&mut dropped)[1].contains(r#""level":"warning""#));
    }

    #[test]
    fn a_client_without_log_messages_is_not_told_of_progress() {
        let mut dropped = Dropped::default();
        dropped.count(Kind::Progress, 0);
        assert_eq!(told(&mut dropped).len(), 2);
    }

    #[test]
    fn the_operator_is_told_at_once_and_at_the_end() {
        let mut dropped = Dropped::default();
        assert!(dropped.take_report(true).is_none());
        dropped.count(Kind::Progress, 0);
        assert_eq!(dropped.take_report(false).map(|report| report.0), Some(1));
        dropped.count(Kind::Progress, 0);
        assert!(dropped.take_report(false).is_none());
        assert_eq!(dropped.take_report(true).map(|report| report.0), Some(1));
    }
}
