::core::compile_error! { "tool 2 in `tools` of `remote_tools_with_mistakes.json` has no `name`; save the list of the server again" }
::core::compile_error! { "`remote_tools_with_mistakes.json` has two tools with the name `search`; remove one of them" }
::core::compile_error! { "tool 4 in `tools` of `remote_tools_with_mistakes.json` has no `name`; save the list of the server again" }
