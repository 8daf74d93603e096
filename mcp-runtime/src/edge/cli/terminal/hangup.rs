//! Handles a terminal that closes during a prompt.

use std::{
    io::{self, IsTerminal},
    process,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use crate::edge::cli::exit::INTERRUPTED;

/// While this value exists, the program ends when its terminal is closed. Otherwise a program that ignores hangups
/// would wait for a key press forever, and crossterm would keep a processor core busy.
pub(crate) struct HangupWatch {
    _asking: Sender<()>,
}

impl HangupWatch {
    pub(crate) fn start() -> Self {
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
