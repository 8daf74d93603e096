//! A resource of a mounted server, or a template of resources.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::{
    loaded::{Described, Digest, MountedItem, completed},
    mounted::Mounted,
    names,
};
use crate::{
    base::error::ToolError,
    engine::{
        call::{Call, operation::Operation},
        tool::ArgumentsError,
    },
    serve::{
        client::{ClientRequest, CompletedArgument},
        complete::TextArgument,
        remote::{Remote, RemoteError, passed_on},
        resource::{
            ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceDefinition, ResourceNotFound,
        },
    },
    wire::protocol::{content::Annotations, error::RESOURCE_NOT_FOUND},
};

/// A resource of a mounted server, as it is offered here.
pub(super) struct ResourceItem {
    remote: Remote,
    definition: ResourceDefinition,
    digest: Digest,
}

/// The object of `resources/list` or `resources/templates/list`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a resource")]
struct ListedResource {
    #[serde(flatten)]
    described: Described,
    #[serde(alias = "uriTemplate")]
    uri: String,
    mime_type: Option<String>,
    size: Option<u64>,
    annotations: Option<Value>,
}

impl ResourceItem {
    /// Reads a resource or a template.
    ///
    /// # Errors
    /// Returns the reason why the resource cannot be offered.
    pub(super) fn read(
        mounted: &Mounted,
        listed: &Value,
        completes: bool,
        digest: Digest,
    ) -> Result<Option<Self>, String> {
        let ListedResource { mut described, uri, mime_type, size, annotations } =
            ListedResource::deserialize(listed).map_err(|error| error.to_string())?;
        let (remote, name) = (mounted.remote.clone(), described.name.clone());
        // Names of resources need not differ at the other server. Clients show the title.
        let published = names::distinct(&format!("{}{name}", mounted.prefix), &uri);
        let description = described.description(mounted, Operation::ReadResource);
        described.title.get_or_insert_with(|| name.clone());
        let mut definition = ResourceDefinition::new(uri.clone(), published, description);
        if let Some(mime_type) = mime_type {
            definition = definition.mime_type(mime_type);
        }
        if let Some(size) = size {
            definition = definition.size(size);
        }
        if let Some(annotations) = annotations.and_then(|annotations| Annotations::deserialize(annotations).ok()) {
            definition = definition.annotations(annotations);
        }
        for variable in if completes { definition.variable_names() } else { Vec::new() } {
            let mut declared = TextArgument::optional(variable.clone());
            declared.completer = Some(completed(&remote, CompletedArgument::new(&uri, true, &variable, "")));
            definition = definition.variable(declared);
        }
        let scopes = remote.scopes_of(Operation::ReadResource, &name);
        let definition = definition.replayable().with(described.describe(mounted, scopes)?);
        Ok(Some(Self { remote, definition, digest }))
    }
}

impl MountedItem for ResourceItem {
    type Kind = dyn Resource;

    fn name(&self) -> &str {
        self.definition.name()
    }

    fn digest(&self) -> &Digest {
        &self.digest
    }

    fn item(self: &Arc<Self>) -> Box<dyn Resource> {
        Box::new(MountedResource(Arc::clone(self)))
    }
}

/// A resource in the list of this server.
pub(super) struct MountedResource(Arc<ResourceItem>);

impl MountedResource {
    /// Returns whether it is a resource of the mounted server with this name.
    pub(super) fn is_of(&self, mount: &str) -> bool {
        self.0.remote.name() == mount
    }
}

impl Resource for MountedResource {
    fn definition(&self) -> ResourceDefinition {
        self.0.definition.clone()
    }

    fn read(&self, call: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        Ok(read(&self.0.remote, request.uri(), &call))
    }
}

/// Reads a resource of another server within a call.
pub(super) fn read(remote: &Remote, uri: &str, call: &Call) -> ReadResourceFuture {
    let request = ClientRequest::Resource { uri: uri.to_owned() };
    let reading = remote.pass_on(request, Operation::ReadResource, uri, call);
    let remote = remote.clone();
    Box::pin(async move {
        let result = reading?
            .await
            .map_err(|error| if is_not_found(&error) { ResourceNotFound.into() } else { passed_on(error) })?;
        Ok(remote.read_result("resources/read", &result, ReadResourceResult::read)?)
    })
}

/// Whether the other server has no such resource. The code of this error differs between the revisions.
fn is_not_found(error: &ToolError) -> bool {
    let Some(RemoteError::Refused { error, .. }) = error.downcast_ref() else { return false };
    error.code == i64::from(RESOURCE_NOT_FOUND) || error.data["uri"].is_string()
}
