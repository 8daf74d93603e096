//! Resources that no list has, such as those that the result of a tool links to: the mounted servers are asked one after
//! another.

use std::sync::Arc;

use super::{mounted::Mounted, resource::read};
use crate::{
    base::error::ToolError,
    engine::{
        call::Call,
        tool::{ArgumentsError, guard::has_scope, registered::RegisteredTool},
    },
    serve::{
        resource::{ReadRequest, ReadResourceFuture, Resource, ResourceDefinition, ResourceNotFound},
        server::{Inner, ServiceItem, ServiceRef},
    },
};

/// A resource that no list has.
struct Unlisted(Arc<[Arc<Mounted>]>);

/// Returns the item that reads resources which no list has.
pub(super) fn unlisted(mounted: &[Arc<Mounted>], server: &Arc<Inner>) -> Option<Arc<RegisteredTool>> {
    let asked: Arc<[_]> = mounted.iter().filter(|mounted| !mounted.mount.tools_only).cloned().collect();
    let service = ServiceRef::default();
    service.set(server);
    let resource: Box<dyn Resource> = Box::new(Unlisted(asked));
    let item = (<dyn Resource>::KIND.register)(resource, &server.extensions, &service);
    RegisteredTool::new(item, server.settings.of_items(), &mut Vec::new()).map(Arc::new)
}

impl Resource for Unlisted {
    fn definition(&self) -> ResourceDefinition {
        // It is in no list, and is not found by its URI.
        ResourceDefinition::new("unlisted:any", "unlisted", "A resource that no list has.").replayable()
    }

    fn read(&self, call: Call, request: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        let (uri, mounted) = (request.uri().to_owned(), Arc::clone(&self.0));
        Ok(Box::pin(async move {
            let (principal, is_remote) = (call.0.principal(), call.0.is_remote);
            let mut failure = ToolError::from(ResourceNotFound);
            for mounted in mounted.iter().filter(|mounted| mounted.has_resources()) {
                if !mounted.mount.scopes.iter().all(|scope| has_scope(principal.as_ref(), is_remote, scope)) {
                    continue;
                }
                match read(&mounted.remote, &uri, &call).await {
                    Err(error) if error.downcast_ref::<ResourceNotFound>().is_some() => {}
                    // Another server may have it.
                    Err(error) => failure = error,
                    found => return found,
                }
            }
            Err(failure)
        }))
    }
}
