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

/// Writes these frames in order, with few system calls of at most [`MAX_WRITE`] bytes each. Copies nothing, because
/// several frames can share one long tail.
fn write_in_order(mut stream: &File, frames: &[Frame], written: &AtomicUsize) -> io::Result<()> {
    // The most frequent case: one small frame.
    if let [Frame { head, tail: None, .. }] = frames
        && head.len() <= MAX_WRITE
    {
        stream.write_all(head)?;
        written.fetch_add(head.len(), Relaxed);
        return Ok(());
    }
    let parts = frames.iter().flat_map(|frame| [Some(&frame.head), frame.tail.as_deref()]).flatten();
    let mut slices: Vec<_> = parts.flat_map(|part| part.chunks(MAX_WRITE)).map(IoSlice::new).collect();
    let mut left = slices.as_mut_slice();
    while !left.is_empty() {
        let mut bytes = 0;
        let fit = left.iter().take_while(|slice| {
            bytes += slice.len();
            bytes <= MAX_WRITE
        });
        match stream.write_vectored(&left[..fit.count()]) {
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
