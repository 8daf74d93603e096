//! Writes frames with few system calls, in an order and at times that all clients accept.

use std::{
    fs::File,
    io::{self, IoSlice, Write},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use crate::wire::protocol::frame::{Frame, Kind};

/// The largest write in bytes. A larger reply is split, so that `Output::finish` can see whether the client still
/// reads.
pub(super) const MAX_WRITE: usize = 256 * 1024;

/// The pause between a progress notification and the response that follows it.
///
/// If one read returns both, the official TypeScript client removes the request's progress handler before it handles
/// the progress. Without a pause, two writes often end up in one read, even with a fast client.
const PAUSE: Duration = Duration::from_millis(2);

/// How many bytes a writable pipe accepts without blocking. On Linux this is a page, elsewhere the POSIX minimum.
pub(super) const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

#[cfg(unix)]
pub(super) fn is_pipe(stream: &File) -> bool {
    use std::os::unix::fs::FileTypeExt;
    stream.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Whether a write of [`AT_ONCE`] bytes to this pipe would not block.
#[cfg(unix)]
pub(super) fn is_writable(pipe: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut polled = [PollFd::new(pipe, PollFlags::OUT)];
    poll(&mut polled, Some(&Timespec::default())).is_ok_and(|_| polled[0].revents() == PollFlags::OUT)
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_stream: &File) -> bool {
    false
}

#[cfg(not(unix))]
pub(super) fn is_writable(_pipe: &File) -> bool {
    false
}

/// Writes these frames and adds their size to `written`. `progress` is the time of the last progress notification, or
/// `None` if a response was written after that notification. If `progress` is not `None`, or if `frames` contains a
/// progress notification, writes the responses last, after a pause. Returns the new value of `progress`.
pub(super) fn write_frames(
    stream: &File,
    frames: &mut Vec<Frame>,
    progress: Option<Instant>,
    written: &AtomicUsize,
) -> io::Result<Option<Instant>> {
    let reports = |frame: &Frame| frame.kind == Kind::Progress;
    if progress.is_none() && !frames.iter().any(reports) {
        return write_in_order(stream, frames, written).map(|()| None);
    }
    // Safe to reorder: a response is the last frame of its call, so all frames that overtake it belong to other calls.
    let (responses, before): (Vec<_>, Vec<_>) = frames.drain(..).partition(|frame| frame.status.is_some());
    write_in_order(stream, &before, written)?;
    let progress = if before.iter().any(reports) { Some(Instant::now()) } else { progress };
    if responses.is_empty() {
        return Ok(progress);
    }
    let passed = progress.map_or(PAUSE, |progress| progress.elapsed());
    thread::sleep(PAUSE.saturating_sub(passed));
    write_in_order(stream, &responses, written).map(|()| None)
}

/// Writes these frames in order, in batches of at most [`MAX_WRITE`] bytes.
fn write_in_order(mut stream: &File, mut frames: &[Frame], written: &AtomicUsize) -> io::Result<()> {
    // The most frequent case: one small frame.
    if let [Frame { head, tail: None, .. }] = frames
        && head.len() <= MAX_WRITE
    {
        stream.write_all(head)?;
        written.fetch_add(head.len(), Relaxed);
        return Ok(());
    }
    while !frames.is_empty() {
        let mut bytes = 0;
        let fit = frames.iter().take_while(|frame| {
            bytes += frame.len();
            bytes <= MAX_WRITE
        });
        let (now, rest) = frames.split_at(fit.count().max(1));
        write_together(stream, now, written)?;
        frames = rest;
    }
    Ok(())
}

/// Writes several frames with one system call. Copies the heads of the frames, but not their tails, because several
/// frames can share one tail.
fn write_together(stream: &File, frames: &[Frame], written: &AtomicUsize) -> io::Result<()> {
    if let [frame] = frames {
        let tail = frame.tail.as_deref().map_or(&[][..], Vec::as_slice);
        if tail.is_empty() || MAX_WRITE < frame.len() {
            return write_pieces(stream, &frame.head, written).and_then(|()| write_pieces(stream, tail, written));
        }
    }
    let mut parts: Vec<FramePart<'_>> = Vec::new();
    for run in frames.split_inclusive(|frame| frame.tail.is_some()) {
        let mut heads = Vec::with_capacity(run.iter().map(|frame| frame.head.len()).sum());
        run.iter().for_each(|frame| heads.extend_from_slice(&frame.head));
        parts.push(FramePart::Joined(heads));
        let tail = run.last().and_then(|frame| frame.tail.as_deref());
        parts.extend(tail.map(|tail| FramePart::Shared(tail)));
    }
    write_parts(stream, &parts, written)
}

enum FramePart<'a> {
    Joined(Vec<u8>),
    Shared(&'a [u8]),
}

impl FramePart<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Joined(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

fn write_pieces(mut stream: &File, bytes: &[u8], written: &AtomicUsize) -> io::Result<()> {
    for piece in bytes.chunks(MAX_WRITE) {
        stream.write_all(piece)?;
        written.fetch_add(piece.len(), Relaxed);
    }
    Ok(())
}

fn write_parts(mut stream: &File, parts: &[FramePart<'_>], written: &AtomicUsize) -> io::Result<()> {
    let mut slices: Vec<IoSlice<'_>> = parts.iter().map(|part| IoSlice::new(part.bytes())).collect();
    let mut left = slices.as_mut_slice();
    while !left.is_empty() {
        match stream.write_vectored(left) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                written.fetch_add(count, Relaxed);
                IoSlice::advance_slices(&mut left, count);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
