//! What generated code creates: a service as a resource with methods, their outputs and their errors.

mod error;
mod output;
mod resource;

pub(super) use self::resource::OutputSchemaOf;
pub use self::{
    error::{ErrorFunctions, ErrorProbe, ErrorStatus, MethodError, WithError, WithoutError},
    output::{MethodOutput, MethodResult},
    resource::{Method, Resource, Route},
};
