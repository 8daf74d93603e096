//! Frames in as few writes as their client can bear.

use std::{
    fs::File,
    io::{self, IoSlice, Write},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use crate::wire::frame::{Frame, Kind};

/// No write has more bytes: what a client takes of a large reply is seen.
pub(super) const ENOUGH: usize = 256 * 1024;

/// Writes these frames in their order, and counts the bytes that the other end has taken.
pub(super) fn write_frames(stream: &File, mut frames: &[Frame], written: &AtomicUsize) -> io::Result<()> {
    while !frames.is_empty() {
        let (now, rest) = frames.split_at(leave_together(frames));
        write_together(stream, now, written)?;
        frames = rest;
    }
    Ok(())
}

/// How many of these frames leave in the next write. A result does not leave with the progress before it: the official
/// TypeScript client forgets who waits for progress when it has read the result, and handles both in one turn if it reads
/// them at once.
fn leave_together(frames: &[Frame]) -> usize {
    let (mut bytes, mut progress) = (0, false);
    for (index, frame) in frames.iter().enumerate() {
        bytes += frame.len();
        if index > 0 && (progress && frame.status.is_some() || ENOUGH < bytes) {
            return index;
        }
        progress |= frame.kind == Kind::Progress;
    }
    frames.len()
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
    for frame in frames {
        match parts.last_mut() {
            Some(Part::Joined(bytes)) => bytes.extend_from_slice(&frame.head),
            _ => parts.push(Part::Joined(frame.head.clone())),
        }
        parts.extend(frame.tail.as_deref().map(|tail| Part::Shared(tail)));
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
