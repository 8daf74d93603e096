//! Log messages and progress that a client misses because it does not read: counted, and told.

use std::time::{Duration, Instant};

use crate::wire::{
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
    pub(super) fn to_report(&mut self, end: bool) -> Option<Report> {
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
