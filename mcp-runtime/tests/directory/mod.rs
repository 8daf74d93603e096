//! The files of a folder as resources.

mod attacks;
mod files;
#[cfg(target_os = "linux")]
mod gitignore;
mod place;
mod rules;
mod watch;
