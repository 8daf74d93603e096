//! The resources, prompts and completions of the example `docs_server`.

use ::rmcp::{
    model::{GetPromptRequestParams, ReadResourceRequestParams, ResourceContents},
    service::ServiceError,
};
use serde_json::json;

use super::{
    Handler, connect,
    ways::{Connected, every_way},
};

async fn read(client: &Connected<Handler>, uri: &str) -> Result<ResourceContents, ServiceError> {
    let mut result = client.read_resource(ReadResourceRequestParams::new(uri)).await?;
    Ok(result.contents.remove(0))
}

fn code(error: ServiceError) -> i32 {
    let ServiceError::McpError(error) = error else { panic!("{error}") };
    error.code.0
}

#[tokio::test]
async fn lists_and_reads_the_resources_of_an_example() {
    for way in every_way() {
        let client = connect("docs_server", &way).await;
        let uris: Vec<_> = client.list_all_resources().await.unwrap().iter().map(|it| it.uri.clone()).collect();
        let expected = [
            "docs://files/guide/install.md",
            "docs://files/pot.png",
            "docs://files/start.md",
            "docs://outlines/guide/install.md",
            "docs://outlines/start.md",
            "skill://answering/SKILL.md",
            "skill://answering/references/quoting.md",
            "skill://summaries/SKILL.md",
        ];
        assert_eq!(uris, expected);
        let templates = client.list_all_resource_templates().await.unwrap();
        let templates: Vec<_> = templates.iter().map(|it| it.uri_template.clone()).collect();
        assert_eq!(templates, ["docs://files/{+path}", "docs://outlines/{+page}"]);

        let page = read(&client, "docs://files/start.md").await.unwrap();
        let ResourceContents::TextResourceContents { text, mime_type, .. } = page else { panic!("{page:?}") };
        assert_eq!(mime_type.as_deref(), Some("text/markdown"));
        assert!(text.starts_with("# Start\n"));
        let picture = read(&client, "docs://files/pot.png").await.unwrap();
        let ResourceContents::BlobResourceContents { blob, .. } = picture else { panic!("{picture:?}") };
        assert!(blob.starts_with("iVBORw0KGgo"), "{blob}");

        for uri in ["docs://files/none.md", "docs://files/../Cargo.toml", "docs://outlines/none.md"] {
            let error = code(read(&client, uri).await.unwrap_err());
            assert_eq!(error, if way.is_legacy() { -32002 } else { -32602 }, "{uri}");
        }
        client.close().await;
    }
}

#[tokio::test]
async fn gets_prompts_and_completions_of_an_example() {
    for way in every_way() {
        let client = connect("docs_server", &way).await;
        let prompts = client.list_all_prompts().await.unwrap();
        assert_eq!(prompts.iter().map(|prompt| &*prompt.name).collect::<Vec<_>>(), ["explain", "summarize"]);

        let explain = |arguments: serde_json::Value| {
            client.get_prompt(
                GetPromptRequestParams::new("explain").with_arguments(arguments.as_object().unwrap().clone()),
            )
        };
        let explained = explain(json!({ "page": "start.md", "question": "How often?" })).await.unwrap();
        let messages = serde_json::to_value(&explained.messages).unwrap();
        assert_eq!(messages[0]["content"]["resource"]["uri"], "docs://files/start.md");
        assert!(messages[1]["content"]["text"].as_str().unwrap().ends_with("How often?"));
        assert_eq!(code(explain(json!({})).await.unwrap_err()), -32602);

        let pages = client.complete_prompt_simple("explain", "page", "inst").await.unwrap();
        assert_eq!(pages, ["guide/install.md"]);
        let pages = client.complete_resource_simple("docs://outlines/{+page}", "page", "s").await.unwrap();
        assert_eq!(pages, ["start.md", "guide/install.md"]);
        client.close().await;
    }
}
