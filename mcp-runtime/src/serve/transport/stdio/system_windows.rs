//! Standard input and output on Windows, where the server does not redirect output and cannot check a pipe.

use std::{fs::File, io, os::windows::io::AsHandle};

pub(super) fn standard_input() -> io::Result<File> {
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

pub(super) fn protocol_output(_redirect: bool) -> io::Result<File> {
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

pub(super) fn is_closed(_input: &File) -> bool {
    false
}

pub(super) fn is_pipe(_stream: &File) -> bool {
    false
}

pub(super) fn is_writable(_pipe: &File) -> bool {
    false
}
