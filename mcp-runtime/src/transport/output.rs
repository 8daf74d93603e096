//! Standard output: what is ready together leaves in one write, and only so much waits for a client that does not read.
//!
//! The thread that reads standard input writes its own replies. What comes while it is busy is written by a second
//! thread, which exists from the first such frame on; it is not a thread of the runtime, so that a client that does not
//! read cannot keep the runtime from shutting down. Only a small frame that a pipe takes at once is written where it comes
//! from.

use std::{
    fs::File,
    io,
    sync::{
        Arc, Condvar, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use tokio::{sync::Notify, time::timeout};

use super::{
    dropped::Dropped,
    write::{self, write_frames},
};
use crate::{
    call::Outlet,
    mutex::Mutex,
    protocol::frame::{Frame, Kind},
};

/// A queue of frames in front of a stream.
pub(super) struct Output {
    queue: Mutex<Queue>,
    /// Whether [`MOST_WAITING`] is reached, to be read without the lock.
    full: AtomicBool,
    /// Wakes the reader when there is room again.
    room: Condvar,
    /// Wakes the thread that writes what comes late.
    late: Condvar,
    /// How many bytes the client has been given.
    written: AtomicUsize,
    stream: File,
    /// Whether that tells how much it takes at once.
    is_pipe: bool,
    broken: Notify,
    emptied: Notify,
}

#[derive(Default)]
struct Queue {
    frames: Vec<Frame>,
    /// The memory that `frames` hold.
    bytes: usize,
    writing: bool,
    /// The reader's own replies are among `frames`.
    has_replies: bool,
    /// Progress is among `frames`.
    has_progress: bool,
    /// When a frame was last written where it came from.
    written_alone: Option<Instant>,
    /// When progress was last written, if no response has left since.
    progress_written: Option<Instant>,
    /// The thread that writes what comes late is there.
    has_writer: bool,
    /// The reader waits for room.
    reader_waits: bool,
    /// The connection is closed: `emptied` is awaited, and the thread that writes ends with its work.
    closed: bool,
    /// The other end is gone: everything further is dropped.
    broken: bool,
    dropped: Dropped,
}

/// While so much memory is held for what is not written yet, the reader waits.
const MOST_WAITING: usize = 4 * 1024 * 1024;

/// While so much is held, log messages and progress are dropped: they alone never make the reader wait.
const MOST_BEFORE_DROPPING: usize = MOST_WAITING / 4;

/// What comes within this of a frame that was written alone leaves together.
const ALONE: Duration = Duration::from_micros(20);

/// How often a reader that waits looks whether its client has closed its end.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

impl Output {
    pub(super) fn new(stream: File) -> Self {
        Self {
            queue: Mutex::default(),
            full: AtomicBool::new(false),
            room: Condvar::new(),
            late: Condvar::new(),
            written: AtomicUsize::new(0),
            is_pipe: write::is_pipe(&stream),
            stream,
            broken: Notify::new(),
            emptied: Notify::new(),
        }
    }

    /// Adds a reply. The caller flushes when it has no more.
    pub(super) fn push(self: &Arc<Self>, frame: Frame) {
        let mut queue = self.queue.lock();
        queue.push(frame);
        queue.has_replies = true;
        if queue.bytes >= write::ENOUGH {
            self.note_fullness(&queue);
            drop(queue);
            self.flush();
        }
    }

    /// Writes the replies that were added, unless another thread is writing.
    pub(super) fn flush(self: &Arc<Self>) {
        let mut queue = self.queue.lock();
        if queue.writing || !queue.has_replies {
            return;
        }
        // The caller does not wait for the pause behind progress.
        if !queue.has_progress && queue.progress_written.is_none() {
            queue = self.write_out(queue);
        }
        // It has something else to do, too, than to write what others add all the time.
        if !queue.frames.is_empty() && !self.wake_writer(&mut queue) {
            drop(queue);
            self.write_all();
        }
    }

    /// Waits while the client has more to read than may wait, unless it has closed its end: the little that it has sent
    /// before is still taken then, so that serving can end.
    pub(super) fn wait_for_room(self: &Arc<Self>, is_closed: impl Fn() -> bool) {
        if !self.full.load(Relaxed) {
            return;
        }
        self.flush();
        let mut queue = self.queue.lock();
        while queue.is_full() {
            queue.reader_waits = true;
            let waited = self.room.wait_timeout(queue, LOOK_INTERVAL).unwrap_or_else(PoisonError::into_inner);
            queue = waited.0;
            if waited.1.timed_out() && is_closed() {
                break;
            }
        }
        queue.reader_waits = false;
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    /// Nothing was read for `patience`.
    pub(super) async fn finish(self: &Arc<Self>, patience: Duration) -> io::Result<()> {
        self.close();
        let mut before = self.written.load(Relaxed);
        loop {
            let mut emptied = std::pin::pin!(self.emptied.notified());
            emptied.as_mut().enable();
            if self.queue.lock().is_empty() {
                self.report_dropped();
                return Ok(());
            }
            if timeout(patience, emptied).await.is_err() {
                let now = self.written.load(Relaxed);
                if now == before {
                    self.report_dropped();
                    let why = format!("standard output was not read for {patience:?}; what was left to write is lost");
                    return Err(io::Error::new(io::ErrorKind::TimedOut, why));
                }
                before = now;
            }
        }
    }

    fn report_dropped(&self) {
        let dropped = self.queue.lock().dropped.take_report(true);
        dropped.into_iter().for_each(|dropped| dropped.report());
    }

    /// Has the thread that writes end when everything is written.
    pub(super) fn close(self: &Arc<Self>) {
        let mut queue = self.queue.lock();
        queue.closed = true;
        if queue.frames.is_empty() || queue.writing {
            self.late.notify_one();
        } else if !self.wake_writer(&mut queue) {
            drop(queue);
            self.write_all();
        }
    }

    /// Waits until a write fails.
    pub(super) async fn broken(&self) {
        self.broken.notified().await;
    }

    /// Whether the one frame that waits can be written without blocking the thread.
    fn takes_at_once(&self, queue: &Queue) -> bool {
        let is_small = |frame: &Frame| frame.kind == Kind::Required && frame.len() <= write::AT_ONCE;
        self.is_pipe
            && queue.frames.first().is_some_and(is_small)
            // A pause would follow.
            && queue.progress_written.is_none()
            && queue.written_alone.is_none_or(|written| written.elapsed() > ALONE)
            && write::is_writable(&self.stream)
    }

    /// Writes what is there now.
    fn write_out<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        queue.writing = true;
        let (mut frames, progress) = (queue.take(), queue.progress_written.take());
        let dropped = queue.dropped.take_report(false);
        self.note_fullness(&queue);
        drop(queue);
        if let Some(dropped) = dropped {
            dropped.report();
        }
        let written = write_frames(&self.stream, &mut frames, progress, &self.written);
        frames.clear();
        let mut queue = self.queue.lock();
        queue.writing = false;
        queue.use_again(frames);
        match written {
            Ok(progress) => queue.progress_written = progress,
            Err(_) => {
                queue.broken = true;
                queue.take();
                self.note_fullness(&queue);
                self.broken.notify_one();
            }
        }
        if queue.closed && queue.is_empty() {
            self.emptied.notify_waiters();
        }
        queue
    }

    /// Writes until nothing is left, unless another thread is writing.
    fn write_all(&self) {
        let mut queue = self.queue.lock();
        while !queue.writing && !queue.frames.is_empty() {
            queue = self.write_out(queue);
        }
    }

    /// Has the thread that writes what comes late go on. `false` if it cannot be started.
    fn wake_writer(self: &Arc<Self>, queue: &mut Queue) -> bool {
        if queue.has_writer {
            self.late.notify_one();
            return true;
        }
        let output = Arc::clone(self);
        let thread = std::thread::Builder::new().name("mcp-stdout".into());
        queue.has_writer = thread.spawn(move || output.write_late()).is_ok();
        queue.has_writer
    }

    fn write_late(&self) {
        loop {
            self.write_all();
            let mut queue = self.queue.lock();
            if queue.closed && queue.is_empty() {
                queue.has_writer = false;
                return;
            }
            if queue.writing || queue.frames.is_empty() {
                drop(self.late.wait(queue).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Keeps what [`Output::full`] says, and wakes the reader if it may go on.
    fn note_fullness(&self, queue: &Queue) {
        self.full.store(queue.is_full(), Relaxed);
        if queue.reader_waits && !queue.is_full() {
            self.room.notify_all();
        }
    }
}

impl Queue {
    fn push(&mut self, frame: Frame) {
        if !self.broken {
            self.bytes += held_by(&frame);
            self.has_progress |= frame.kind == Kind::Progress;
            self.frames.push(frame);
        }
    }

    /// What is to be written now, with what the client is told about frames that were dropped.
    fn take(&mut self) -> Vec<Frame> {
        self.bytes = 0;
        self.has_replies = false;
        self.has_progress = false;
        let mut frames = std::mem::take(&mut self.frames);
        self.dropped.tell_client(&mut frames);
        frames
    }

    /// Spares the next frame an allocation.
    fn use_again(&mut self, empty: Vec<Frame>) {
        const FEW: usize = 64;
        if self.frames.capacity() == 0 && empty.capacity() <= FEW {
            self.frames = empty;
        }
    }

    fn is_full(&self) -> bool {
        self.bytes >= MOST_WAITING
    }

    fn is_empty(&self) -> bool {
        self.frames.is_empty() && !self.writing
    }
}

/// About the memory that a frame holds. What was allocated for its worst case and is not used counts little.
fn held_by(frame: &Frame) -> usize {
    const OVERHEAD: usize = 512;
    frame.len() + OVERHEAD
}

/// For calls that end, or say something, while the reader is busy.
pub(super) struct Late(pub(super) Arc<Output>);

impl Outlet for Late {
    fn send(&self, frame: Frame) {
        let Self(output) = self;
        let mut queue = output.queue.lock();
        if frame.kind.may_be_dropped() && queue.bytes >= MOST_BEFORE_DROPPING {
            let place = queue.frames.len();
            return queue.dropped.count(frame.kind, place);
        }
        let first = queue.frames.is_empty() && !queue.writing;
        queue.push(frame);
        output.note_fullness(&queue);
        if first && output.takes_at_once(&queue) {
            queue = output.write_out(queue);
            queue.written_alone = Some(Instant::now());
            // What came meanwhile was left to this thread.
            if queue.frames.is_empty() {
                return;
            }
        }
        if first && !output.wake_writer(&mut queue) {
            drop(queue);
            output.write_all();
        }
    }
}
