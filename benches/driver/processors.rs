//! Which processors a server and its clients use.

use std::{
    process::{self, Command, Stdio},
    thread,
};

/// If there are two processors, lets this program, and what it starts, use the second one only. Returns the words that
/// begin the command of a server, so that it uses the first one only. If that cannot be done, they share all processors.
pub(crate) fn share() -> &'static [&'static str] {
    if are_two() {
        let mut taskset = Command::new("taskset");
        let status = taskset.args(["-c", "-p", "1", &process::id().to_string()]).stdout(Stdio::null()).status();
        if status.is_ok_and(|status| status.success()) {
            return &["taskset", "-c", "0"];
        }
    }
    &[]
}

/// Returns whether there are at least two processors.
pub(crate) fn are_two() -> bool {
    thread::available_parallelism().is_ok_and(|processors| processors.get() > 1)
}
