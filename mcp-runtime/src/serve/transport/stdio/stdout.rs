//! Keeps the real standard output for the protocol.

use crate::base::mutex::Mutex;
use std::{fs::File, io};

/// Returns the stream that the client reads. If `redirect` is set, all other output of the process then goes to
/// standard error. The redirection lasts until the process ends, because a buffer can be flushed late, and a thread can
/// outlive its call.
#[cfg(unix)]
pub(super) fn for_protocol(redirect: bool) -> io::Result<File> {
    use std::os::fd::AsFd;

    /// The real standard output: descriptor 1 as it was before the redirection.
    static REAL: Mutex<Option<File>> = Mutex::new(None);

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

#[cfg(windows)]
pub(super) fn for_protocol(_redirect: bool) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
