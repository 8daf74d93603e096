//! The files of a folder as resources.

mod attacks;
mod files;
mod place;
mod rules;
#[cfg(feature = "watch")]
mod watch;
