#[allow(deprecated)]
const _: () = {
    use crate::facade::__private as _mcp;
    const SETTING_0: _mcp::SettingDraft =
        _mcp::SettingDraft::new("root", "APP_ROOT", "root", <PathBuf as _mcp::SettingType>::TYPE)
            .title("Folder")
            .description("The folder to search.")
            .kind(_mcp::SettingKind::Directory)
            .default(_mcp::Literal::Text("."));
    const _: () = SETTING_0.holds(0);
    const _: () = SETTING_0.holds(1);
    const SETTING_1: _mcp::SettingDraft =
        _mcp::SettingDraft::new("type", "SERVICE_TOKEN", "type", <Option<Secret<String>> as _mcp::SettingType>::TYPE)
            .description("Token of the service.")
            .secret();
    const _: () = SETTING_1.holds(0);
    const _: () = SETTING_0.is_alone(&[]);
    const _: () = SETTING_1.is_alone(&[SETTING_0.definition]);
    #[automatically_derived]
    impl _mcp::Settings for AppSettings {
        fn definitions() -> &'static [_mcp::SettingDefinition] {
            const DEFINITIONS: &[_mcp::SettingDefinition] = &[SETTING_0.definition, SETTING_1.definition];
            DEFINITIONS
        }
        fn read(values: &mut _mcp::SettingValues<'_>) -> ::core::option::Option<Self> {
            let value_0 = _mcp::read_setting!(values, 0, PathBuf);
            let value_1 = _mcp::read_setting!(values, 1, Option<Secret<String>>);
            ::core::option::Option::Some(Self { root: value_0?, r#type: value_1? })
        }
    }
};
