//! Ends a server when its standard input is closed.

use std::io::Read as _;

use tokio::sync::oneshot;

/// Returns a future that is ready when the standard input of the program is closed.
pub(crate) fn until_told() -> impl Future<Output = ()> + Send {
    let (told, waiting) = oneshot::channel::<()>();
    std::thread::spawn(move || {
        // Whatever is wrong with the input: it has ended.
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        drop(told);
    });
    async {
        let _ = waiting.await;
    }
}
