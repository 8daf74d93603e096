//! A contract, and the calls of its methods.

mod builder;
mod invoker;

pub(super) use self::builder::tool_name;
pub use self::{
    builder::{Contract, ContractBuilder},
    invoker::{Invocation, InvokeError, Invoker, MethodInput, RefusedCall},
};
