//! HTTP: the guard of every endpoint, and its settings. See [`serving`](crate::guide::serving) for an introduction.

// Each group uses only those before it: refusal, origin, limits, auth, session, shared, guard, endpoint, serve.
pub(crate) mod auth;
mod endpoint;
pub(crate) mod guard;
mod limits;
mod origin;
mod refusal;
pub(crate) mod serve;
mod session;
mod shared;

#[cfg(fuzzing)]
pub(crate) use self::serve::fuzz_connection;
pub(crate) use self::shared::root_page::RootPage;
#[cfg(any(feature = "dev", feature = "plugin"))]
pub(crate) use self::shared::{json_body, view_frame};
pub use self::{
    guard::{Guard, layer::Guarded},
    limits::{HttpLimits, owner::ClientAddress},
    origin::AllowedHosts,
};
