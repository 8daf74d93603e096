//! Standard output: what is ready together leaves in one write.

use std::{
    fs::File,
    io::{self, IoSlice, Write},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use tokio::{runtime::Handle, sync::Notify};

use crate::{call::Outlet, wire::frame::Frame};

/// A queue of frames in front of a stream. Whoever finds nobody writing writes, until nothing is left.
pub(super) struct Output {
    queue: Mutex<Queue>,
    idle: Condvar,
    stream: File,
    runtime: Handle,
    broken: Notify,
}

#[derive(Default)]
struct Queue {
    frames: Vec<Frame>,
    bytes: usize,
    writing: bool,
    /// Somebody waits for the end of writing, and must be woken.
    awaited: bool,
    /// The other end is gone: everything further is dropped.
    broken: bool,
}

/// The reader's replies are written at the latest when they are this much.
const ENOUGH: usize = 256 * 1024;

impl Output {
    pub(super) fn new(stream: File, runtime: Handle) -> Self {
        Self { queue: Mutex::default(), idle: Condvar::new(), stream, runtime, broken: Notify::new() }
    }

    /// Adds a reply. The caller flushes when it has no more.
    pub(super) fn push(&self, frame: Frame) {
        let mut queue = self.lock();
        queue.push(frame);
        if queue.bytes >= ENOUGH {
            self.write_out(queue);
        }
    }

    /// Writes what is there, unless somebody is at it.
    pub(super) fn flush(&self) {
        self.write_out(self.lock());
    }

    /// Waits until everything is written.
    pub(super) fn finish(&self) {
        self.flush();
        let mut queue = self.lock();
        queue.awaited = true;
        drop(self.idle.wait_while(queue, |queue| queue.writing).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until a write fails.
    pub(super) async fn broken(&self) {
        self.broken.notified().await;
    }

    fn write_out<'a>(&'a self, mut queue: MutexGuard<'a, Queue>) {
        if queue.writing || queue.frames.is_empty() {
            return;
        }
        queue.writing = true;
        while !queue.frames.is_empty() {
            let frames = std::mem::take(&mut queue.frames);
            queue.bytes = 0;
            drop(queue);
            let written = write_frames(&self.stream, &frames);
            queue = self.lock();
            if written.is_err() {
                queue.broken = true;
                queue.frames.clear();
                self.broken.notify_one();
            }
        }
        queue.writing = false;
        if queue.awaited {
            self.idle.notify_all();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn push(&mut self, frame: Frame) {
        if !self.broken {
            self.bytes += frame.len();
            self.frames.push(frame);
        }
    }
}

/// For calls that end, or say something, while nobody is about to flush: a thread for blocking work writes.
pub(super) struct Late(pub(super) std::sync::Arc<Output>);

impl Outlet for Late {
    fn send(&self, frame: Frame) {
        let mut queue = self.0.lock();
        let first = queue.frames.is_empty() && !queue.writing;
        queue.push(frame);
        drop(queue);
        if first {
            let output = std::sync::Arc::clone(&self.0);
            self.0.runtime.spawn_blocking(move || output.flush());
        }
    }
}

/// Small frames are put together, shared tails are written from where they are.
fn write_frames(mut stream: &File, frames: &[Frame]) -> io::Result<()> {
    let [Frame { head, tail: None, .. }] = frames else {
        let mut parts: Vec<Part<'_>> = Vec::new();
        for frame in frames {
            match parts.last_mut() {
                Some(Part::Joined(bytes)) => bytes.extend_from_slice(&frame.head),
                _ => parts.push(Part::Joined(frame.head.clone())),
            }
            parts.extend(frame.tail.as_deref().map(|tail| Part::Shared(tail)));
        }
        return write_parts(stream, &parts);
    };
    stream.write_all(head)
}

enum Part<'a> {
    Joined(Vec<u8>),
    Shared(&'a [u8]),
}

impl Part<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Joined(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

fn write_parts(mut stream: &File, parts: &[Part<'_>]) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = parts.iter().map(|part| IoSlice::new(part.bytes())).collect();
    let mut left = slices.as_mut_slice();
    while !left.is_empty() {
        match stream.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut left, count),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
