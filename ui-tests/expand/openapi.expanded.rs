const _: () = {
    const _: &[::core::primitive::u8] = ::core::include_bytes!("openapi.yaml");
    {
        ::mcp_runtime::__private::needs_actions!();
        static DOCUMENT: ::mcp_runtime::__private::ApiDocument = ::mcp_runtime::__private::ApiDocument {
            title: "Pets",
            server: ::core::option::Option::Some("https://pets.example.com"),
            own_servers: &[],
            schemes: &[::mcp_runtime::__private::ApiScheme {
                name: "key",
                kind: ::mcp_runtime::__private::ApiSchemeKind::Header("X-Key"),
            }],
            settings: &[::mcp_runtime::__private::api_setting(
                "openapi_key",
                "OPENAPI_KEY",
                "The key for `key` of Pets.",
            )],
            operations: &[
                ::mcp_runtime::__private::ApiOperation {
                    name: "get_pet",
                    description: "Returns a pet.",
                    method: "GET",
                    path: "/pets/{id}",
                    own_server: ::core::option::Option::None,
                    parameters: &[::mcp_runtime::__private::ApiParameter {
                        argument: "id",
                        name: "id",
                        place: ::mcp_runtime::__private::ApiPlace::Path,
                        style: ::mcp_runtime::__private::ApiStyle::Joined,
                    }],
                    body: ::core::option::Option::None,
                    accept: "application/json",
                    input: "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\",\"description\":\"Its number.\"}},\"additionalProperties\":false,\"required\":[\"id\"]}",
                    output: ::core::option::Option::Some(
                        "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}",
                    ),
                    redirects: false,
                    security: &[&[0usize]],
                },
                ::mcp_runtime::__private::ApiOperation {
                    name: "offer_pet",
                    description: "Adds a pet.",
                    method: "POST",
                    path: "/pets",
                    own_server: ::core::option::Option::None,
                    parameters: &[],
                    body: ::core::option::Option::Some(::mcp_runtime::__private::ApiBody {
                        kind: ::mcp_runtime::__private::ApiBodyKind::Json,
                        media_type: "application/json",
                        is_required: true,
                        styles: &[],
                        arguments: ::mcp_runtime::__private::ApiBodyArguments::Members(&["name"]),
                    }),
                    accept: "application/json",
                    input: "{\"type\":\"object\",\"properties\":{\"name\":{\"description\":\"Its name.\",\"type\":\"string\"}},\"additionalProperties\":false,\"required\":[\"name\"]}",
                    output: ::core::option::Option::None,
                    redirects: false,
                    security: &[&[0usize]],
                },
            ],
            groups: &[::mcp_runtime::__private::ApiGroup {
                name: "pets",
                description: "Operations of Pets.",
                operations: &[0usize],
            }],
        };
        ::mcp_runtime::openapi::Api::__new(&DOCUMENT)
    }
};
