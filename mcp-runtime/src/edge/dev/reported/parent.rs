//! Ends the process when its parent ends, even if the parent was killed and could not end it.

use std::{
    future::pending,
    io::{self, Read as _},
    process, thread,
    time::Duration,
};

use tokio::sync::oneshot;

use crate::base::development;

/// How long the process may take to end by itself.
const ENDING: Duration = Duration::from_secs(5);

/// Completes when the parent has ended or has closed standard input, which a server over HTTP does not need. Never
/// completes outside of development mode.
pub(crate) async fn parent_ends() {
    if !development::is_on() {
        return pending().await;
    }
    let (ends, ended) = oneshot::channel();
    // Not a thread of the runtime, because a thread blocked in `read` would keep the runtime from shutting down.
    let watch = thread::Builder::new().name("mcp-parent".to_owned()).spawn(move || {
        let mut input = io::stdin().lock();
        while matches!(input.read(&mut [0; 64]), Ok(1..)) {}
        let _ = ends.send(());
        thread::sleep(ENDING);
        process::exit(1);
    });
    if watch.is_err() || ended.await.is_err() {
        pending::<()>().await;
    }
}
