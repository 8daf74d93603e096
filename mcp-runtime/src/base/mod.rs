//! What knows nothing of the protocol: errors, reports, clocks, random numbers, hashes.

#[cfg(any(feature = "openapi", feature = "providers"))]
pub(crate) mod api_key;
#[cfg(any(feature = "openapi", feature = "providers"))]
pub(crate) mod backoff;
pub(crate) mod clock;
pub(crate) mod const_eq;
#[cfg(feature = "dev")]
pub(crate) mod development;
pub(crate) mod error;
pub(crate) mod hex;
pub(crate) mod mac;
pub(crate) mod mutex;
pub(crate) mod owned;
pub(crate) mod random;
pub(crate) mod report;
#[cfg(any(feature = "cli", feature = "http", feature = "openapi", feature = "providers", feature = "remote"))]
pub(crate) mod this_machine;
pub(crate) mod work_count;
