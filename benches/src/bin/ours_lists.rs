//! The server written with `mcp-runtime`, with 1,000 resources, or with a prompt whose argument is completed.

use mcp_runtime::{
    Call, Server,
    complete::{Completion, CompletionRequest},
    prelude::*,
    resource::{ReadRequest, ReadResourceFuture, ReadResourceResult, Resource, ResourceContents, ResourceDefinition},
    tool::ArgumentsError,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::new("bench", "0.1.0").page_size(1_000);
    let server = match std::env::args().nth(1).as_deref() {
        Some("completion") => server.prompts(prompts![explain]),
        Some("resources-with-template") => numbers(server).resources(resources![page]),
        _ => numbers(server),
    };
    let service = server.build()?;
    service.serve_stdio().await?;
    // Whether the runtime drops the resources before the process ends depends on its threads.
    std::mem::forget(service);
    Ok(())
}

fn numbers(server: Server) -> Server {
    (0..1_000).fold(server, |server, number| server.resource(Number(number)))
}

struct Number(u32);

impl Resource for Number {
    fn definition(&self) -> ResourceDefinition {
        let Self(number) = self;
        let uri = format!("test://numbers/{number}");
        ResourceDefinition::new(uri, format!("number-{number}"), "A number.").mime_type("text/plain")
    }

    fn read(&self, _: Call, _: ReadRequest<'_>) -> Result<ReadResourceFuture, ArgumentsError> {
        let text = self.0.to_string();
        Ok(Box::pin(async move { Ok(ReadResourceResult::new([ResourceContents::text(text)])) }))
    }
}

/// A page.
#[mcp_resource("test://pages/{page}")]
async fn page(page: String) -> String {
    page
}

/// Explain a language.
#[mcp_prompt]
async fn explain(
    /// The language.
    #[complete(languages)]
    language: String,
    /// The same, completed from an iterator.
    #[complete(filtered_languages)]
    filtered: Option<String>,
) -> String {
    filtered.unwrap_or(language)
}

async fn languages(_: CompletionRequest) -> Vec<String> {
    (0..100).map(|number| format!("language-{number:02}")).collect()
}

async fn filtered_languages(request: CompletionRequest) -> Completion {
    Completion::matching((0..100).map(|number| format!("language-{number:02}")), request.value())
}
