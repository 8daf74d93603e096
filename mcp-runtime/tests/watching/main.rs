//! What the operator sees: spans, the traces of clients, measurements.

mod secrets;
mod seen;
mod spans;
mod tools;
