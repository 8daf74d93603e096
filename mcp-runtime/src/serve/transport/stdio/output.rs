//! Writes frames (messages) to standard output. Frames that are ready at the same time are written together. If the
//! client does not read, the queue of frames is limited.
//!
//! The *reader*, the thread that reads standard input, writes its own replies, and the questions of calls that it
//! begins. All other frames are written by a *writer thread*, which is started when there is such a frame. The writer
//! thread does not belong to the runtime, so a client that does not read cannot keep the runtime from shutting down.
//! There is one exception: if a pipe accepts a small frame at once, the thread that sends the frame writes it.

use std::{
    fs::File,
    io,
    sync::{
        Arc, Condvar, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

use tokio::{sync::Notify, time::timeout};

use super::{
    dropped,
    queue::{MAX_QUEUED, Queue},
    system,
    write::{self, write_frames},
};
use crate::{
    base::mutex::Mutex,
    engine::call::MessageSink,
    wire::protocol::frame::{Frame, Kind},
};

/// The queue of frames to write to standard output.
pub(super) struct Output {
    queue: Mutex<Queue>,
    /// Wakes the thread that reads standard input, when the queue has room again.
    room: Condvar,
    /// Wakes the writer thread.
    late: Condvar,
    /// How many bytes were written to the client.
    written: AtomicUsize,
    /// The thread that reads standard input, once it has started.
    reader: OnceLock<ThreadId>,
    stream: File,
    /// Whether the stream is a pipe. For a pipe, the server can check whether a write would block.
    is_pipe: bool,
    broken: Notify,
    emptied: Notify,
}

/// While the queue has more bytes than this, log messages and progress are dropped. So they alone never fill the queue.
const DROP_ABOVE: usize = MAX_QUEUED / 4;

/// Frames that are sent within this time after a direct write are left to the writer thread, which can write several
/// frames together.
const DIRECT_WRITE_INTERVAL: Duration = Duration::from_micros(20);

/// How often a reader that waits for room checks whether the client has closed standard input.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

impl Output {
    pub(super) fn new(stream: File) -> Self {
        Self {
            queue: Mutex::default(),
            room: Condvar::new(),
            late: Condvar::new(),
            written: AtomicUsize::new(0),
            reader: OnceLock::new(),
            is_pipe: system::is_pipe(&stream),
            stream,
            broken: Notify::new(),
            emptied: Notify::new(),
        }
    }

    /// Records that the current thread reads standard input.
    pub(super) fn read_by_this_thread(&self) {
        let _ = self.reader.set(thread::current().id());
    }

    /// Queues a reply. Call [`flush`](Self::flush) after the last reply.
    pub(super) fn push(self: &Arc<Self>, frame: Frame) {
        let mut queue = self.queue.lock();
        queue.push(frame);
        queue.has_replies = true;
        if queue.bytes >= write::MAX_WRITE {
            drop(queue);
            self.flush();
        }
    }

    /// Writes the queued frames, unless another thread is writing.
    pub(super) fn flush(self: &Arc<Self>) {
        let mut queue = self.queue.lock();
        if queue.writing || !queue.has_replies {
            return;
        }
        // A response after progress needs a pause: leave it to the writer thread.
        if !queue.has_progress && queue.progress_written.is_none() {
            queue = self.write_out(queue);
        }
        // Leave frames that were added meanwhile to the writer thread.
        if !queue.frames.is_empty() && !self.wake_writer(&mut queue) {
            drop(queue);
            self.write_all();
        }
    }

    /// Waits until the queue has room. Also returns if the client has closed standard input, so that this thread can
    /// read the rest of the input and serving can end.
    pub(super) fn wait_for_room(self: &Arc<Self>, is_closed: impl Fn() -> bool) {
        if !self.queue.lock().is_full() {
            return;
        }
        self.flush();
        let mut queue = self.queue.lock();
        while queue.is_full() {
            queue.reader_waits = true;
            let waited = self.room.wait_timeout(queue, CHECK_INTERVAL).unwrap_or_else(PoisonError::into_inner);
            queue = waited.0;
            if waited.1.timed_out() && is_closed() {
                break;
            }
        }
        queue.reader_waits = false;
    }

    /// Waits until all queued frames are written.
    ///
    /// # Errors
    /// Returns an error if the client read nothing for the time `patience`.
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
                    let why = format!(
                        "the client did not read standard output for {patience:?}; the rest of the output is lost"
                    );
                    return Err(io::Error::new(io::ErrorKind::TimedOut, why));
                }
                before = now;
            }
        }
    }

    fn report_dropped(&self) {
        let dropped = self.queue.lock().dropped.take_report(true);
        dropped.into_iter().for_each(dropped::report);
    }

    /// Makes the writer thread end when all queued frames are written.
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

    /// Whether the queue has only one frame, and writing this frame does not block.
    fn takes_at_once(&self, queue: &Queue) -> bool {
        let is_small = |frame: &Frame| frame.kind == Kind::Required && frame.len() <= write::AT_ONCE;
        self.is_pipe
            && queue.frames.first().is_some_and(is_small)
            // A response after progress needs a pause.
            && queue.progress_written.is_none()
            && queue.written_directly.is_none_or(|written| written.elapsed() > DIRECT_WRITE_INTERVAL)
            && system::is_writable(&self.stream)
    }

    /// Writes the frames that are in the queue now.
    fn write_out<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) -> MutexGuard<'a, Queue> {
        queue.writing = true;
        let (mut frames, progress) = (queue.take(), queue.progress_written.take());
        let dropped = queue.dropped.take_report(false);
        self.wake_reader(&queue);
        drop(queue);
        dropped.into_iter().for_each(dropped::report);
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
                self.wake_reader(&queue);
                self.broken.notify_one();
            }
        }
        if queue.closed && queue.is_empty() {
            self.emptied.notify_waiters();
        }
        queue
    }

    /// Writes until the queue is empty, unless another thread is writing.
    fn write_all(&self) {
        let mut queue = self.queue.lock();
        while !queue.writing && !queue.frames.is_empty() {
            queue = self.write_out(queue);
        }
    }

    /// Wakes or starts the writer thread. Returns `false` if it cannot be started.
    fn wake_writer(self: &Arc<Self>, queue: &mut Queue) -> bool {
        if queue.has_writer {
            self.late.notify_one();
            return true;
        }
        let output = Arc::clone(self);
        let thread = thread::Builder::new().name("mcp-stdout".into());
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

    /// Wakes the thread that reads standard input if it waits and the queue has room.
    fn wake_reader(&self, queue: &Queue) {
        if queue.reader_waits && !queue.is_full() {
            self.room.notify_all();
        }
    }
}

/// Sends the messages of all calls, and the replies of calls that run in tasks.
pub(super) struct BackgroundSink(pub(super) Arc<Output>);

impl MessageSink for BackgroundSink {
    fn send(&self, frame: Frame) {
        let Self(output) = self;
        let mut queue = output.queue.lock();
        if frame.kind.may_be_dropped() && queue.bytes >= DROP_ABOVE {
            let place = queue.frames.len();
            return queue.dropped.count(frame.kind, place);
        }
        let first = queue.frames.is_empty() && !queue.writing;
        let is_required = frame.kind == Kind::Required;
        queue.push(frame);
        if is_required && output.reader.get() == Some(&thread::current().id()) {
            // The reader flushes when it has handled the lines that it has read.
            queue.has_replies = true;
            return;
        }
        if first && output.takes_at_once(&queue) {
            queue = output.write_out(queue);
            queue.written_directly = Some(Instant::now());
            // Other threads may have queued frames meanwhile, without writing them.
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
