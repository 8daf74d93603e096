//! Tests of the whole server with real requests.

mod model;
