//! The server written with `rmcp`, with 1,000 resources, and with a prompt whose argument is completed.

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    model::{
        CompleteRequestParams, CompleteResult, CompletionInfo, ListResourcesResult, PaginatedRequestParams, Resource,
        ServerCapabilities, ServerConfig,
    },
    service::RequestContext,
    transport::stdio_pipes,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let number = |number: u32| {
        let resource = Resource::new(format!("test://numbers/{number}"), format!("number-{number}"));
        resource.with_description("A number.").with_mime_type("text/plain")
    };
    let lists = Lists { resources: (0..1_000).map(number).collect() };
    lists.serve(stdio_pipes()).await?.waiting().await?;
    Ok(())
}

struct Lists {
    resources: Vec<Resource>,
}

impl ServerHandler for Lists {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_resources().enable_completions().build())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.resources.clone()))
    }

    async fn complete(
        &self,
        params: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let languages = (0..100).map(|number| format!("language-{number:02}"));
        let values = languages.filter(|language| language.contains(&params.argument.value)).collect();
        let completion =
            CompletionInfo::with_all_values(values).map_err(|error| ErrorData::internal_error(error, None))?;
        Ok(CompleteResult::new(completion))
    }
}
