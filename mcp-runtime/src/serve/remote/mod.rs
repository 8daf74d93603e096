//! The tools of other servers, for tools that call them.

mod typed;

pub use self::typed::{ReadRemote, RemoteTool};
