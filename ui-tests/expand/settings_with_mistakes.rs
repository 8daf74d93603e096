#[derive(Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    root: String,
    /// How many.
    #[setting(default = LIMIT)]
    limit: impl Copy,
}
