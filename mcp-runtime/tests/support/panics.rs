//! The panics of the process. One hook for all tests, because each hook replaces the one before it.

use std::sync::{LazyLock, Mutex};

/// A panic of any test.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) text: String,
}

static PANICS: LazyLock<Mutex<Vec<Seen>>> = LazyLock::new(|| {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if let Some(location) = info.location() {
            let (payload, constant) = (info.payload(), info.payload().downcast_ref::<&str>());
            let text = payload.downcast_ref::<String>().map(String::as_str).or(constant.copied());
            let text = text.unwrap_or_default().to_owned();
            PANICS.lock().unwrap().push(Seen { file: location.file().to_owned(), line: location.line(), text });
        }
        before(info);
    }));
    Mutex::default()
});

/// Returns the panics since the first call of this function.
pub(crate) fn panics() -> Vec<Seen> {
    PANICS.lock().unwrap().clone()
}
