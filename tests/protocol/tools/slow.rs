//! Tools that take a long time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use mcp_runtime::{Result, prelude::*};
use tokio::time::sleep;

use super::Gate;

/// Waits until it is let go.
#[mcp_tool]
pub(crate) async fn hold(gate: &Gate, ctx: &Ctx) -> &'static str {
    let _counted = gate.enter();
    ctx.progress(0.1);
    gate.pass().await;
    ctx.progress(0.9);
    ctx.log(Level::Error, "let go");
    "let go"
}

/// Starts a task that outlives a cancelled call, and waits.
#[mcp_tool]
pub(crate) async fn haunt(gate: &Gate, ctx: &Ctx) {
    let (gate, ctx) = (gate.clone(), ctx.clone());
    let ghost = tokio::spawn(async move {
        let _counted = gate.enter();
        ctx.cancelled().await;
        assert!(ctx.is_cancelled());
        ctx.progress(0.5).message("boo");
        ctx.log(Level::Emergency, "boo");
    });
    drop(ghost.await);
}

/// Starts a task that outlives the call, and does not wait for it.
#[mcp_tool]
pub(crate) async fn straggle(gate: &Gate, ctx: &Ctx) {
    let (gate, ctx) = (gate.clone(), ctx.clone());
    let counted = gate.enter();
    tokio::spawn(async move {
        let _counted = counted;
        gate.pass().await;
        ctx.progress(0.5).message("boo");
        ctx.log(Level::Emergency, "boo");
    });
}

/// Reports from several threads at once, until they are all done.
#[mcp_tool]
pub(crate) async fn crowd(ctx: &Ctx) -> Result<()> {
    let counter = Arc::new(AtomicUsize::new(1));
    let threads = [(); 4].map(|()| {
        let (ctx, counter) = (ctx.clone(), Arc::clone(&counter));
        tokio::task::spawn_blocking(move || {
            for _ in 0..500 {
                let value = counter.fetch_add(1, Ordering::Relaxed) as f64;
                ctx.progress(value).total(value);
            }
        })
    });
    for thread in threads {
        thread.await?;
    }
    Ok(())
}

/// Takes some time.
#[mcp_tool]
pub(crate) async fn nap(milliseconds: u64) -> String {
    sleep(Duration::from_millis(milliseconds)).await;
    format!("slept {milliseconds} ms")
}

/// Waits until it is let go, but not long.
#[mcp_tool(timeout = "50ms")]
pub(crate) async fn brief(gate: &Gate) {
    let _counted = gate.enter();
    gate.pass().await;
}

/// Blocks its thread, as no tool should.
#[mcp_tool]
pub(crate) async fn block(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

/// Says how many calls are held now.
#[mcp_tool]
pub(crate) async fn held(gate: &Gate) -> Text<usize> {
    Text(gate.running())
}

/// Logs from another thread until its messages are ignored, and ends meanwhile.
#[mcp_tool]
pub(crate) async fn chatter(ctx: &Ctx) -> Result<()> {
    let talking = ctx.clone();
    let (begun, wait) = tokio::sync::oneshot::channel();
    tokio::task::spawn_blocking(move || {
        talking.log(Level::Error, 0);
        // The call is over when it hears this.
        begun.send(()).expect("the call waits for it");
        for value in 1..300_u32 {
            talking.log(Level::Error, value);
            talking.progress(value.into()).total(1.0);
        }
    });
    Ok(wait.await?)
}
