//! Servers end when their standard input does.

use std::io::Read as _;

use tokio::sync::oneshot;

/// Ready when whoever started the program has closed its standard input.
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
