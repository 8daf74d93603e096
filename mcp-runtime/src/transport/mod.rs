//! Standard input and output, and connections in memory.

#[cfg(feature = "stdio")]
mod dropped;
#[cfg(feature = "stdio")]
mod lines;
mod memory;
#[cfg(feature = "stdio")]
mod output;
#[cfg(feature = "stdio")]
mod stdio;
#[cfg(feature = "stdio")]
mod stdout;
#[cfg(feature = "stdio")]
mod write;

pub use self::memory::MemoryClient;
