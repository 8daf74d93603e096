//! The task of a call.
//!
//! While a call in a session waits for its client's answer, it needs no task of the runtime: the thread that receives
//! the answer polls the call. This saves two changes of threads for each question.

use std::{
    mem::replace,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Instant,
};

use tokio::{runtime::Handle, task::AbortHandle};

use super::call_target::{CallTarget, LONG_POLL, PollKind};
use crate::base::mutex::Mutex;

/// The task of one call. Its state says what polls the call's future now.
#[derive(Default)]
pub(crate) struct CallTask(Mutex<TaskState>);

/// The future of a call, and the runtime that polls it.
pub(crate) struct TaskFuture {
    future: Pin<Box<dyn Future<Output = ()> + Send>>,
    runtime: Handle,
}

enum TaskState {
    /// The future was not passed to this task yet.
    New { woken: bool },
    /// No thread polls the future until the call is woken.
    Parked(TaskFuture),
    /// The thread that received the client's answer polls the future.
    Polled { woken: bool },
    /// The future is being passed to the runtime.
    Moving,
    /// The runtime polls the future.
    Spawned(AbortHandle),
    /// The future has ended, or was dropped.
    Ended,
}

impl CallTask {
    /// Runs the future as a task of the runtime. If the call was aborted, drops the future.
    pub(crate) fn spawn(&self, TaskFuture { future, runtime }: TaskFuture) {
        let before = self.set_unless_ended(TaskState::Moving);
        if before.is_none() {
            return;
        }
        // Without the lock: a runtime that shuts down drops the future at once, which can run the author's code.
        let task = runtime.spawn(future).abort_handle();
        if self.set_unless_ended(TaskState::Spawned(task.clone())).is_none() {
            task.abort();
        }
    }

    /// Keeps the future until the call is woken. If the call was woken already, runs the future as a task.
    pub(crate) fn park(&self, parked: TaskFuture) {
        let mut state = self.0.lock();
        if matches!(*state, TaskState::New { woken: false } | TaskState::Polled { woken: false }) {
            *state = TaskState::Parked(parked);
            return;
        }
        drop(state);
        self.spawn(parked);
    }

    /// Takes the future, so that this thread can poll it. Returns `None` if the future is not parked.
    pub(crate) fn unpark(&self) -> Option<TaskFuture> {
        let mut state = self.0.lock();
        match replace(&mut *state, TaskState::Polled { woken: false }) {
            TaskState::Parked(parked) => Some(parked),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Drops the future, or makes the runtime drop it.
    pub(crate) fn abort(&self) {
        let mut state = self.0.lock();
        if let TaskState::Spawned(task) = &*state {
            return task.abort();
        }
        let before = replace(&mut *state, TaskState::Ended);
        // Without the lock: dropping the future can run the author's code.
        drop(state);
        drop(before);
    }

    /// Whether the future is parked: no thread polls it until the call is woken.
    pub(crate) fn is_parked(&self) -> bool {
        matches!(*self.0.lock(), TaskState::Parked(_))
    }

    /// Whether the future has ended, or was dropped.
    pub(crate) fn is_finished(&self) -> bool {
        match &*self.0.lock() {
            TaskState::Spawned(task) => task.is_finished(),
            state => matches!(state, TaskState::Ended),
        }
    }

    /// Polls the future once, after the client has answered. If the call then waits for another answer, the future is
    /// parked again. If the call waits for something else, the future becomes a task of the runtime.
    pub(crate) fn poll(
        &self,
        mut unparked: TaskFuture,
        tool: &dyn CallTarget,
        waker: &Waker,
        waits_for_client: impl FnOnce() -> bool,
    ) {
        if tool.is_blocking(PollKind::Answered) {
            return self.spawn(unparked);
        }
        if self.set_unless_ended(TaskState::Polled { woken: false }).is_none() {
            return;
        }
        let start = Instant::now();
        let polled = unparked.future.as_mut().poll(&mut Context::from_waker(waker));
        tool.note_poll(PollKind::Answered, LONG_POLL < start.elapsed());
        match polled {
            Poll::Ready(()) => self.abort(),
            Poll::Pending if waits_for_client() => self.park(unparked),
            Poll::Pending => self.spawn(unparked),
        }
    }

    pub(super) fn wake(&self) {
        let mut state = self.0.lock();
        match &mut *state {
            TaskState::New { woken } | TaskState::Polled { woken } => *woken = true,
            TaskState::Parked(_) => {
                drop(state);
                self.unpark().into_iter().for_each(|parked| self.spawn(parked));
            }
            TaskState::Moving | TaskState::Spawned(_) | TaskState::Ended => {}
        }
    }

    /// Sets the state and returns the previous state. If the call has ended, changes nothing and returns `None`.
    fn set_unless_ended(&self, new: TaskState) -> Option<TaskState> {
        let mut state = self.0.lock();
        (!matches!(*state, TaskState::Ended)).then(|| replace(&mut *state, new))
    }
}

impl TaskFuture {
    pub(crate) fn new(future: impl Future<Output = ()> + Send + 'static, runtime: Handle) -> Self {
        Self { future: Box::pin(future), runtime }
    }
}

impl Default for TaskState {
    fn default() -> Self {
        Self::New { woken: false }
    }
}
