::core::compile_error! { "this setting has no description, which users read where they set it; write a doc comment: `/// …`" }
::core::compile_error! { "`default` must be a literal, because installers and documents show it; write `default = \"text\"`, `default = 3`, `default = true` or `default = [\"one\", \"two\"]`" }
::core::compile_error! { "the type of a setting must be an owned type, such as `String` or `Vec<String>`" }
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const SETTING_0: _mcp::SettingDraft =
        _mcp::SettingDraft::new("root", "APP_ROOT", "root", <String as _mcp::SettingType>::TYPE);
    const _: () = SETTING_0.is_alone(&[]);
    #[automatically_derived]
    impl _mcp::Settings for AppSettings {
        fn definitions() -> &'static [_mcp::SettingDefinition] {
            ::core::unreachable!()
        }
        fn read(values: &mut _mcp::SettingValues<'_>) -> ::core::option::Option<Self> {
            ::core::unreachable!()
        }
    }
};
