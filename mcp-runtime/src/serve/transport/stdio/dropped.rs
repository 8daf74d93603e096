//! Counts the log messages and progress notifications that were dropped because the client does not read, and reports
//! them.

use std::time::{Duration, Instant};

use crate::wire::protocol::{
    frame::{Frame, Kind, push_json},
    level::Level,
};

/// The log messages and progress notifications that were dropped and not reported yet.
#[derive(Default)]
pub(super) struct Dropped {
    gap: Option<Gap>,
    /// The number of dropped frames that were not reported to the operator yet.
    unreported: usize,
    /// When the operator last got a report.
    reported: Option<Instant>,
}

/// The frames dropped at one position of the queue.
struct Gap {
    /// The position in the queue where the first frame was dropped.
    place: usize,
    frames: usize,
    /// The lowest level of the dropped log messages. The report to the client has at least this level, because the
    /// client wants messages of this level.
    level: Option<Level>,
}

/// The shortest time between two reports to the operator.
const INTERVAL: Duration = Duration::from_secs(60);

impl Dropped {
    /// Counts a frame that was dropped at the position `place` of the queue.
    pub(super) fn count(&mut self, kind: Kind, place: usize) {
        let gap = self.gap.get_or_insert(Gap { place, frames: 0, level: None });
        gap.frames += 1;
        if let Kind::Log(level) = kind {
            gap.level = Some(gap.level.map_or(level, |least| least.min(level)));
        }
        self.unreported += 1;
    }

    /// Inserts a log message at the position where frames were dropped. If only progress was dropped, inserts nothing,
    /// because the client may not have asked for log messages.
    pub(super) fn tell_client(&mut self, frames: &mut Vec<Frame>) {
        let Some(Gap { place, frames: missing, level: Some(least) }) = self.gap.take() else { return };
        let level = least.max(Level::Warning);
        let text = format!(
            "{missing} log messages and progress notifications were dropped here: the client did not read them"
        );
        let notice = Frame::log(level, "mcp-runtime", |out| push_json(out, &text));
        frames.insert(place.min(frames.len()), notice);
    }

    /// Returns how many frames the operator must be told about: those that were dropped since the last report. Returns
    /// `None` if there are none, or if the last report was within a minute, unless the connection ends (`end`).
    pub(super) fn take_report(&mut self, end: bool) -> Option<usize> {
        let due = end || self.reported.is_none_or(|reported| INTERVAL < reported.elapsed());
        if self.unreported == 0 || !due {
            return None;
        }
        self.reported = Some(Instant::now());
        Some(std::mem::take(&mut self.unreported))
    }
}

/// Reports the frames that [`Dropped::take_report`] returned.
pub(super) fn report(frames: usize) {
    crate::report!(
        "{frames} log messages and progress notifications were dropped: the client does not read standard output"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client_reads(dropped: &mut Dropped) -> Vec<String> {
        let mut frames = vec![Frame::notification("first", |_| {}), Frame::notification("last", |_| {})];
        dropped.tell_client(&mut frames);
        frames.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn inserts_one_log_message_where_frames_were_dropped() {
        let mut dropped = Dropped::default();
        dropped.count(Kind::Progress, 1);
        dropped.count(Kind::Log(Level::Alert), 1);
        dropped.count(Kind::Log(Level::Error), 1);
        let frames = client_reads(&mut dropped);
        assert_eq!(frames.len(), 3);
        assert!(frames[1].contains(r#""level":"error""#) && frames[1].contains("\"3 log messages"), "{}", frames[1]);
        assert_eq!(client_reads(&mut dropped).len(), 2);

        dropped.count(Kind::Log(Level::Debug), 1);
        assert!(client_reads(&mut dropped)[1].contains(r#""level":"warning""#));
    }

    #[test]
    fn inserts_nothing_if_only_progress_was_dropped() {
        let mut dropped = Dropped::default();
        dropped.count(Kind::Progress, 0);
        assert_eq!(client_reads(&mut dropped).len(), 2);
    }

    #[test]
    fn reports_to_the_operator_at_once_and_at_the_end() {
        let mut dropped = Dropped::default();
        assert!(dropped.take_report(true).is_none());
        dropped.count(Kind::Progress, 0);
        assert_eq!(dropped.take_report(false), Some(1));
        dropped.count(Kind::Progress, 0);
        assert!(dropped.take_report(false).is_none());
        assert_eq!(dropped.take_report(true), Some(1));
    }
}
