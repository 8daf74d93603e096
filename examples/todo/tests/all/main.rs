//! The service through each of its doors.

mod call;
mod doors;
mod process;
mod service;
