//! The service through each of its endpoints.

mod call;
mod endpoints;
mod process;
mod service;
