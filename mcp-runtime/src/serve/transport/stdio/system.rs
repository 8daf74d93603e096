//! Standard input and output on Unix.

use std::{
    fs::File,
    io,
    os::{fd::AsFd, unix::fs::FileTypeExt},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::base::mutex::Mutex;

/// The real standard output: descriptor 1 as it was before the redirection.
static REAL: Mutex<Option<File>> = Mutex::new(None);

/// Returns standard input as a file. `std::io::Stdin` has a buffer and a lock, which are not needed here.
pub(super) fn standard_input() -> io::Result<File> {
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Returns the stream that the client reads. If `redirect` is set, all other output of the process then goes to
/// standard error. The redirection lasts until the process ends, because a buffer can be flushed late, and a thread can
/// outlive its call.
pub(super) fn protocol_output(redirect: bool) -> io::Result<File> {
    let mut real = REAL.lock();
    if let Some(real) = &*real {
        return real.try_clone();
    }
    // Duplicated, to avoid the buffer and the lock of the standard library's handle.
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    if redirect {
        let kept = output.try_clone()?;
        rustix::stdio::dup2_stdout(io::stderr())?;
        *real = Some(kept);
    }
    Ok(output)
}

/// Returns whether the client has closed its end of standard input. Some input may still be unread.
pub(super) fn is_closed(input: &File) -> bool {
    events(input, PollFlags::empty()).contains(PollFlags::HUP)
}

pub(super) fn is_pipe(stream: &File) -> bool {
    stream.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo())
}

/// Returns whether a small write to this pipe would not block.
pub(super) fn is_writable(pipe: &File) -> bool {
    events(pipe, PollFlags::OUT) == PollFlags::OUT
}

/// Returns which of the `wanted` events, and of the end of the stream, have happened.
fn events(stream: &File, wanted: PollFlags) -> PollFlags {
    let mut polled = [PollFd::new(stream, wanted)];
    poll(&mut polled, Some(&Timespec::default())).map_or(PollFlags::empty(), |_| polled[0].revents())
}
