#[derive(Settings)]
#[setting(crate = crate::facade, prefix = "APP")]
struct AppSettings {
    /// The folder to search.
    #[setting(default = ".", kind = "directory", title = "Folder")]
    root: PathBuf,
    /// Token of the service.
    #[setting(secret, env = "SERVICE_TOKEN")]
    r#type: Option<Secret<String>>,
}
