//! The queue of frames to write to standard output.

use std::time::Instant;

use super::dropped::Dropped;
use crate::wire::protocol::frame::{Frame, Kind};

/// While the frames in the queue occupy this many bytes, the thread that reads standard input waits.
pub(super) const MAX_QUEUED: usize = 4 * 1024 * 1024;

/// The memory of a frame that is counted in addition to its bytes.
const OVERHEAD: usize = 512;

/// The frames that are not written yet, and what the threads that write them must know.
#[derive(Default)]
pub(super) struct Queue {
    pub(super) frames: Vec<Frame>,
    /// The memory that `frames` occupy.
    pub(super) bytes: usize,
    pub(super) writing: bool,
    /// Whether `frames` contains replies of the thread that reads standard input.
    pub(super) has_replies: bool,
    /// Whether `frames` contains progress notifications.
    pub(super) has_progress: bool,
    /// When a frame was last written by the thread that sent it.
    pub(super) written_directly: Option<Instant>,
    /// The time of the last written progress notification. `None` if a response was written after it.
    pub(super) progress_written: Option<Instant>,
    /// Whether the writer thread has been started.
    pub(super) has_writer: bool,
    /// Whether the thread that reads standard input waits for room in the queue.
    pub(super) reader_waits: bool,
    /// Whether the connection is closed. If so, `emptied` is notified and the writer thread ends when the queue is
    /// empty.
    pub(super) closed: bool,
    /// Whether a write has failed. Further frames are discarded.
    pub(super) broken: bool,
    pub(super) dropped: Dropped,
}

impl Queue {
    pub(super) fn push(&mut self, frame: Frame) {
        if !self.broken {
            self.bytes += frame.len() + OVERHEAD;
            self.has_progress |= frame.kind == Kind::Progress;
            self.frames.push(frame);
        }
    }

    /// Takes all frames from the queue, and inserts a log message where frames were dropped.
    pub(super) fn take(&mut self) -> Vec<Frame> {
        self.bytes = 0;
        self.has_replies = false;
        self.has_progress = false;
        let mut frames = std::mem::take(&mut self.frames);
        self.dropped.tell_client(&mut frames);
        frames
    }

    /// Puts an empty vector into the queue, so that the next frames reuse its memory.
    pub(super) fn use_again(&mut self, empty: Vec<Frame>) {
        const FEW: usize = 64;
        if self.frames.capacity() == 0 && empty.capacity() <= FEW {
            self.frames = empty;
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= MAX_QUEUED
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty() && !self.writing
    }
}
