//! Runs a step: marks its beginning, runs it and records its output. If an output is already recorded, returns the
//! recorded output.

use std::{
    future::{pending, poll_fn},
    pin::Pin,
};

use serde_json::value::RawValue;

use crate::engine::call::{Call, StepError, lease::StepTurn, multi_round::multi_round, nested::NestedCall};

pub(crate) struct Stepping<'a, T> {
    call: &'a Call,
    /// The name of the step, with a number if an earlier step of the call has the same name.
    pub(super) key: String,
    /// Whether to run the step again if its outcome is unknown.
    pub(crate) again: bool,
    step: Pin<Box<dyn Future<Output = T> + Send + 'a>>,
    write: WriteValue<T>,
    read: ReadValue<T>,
}

/// A function that writes a value as JSON. A step stores function pointers, so that its methods need no bounds on `T`.
/// Then an unsuitable type causes only one compile error.
pub(crate) type WriteValue<T> = fn(&T) -> serde_json::Result<Box<RawValue>>;
pub(crate) type ReadValue<T> = fn(&str) -> serde_json::Result<T>;

/// A running step of the call. Dropping it ends the step.
struct InStep<'a>(&'a Call);

impl<'a, T> Stepping<'a, T> {
    pub(crate) fn new(
        call: &'a Call,
        name: &str,
        step: Pin<Box<dyn Future<Output = T> + Send + 'a>>,
        write: WriteValue<T>,
        read: ReadValue<T>,
    ) -> Self {
        let key = call.0.conversation.reserve_as("step", &call.key(name));
        // Multi-round support is needed even if no tool can ask: a running step continues after its request was
        // cancelled.
        call.0.server.multi_round().get_or_init(multi_round);
        Self { call, key, again: false, step, write, read }
    }

    /// Returns the recorded output, or runs the step.
    pub(crate) async fn run(self) -> Result<T, StepError> {
        let Self { call, key, again, mut step, write, read } = self;
        let again = again || call.may_run_again();
        let outer = call;
        let call = &*call.0;
        let unreadable =
            |error: serde_json::Error| StepError::Unreadable { step: key.clone(), reason: error.to_string() };
        poll_fn(|cx| call.conversation.poll_begin_step(cx)).await;
        let in_step = InStep::new(outer);
        if let Some(kept) = call.conversation.early_step(&key) {
            let value = read(kept.get()).map_err(unreadable)?;
            in_step.end(&key, false);
            return Ok(value);
        }
        let claim = call.claim.lock().clone();
        if let Some(claim) = &claim {
            match claim.hold_begin_step(&key, again).await? {
                StepTurn::Run => {}
                StepTurn::Done(kept) => {
                    let value = read(str::from_utf8(&kept).unwrap_or_default()).map_err(unreadable)?;
                    in_step.end(&key, false);
                    return Ok(value);
                }
                StepTurn::NotKept => return Err(StepError::NotKept(key)),
                StepTurn::UnknownOutcome => {
                    let idempotency_key = multi_round().idempotency_key(call, &key);
                    return Err(StepError::UnknownOutcome { step: key, idempotency_key });
                }
            }
        }
        call.note_run(&format_args!("the step `{key}`"));
        let value = poll_fn(|cx| call.conversation.within_step(|| step.as_mut().poll(cx))).await;
        let kept = write(&value).map_err(unreadable)?;
        match claim {
            Some(claim) => claim.hold_end_step(&key, kept.get().as_bytes()).await?,
            None if call.revision.is_modern() => call.conversation.keep_step(&key, kept),
            None => {}
        }
        in_step.end(&key, true);
        if outer.nested().is_some_and(NestedCall::is_over) {
            // The caller has dropped this call, so the task that runs the step must not run the code behind it.
            pending::<()>().await;
        }
        Ok(value)
    }
}

impl<'a> InStep<'a> {
    fn new(call: &'a Call) -> Self {
        call.nested().inspect(|nested| nested.steps.enter());
        Self(call)
    }

    /// Records that the step has completed. `ran` is `false` if its output was read from the record.
    fn end(self, key: &str, ran: bool) {
        self.0.0.conversation.stepped(key, ran);
    }
}

impl Drop for InStep<'_> {
    fn drop(&mut self) {
        self.0.0.conversation.end_step();
        self.0.nested().inspect(|nested| nested.steps.leave());
    }
}
