//! What generated code creates: a service as a resource with methods, their outputs and their errors.

mod error;
mod resource;

pub(super) use self::resource::OutputSchemaOf;
pub use self::{
    error::{ErrorFunctions, ErrorProbe, ErrorStatus, MethodError, WithError, WithoutError},
    resource::{Method, MethodOutput, MethodResult, Resource, Route},
};
