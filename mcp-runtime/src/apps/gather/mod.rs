//! Gathering: a server that offers the tools, prompts and resources of other servers, such as a gateway.
//!
//! The items of the other servers are items in the lists of this one, so that lists, scopes, layers and notices hold for
//! them as for all others. A task for each mounted server reads its lists, and reads them again when they change. A call
//! is passed on within the call of the client, so that its questions cross.
//!
//! A server that fails takes nothing else with it: its items stay listed for a while, and their calls fail with its error.

mod keeper;
mod loaded;
mod mount;
mod mounted;
mod mounts;
mod names;
mod prompt;
mod resource;
mod rules;
mod shelf;
mod status;
#[cfg(test)]
mod tests;
mod tool;
mod unlisted;
mod via;

pub use self::{mount::Mount, status::MountStatus};
