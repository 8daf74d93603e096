//! Runs a call through its layers to the tool.

use std::{
    fmt,
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, atomic::Ordering},
    task::Poll,
};

use super::{
    Layer,
    call::{CallInfo, Surrounded},
};
use crate::{
    Result,
    engine::{
        call::{
            Call,
            execution::{LayerSignals, panicked},
            running::{CallFuture, LayeredCalling},
        },
        tool::guard::Pass,
    },
    wire::protocol::result::CallToolResult,
};

/// The rest of a call: the inner layers and the tool.
pub struct Next {
    call: CallInfo,
    /// The number of outer layers. They are already running.
    depth: usize,
    tool: Innermost,
}

enum Innermost {
    /// A new call. Its arguments are read after all layers have admitted it.
    New(Pass),
    /// A call rebuilt in a later round. Its arguments were read before its layers ran again.
    Rebuilt(CallFuture),
}

/// The layers of a server. The server stores a trait object, so that programs without layers do not contain the code
/// that runs layers.
pub(crate) trait Layers: Send + Sync {
    fn push(&mut self, layer: Box<dyn AnyLayer>);

    fn get(&self, depth: usize) -> Option<&dyn AnyLayer>;

    /// Wraps a new call in the layers.
    fn begin(&self, pass: Pass, call: Call, arguments: &str) -> LayeredCalling;

    /// Wraps a call that was rebuilt in a later round.
    fn resume(&self, call: Call, arguments: &str, calling: CallFuture) -> LayeredCalling;
}

/// The layers in the order they were added: the outermost first.
#[derive(Default)]
pub(crate) struct Stack(Vec<Box<dyn AnyLayer>>);

/// A [`Layer`] whose methods return boxed futures, so that it can be a trait object.
pub(crate) trait AnyLayer: Send + Sync {
    fn run<'a>(&'a self, call: &'a CallInfo, next: Next) -> LayerFuture<'a>;
}

pub(crate) type LayerFuture<'a> = Pin<Box<dyn Future<Output = Result<CallToolResult>> + Send + 'a>>;

impl Next {
    /// Runs the inner layers and the tool, to the end of the call. If one of them panics, returns a result with
    /// `isError`.
    ///
    /// # Errors
    /// Returns the errors of the tool or of an inner layer.
    pub async fn run(self) -> Result<CallToolResult> {
        let Self { call, depth, tool } = self;
        let layers = call.0.call.0.server.get::<Box<dyn Layers>>();
        match layers.and_then(|layers| layers.get(depth)) {
            Some(layer) => {
                let next = Self { call: call.clone(), depth: depth + 1, tool };
                guard(&call.0, layer.run(&call, next)).await
            }
            None => match tool {
                Innermost::New(pass) => guard(&call.0, run_tool(&call, pass)).await,
                Innermost::Rebuilt(calling) => guard(&call.0, until_ended(&call.0, calling)).await,
            },
        }
    }
}

/// Checks the arguments and runs the tool.
async fn run_tool(call: &CallInfo, pass: Pass) -> Result<CallToolResult> {
    let tool = call.0.call.registered();
    match tool.begin(pass, call.0.call.clone(), &call.0.arguments) {
        Ok(calling) => until_ended(&call.0, calling).await,
        Err(invalid) => Ok(tool.refuse_arguments(&invalid)),
    }
}

/// Polls the tool until it completes or the call is ended.
async fn until_ended(call: &Surrounded, mut calling: CallFuture) -> Result<CallToolResult> {
    poll_fn(|cx| match call.ended() {
        Some(message) => Poll::Ready(Ok(CallToolResult::error(message))),
        None => calling.as_mut().poll(cx),
    })
    .await
}

/// Turns a panic into an error result, and stops waiting for a layer when the call is ended.
async fn guard(
    call: &Surrounded,
    inner: impl Future<Output = Result<CallToolResult>> + Send,
) -> Result<CallToolResult> {
    let mut inner = std::pin::pin!(inner);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| inner.as_mut().poll(cx))) {
        Ok(Poll::Pending) => match call.ended() {
            Some(message) => Poll::Ready(Ok(CallToolResult::error(message))),
            None => Poll::Pending,
        },
        Ok(ready) => ready,
        Err(_) => {
            call.signals.panicked.store(true, Ordering::Relaxed);
            Poll::Ready(Ok(panicked(&call.call.target().described())))
        }
    })
    .await
}

impl Layers for Stack {
    fn push(&mut self, layer: Box<dyn AnyLayer>) {
        self.0.push(layer);
    }

    fn get(&self, depth: usize) -> Option<&dyn AnyLayer> {
        self.0.get(depth).map(|layer| &**layer)
    }

    fn begin(&self, pass: Pass, call: Call, arguments: &str) -> LayeredCalling {
        surround(call, arguments, Innermost::New(pass))
    }

    fn resume(&self, call: Call, arguments: &str, calling: CallFuture) -> LayeredCalling {
        surround(call, arguments, Innermost::Rebuilt(calling))
    }
}

fn surround(call: Call, arguments: &str, tool: Innermost) -> LayeredCalling {
    let is_resumed = matches!(tool, Innermost::Rebuilt(_)) || call.nested().is_some_and(|nested| nested.is_resumed);
    let arguments = arguments.into();
    let signals = Arc::<LayerSignals>::default();
    let call = Arc::new(Surrounded { call, arguments, is_resumed, signals: Arc::clone(&signals) });
    let outermost = Next { call: CallInfo(call), depth: 0, tool };
    (Box::pin(outermost.run()), Some(signals))
}

impl<L: Layer> AnyLayer for L {
    fn run<'a>(&'a self, call: &'a CallInfo, next: Next) -> LayerFuture<'a> {
        Box::pin(async move {
            if !call.is_resumed() {
                self.admit(call).await?;
            }
            self.around(call, next).await
        })
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Next").field("call", &self.call).finish_non_exhaustive()
    }
}
