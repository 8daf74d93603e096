//! The program, as clients see it.

mod changes;
mod process;
