//! The server that the protocol's official conformance suite tests. It has a tool, a prompt or a resource for each
//! scenario, with the names, keys and texts that the suite expects.
//!
//! It shows the protocol from the author's side: every tool, prompt and resource is a function, except a tool that is
//! created at run time (`schemas.rs`), and no tool handles a message, a round or a revision.

mod changes;
mod content;
mod elicitation;
mod prompts;
mod resources;
mod rounds;
mod sampling;
mod schemas;
mod talk;
mod tasks;

use mcp_runtime::prelude::*;

/// Creates the server with all of its tools, prompts, resources and skills.
pub fn server() -> Server {
    Server::new("conformance", env!("CARGO_PKG_VERSION"))
        .title("Conformance")
        .instructions("For tests of the protocol. Nothing here does anything.")
        // The tools are listed in this order, and the suite calls the first one.
        .tools(tools![
            content::test_simple_text,
            content::test_image_content,
            content::test_audio_content,
            content::test_embedded_resource,
            content::test_multiple_content_types,
            content::test_error_handling,
        ])
        .tools(tools![
            talk::test_tool_with_logging,
            talk::test_tool_with_progress,
            talk::test_logging_tool,
            talk::test_reconnection,
            talk::test_missing_capability
        ])
        .tools(tools![
            elicitation::test_elicitation,
            elicitation::test_elicitation_sep1034_defaults,
            elicitation::test_elicitation_sep1330_enums,
            elicitation::test_streaming_elicitation,
        ])
        .tools(tools![
            sampling::test_sampling,
            sampling::test_input_required_result_sampling,
            sampling::test_input_required_result_multiple_inputs,
            sampling::test_input_required_result_capabilities,
        ])
        .tools(tools![
            rounds::test_input_required_result_elicitation,
            rounds::test_input_required_result_list_roots,
            rounds::test_input_required_result_request_state,
            rounds::test_input_required_result_tampered_state,
            rounds::test_input_required_result_multi_round,
        ])
        .tools(tools![schemas::test_custom_header])
        .tools(tools![changes::test_trigger_tool_change, changes::test_trigger_prompt_change])
        .tools(tools![
            tasks::greet,
            tasks::slow_compute,
            tasks::failing_job,
            tasks::protocol_error_job,
            tasks::confirm_delete,
            tasks::multi_input,
        ])
        .tool(tasks::TestToolWithTask)
        .dynamic_tools()
        .dynamic_prompts()
        .dynamic_resources()
        .tool(schemas::JsonSchemaTool)
        .prompts(prompts![
            prompts::test_simple_prompt,
            prompts::test_prompt_with_arguments,
            prompts::test_prompt_with_embedded_resource,
            prompts::test_prompt_with_image,
            prompts::test_input_required_result_prompt,
        ])
        .resources(resources![
            resources::static_text,
            resources::static_binary,
            resources::template_data,
            resources::watched_resource,
        ])
        // The suite reads the first one, which has a folder.
        .skills(skills!["../skills/check-everything", "../skills/small"])
}
