//! A contract, and the calls of its methods.

mod builder;
mod invoker;
mod tool;

#[cfg(any(feature = "http", feature = "rest"))]
pub(super) use self::tool::tool_name;
pub use self::{
    builder::{Contract, ContractBuilder},
    invoker::{Invocation, InvokeError, Invoker, MethodInput, RefusedCall},
};
