//! A simulated user at a terminal.

use std::{
    ffi::OsStr,
    fs::File,
    io::{Read, Write},
    num::NonZeroU16,
    os::fd::OwnedFd,
    process::{Child, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use pty_process::{
    Size,
    blocking::{Command, open},
};

use crate::cli::program::{Ran, program};

/// The program, with its standard input and standard error at a terminal. Standard output is a pipe.
pub(super) struct Terminal {
    child: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

pub(super) const ENTER: &str = "\r";
pub(super) const ESC: &str = "\x1b";
pub(super) const CTRL_C: &str = "\x03";
pub(super) const UP: &str = "\x1b[A";
pub(super) const DOWN: &str = "\x1b[B";
pub(super) const BACKSPACE: &str = "\x7f";

const ROWS: NonZeroU16 = NonZeroU16::new(50).unwrap();
const COLUMNS: NonZeroU16 = NonZeroU16::new(100).unwrap();

/// A time limit that is far longer than any step needs.
const PATIENCE: Duration = Duration::from_secs(60);

impl Terminal {
    /// Starts the program with these arguments.
    pub(super) fn start(arguments: &[&str]) -> Self {
        Self::start_with::<&str>(arguments, &[])
    }

    /// Starts the program with these arguments and these environment variables.
    pub(super) fn start_with<V: AsRef<OsStr>>(arguments: &[&str], variables: &[(&str, V)]) -> Self {
        Self::start_program("cli_server", arguments, variables)
    }

    /// Starts another program.
    pub(super) fn start_program<V: AsRef<OsStr>>(name: &str, arguments: &[&str], variables: &[(&str, V)]) -> Self {
        let (pty, seat) = open().unwrap();
        pty.resize(Size::new(ROWS.get(), COLUMNS.get())).unwrap();
        let keys = File::from(OwnedFd::from(pty));
        let command = Command::from(program(name)).args(arguments).stdout(Stdio::piped());
        let child =
            command.env("TERM", "xterm").envs(variables.iter().map(|(name, value)| (name, value))).spawn(seat).unwrap();
        let mut reader = keys.try_clone().unwrap();
        let (show, shown) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Ends with the program, which alone has the other end of the terminal.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if show.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, shown, screen: vt100::Parser::new(ROWS, COLUMNS, 0) }
    }

    /// Types these keys at once.
    pub(super) fn press(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self
    }

    /// Waits until the screen contains these lines one below the other. Each line must match completely.
    pub(super) fn sees(&mut self, lines: &str) -> &mut Self {
        let lines: Vec<_> = lines.lines().map(str::trim_end).collect();
        self.watch(|screen| screen.windows(lines.len()).any(|window| window == lines), &format!("{lines:#?}"));
        self
    }

    /// Returns the screen when the program has ended, and how it ended.
    pub(super) fn ends(mut self) -> Ran {
        let until = Instant::now() + PATIENCE;
        while let Ok(bytes) = self.shown.recv_timeout(until.saturating_duration_since(Instant::now())) {
            self.screen.process(&bytes);
        }
        let errors = self.lines().join("\n").trim_end().to_owned();
        assert!(Instant::now() < until, "the program does not end; on the screen:\n{errors}");
        let mut output = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        Ran { code: self.child.wait().unwrap().code(), output, errors }
    }

    fn watch(&mut self, fits: impl Fn(&[String]) -> bool, wanted: &str) {
        let until = Instant::now() + PATIENCE;
        while !fits(&self.lines()) {
            match self.shown.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(error) => panic!("{error}; not on the screen: {wanted}\n\n{}", self.lines().join("\n")),
            }
        }
    }

    fn lines(&self) -> Vec<String> {
        self.screen.screen().contents().lines().map(|line| line.trim_end().to_owned()).collect()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Cleans up after a failed test.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
