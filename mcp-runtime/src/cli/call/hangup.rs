//! A terminal that goes away while somebody is asked.

use std::{
    io::{self, IsTerminal},
    process,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use super::INTERRUPTED;

/// Ends the program, while this lives, when its terminal is gone. A program that ignores hangups would wait for a key
/// without end, and crossterm keeps a processor busy with that.
pub(super) struct Watch {
    _asking: Sender<()>,
}

impl Watch {
    pub(super) fn start() -> Self {
        let (asking, asked) = channel();
        thread::spawn(move || {
            while asked.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                if !io::stdin().is_terminal() {
                    process::exit(INTERRUPTED.into());
                }
            }
        });
        Self { _asking: asking }
    }
}
