//! Standard input and output, and connections in memory.

mod memory;
#[cfg(feature = "stdio")]
mod stdio;

pub use self::memory::MemoryClient;
