//! All that generated code may name. No part of the public interface: it changes without notice.

pub use schemars;
pub use serde;
