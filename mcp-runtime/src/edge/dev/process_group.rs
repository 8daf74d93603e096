//! A child process, and the processes that it has started itself.

use std::io;

use tokio::process::{Child, Command};

/// A child process in a process group of its own, where the system has such groups. Ctrl-C at the terminal does not
/// reach it, so that the parent decides in which order its children end. The whole group is killed on drop.
pub(crate) struct ProcessGroup(Child);

impl ProcessGroup {
    pub(crate) fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true).spawn().map(Self)
    }

    pub(crate) fn child(&mut self) -> &mut Child {
        &mut self.0
    }

    /// Kills the process, and those that it has started and that still run.
    pub(crate) fn kill(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};

            // A process that has ended and was waited for has no id any more, so its id is not that of another.
            let id = self.0.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
            if let Some(id) = id {
                let _ = kill_process_group(id, Signal::KILL);
            }
        }
        // It may have ended already.
        let _ = self.0.start_kill();
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.kill();
    }
}
