//! The real standard output, kept for the protocol.

use crate::mutex::Mutex;
use std::{fs::File, io};

/// The stream that the client reads. With `redirect`, what the rest of the process writes to standard output goes to
/// standard error from now on, until the process ends: a buffer that is flushed late, or a thread that outlives its call,
/// must not write to the client either.
#[cfg(unix)]
pub(super) fn for_protocol(redirect: bool) -> io::Result<File> {
    use std::os::fd::AsFd;

    /// Descriptor 1 as it was before it was redirected.
    static REAL: Mutex<Option<File>> = Mutex::new(None);

    let mut real = REAL.lock();
    if let Some(real) = &*real {
        return real.try_clone();
    }
    // The descriptor itself, without the buffer and the lock of the standard library's handle.
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
