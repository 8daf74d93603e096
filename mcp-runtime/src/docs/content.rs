//! Parts of [`Content`](crate::Content): links, embedded resources, annotations and icons.

pub use crate::wire::protocol::{
    content::{Annotations, Audience, EmbeddedResource, ResourceLink},
    icon::{Icon, Theme},
};
