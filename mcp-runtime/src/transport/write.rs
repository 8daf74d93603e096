//! Frames in as few writes as their client can bear.

use std::{
    fs::File,
    io::{self, IoSlice, Write},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use crate::protocol::frame::{Frame, Kind};

/// No write has more bytes: what a client takes of a large reply is seen.
pub(super) const ENOUGH: usize = 256 * 1024;

/// A result leaves so long after the progress before it.
///
/// The official TypeScript client forgets who waits for progress when it has read the result, and handles both in one
/// turn if it finds them in one read. Two writes right behind each other often end up in one read, even of a quick client.
const PAUSE: Duration = Duration::from_millis(2);

/// A pipe that can be written takes so many bytes without blocking: what POSIX demands, and a page on Linux.
pub(super) const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

#[cfg(unix)]
pub(super) fn is_pipe(stream: &File) -> bool {
    use std::os::unix::fs::FileTypeExt;
    stream.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Whether a pipe can be written.
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

/// Writes these frames and counts the bytes that the other end has taken. If progress is among them, or was written at
/// the time `progress`, responses leave behind all else and after a pause. Returns when progress was last written, if no
/// response has left since.
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
    // Nothing is said about a call behind its response: what overtakes a response belongs to another call.
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

/// Writes these frames, together as far as they are no more than enough.
fn write_in_order(mut stream: &File, mut frames: &[Frame], written: &AtomicUsize) -> io::Result<()> {
    // Most often there is one, and it is small.
    if let [Frame { head, tail: None, .. }] = frames
        && head.len() <= ENOUGH
    {
        stream.write_all(head)?;
        written.fetch_add(head.len(), Relaxed);
        return Ok(());
    }
    while !frames.is_empty() {
        let mut bytes = 0;
        let fit = frames.iter().take_while(|frame| {
            bytes += frame.len();
            bytes <= ENOUGH
        });
        let (now, rest) = frames.split_at(fit.count().max(1));
        write_together(stream, now, written)?;
        frames = rest;
    }
    Ok(())
}

/// Small frames are put together, shared tails are written from where they are.
fn write_together(stream: &File, frames: &[Frame], written: &AtomicUsize) -> io::Result<()> {
    if let [frame] = frames {
        let tail = frame.tail.as_deref().map_or(&[][..], Vec::as_slice);
        if tail.is_empty() || ENOUGH < frame.len() {
            return write_pieces(stream, &frame.head, written).and_then(|()| write_pieces(stream, tail, written));
        }
    }
    let mut parts: Vec<Part<'_>> = Vec::new();
    for run in frames.split_inclusive(|frame| frame.tail.is_some()) {
        let mut heads = Vec::with_capacity(run.iter().map(|frame| frame.head.len()).sum());
        run.iter().for_each(|frame| heads.extend_from_slice(&frame.head));
        parts.push(Part::Joined(heads));
        let tail = run.last().and_then(|frame| frame.tail.as_deref());
        parts.extend(tail.map(|tail| Part::Shared(tail)));
    }
    write_parts(stream, &parts, written)
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

fn write_pieces(mut stream: &File, bytes: &[u8], written: &AtomicUsize) -> io::Result<()> {
    for piece in bytes.chunks(ENOUGH) {
        stream.write_all(piece)?;
        written.fetch_add(piece.len(), Relaxed);
    }
    Ok(())
}

fn write_parts(mut stream: &File, parts: &[Part<'_>], written: &AtomicUsize) -> io::Result<()> {
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
