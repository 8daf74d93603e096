//! Tests of the whole server with real requests.

#[allow(unused_imports, reason = "inside the crate, rustc also reports imports that a macro leaves unused")]
mod keyed;
mod model;
#[allow(unused_imports, reason = "inside the crate, rustc also reports imports that a macro leaves unused")]
mod nested;
#[allow(unused_imports, reason = "inside the crate, rustc also reports imports that a macro leaves unused")]
mod parked;
