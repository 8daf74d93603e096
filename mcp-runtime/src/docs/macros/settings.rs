//! The macro for settings, documented at its re-export.

/// Turns a struct into the settings of a program: each field is a setting. See [`settings`](crate::settings) for where
/// values come from.
///
/// ```
/// use std::path::PathBuf;
///
/// use mcp_runtime::{prelude::*, settings::{Secret, SettingsLoader}};
///
/// #[derive(Debug, Settings)]
/// #[setting(prefix = "APP")]
/// struct AppSettings {
///     /// The folder to search.
///     #[setting(default = ".", kind = "directory")]
///     root: PathBuf,                                // `--root`, `APP_ROOT`, or `root` in the settings file
///     /// Token of the service.
///     token: Secret<String>,                        // `APP_TOKEN`, `APP_TOKEN_FILE`, or `token` in the settings file
///     /// How the results are ordered.
///     #[setting(default = "newest")]
///     order: Order,
///     /// Names that are not searched.
///     skip: Vec<String>,                            // `--skip a,b`, `--skip a --skip b`, or `skip = ["a", "b"]`
///     /// The largest file that is searched, in bytes.
///     #[setting(title = "Largest file", flag = "max-size", min = 1)]
///     largest: Option<u64>,
/// }
///
/// #[derive(Choice, Debug, PartialEq)]
/// enum Order {
///     Newest,
///     Name,
/// }
///
/// let settings: AppSettings =
///     SettingsLoader::new().variables([("APP_TOKEN", "s3cr3t"), ("APP_ORDER", "name"), ("APP_SKIP", "a, b")]).load()?;
/// assert_eq!((settings.order, settings.skip.len(), settings.largest), (Order::Name, 2, None));
/// # let (_, _) = (settings.root, settings.token);
/// # Ok::<(), mcp_runtime::settings::SettingsError>(())
/// ```
///
/// # Fields
///
/// | type | kind | text |
/// | --- | --- | --- |
/// | `String` | text | any |
/// | `PathBuf` | text, or what `kind` says | the path of a file or a directory; a relative path belongs to the working directory |
/// | `bool` | boolean | `true`, `yes`, `on`, `1`, and their opposites; the option without a value is `true`; default: `false` |
/// | all integers, `f32`, `f64` | number | a number in the range of the type |
/// | an enum with [`#[derive(Choice)]`](macro@crate::Choice) | choice | the name of a choice |
/// | [`Email`](crate::elicit::Email); dates, times and URLs, with the features `chrono`, `jiff` and `url` | text | as in a form |
/// | your own [`SettingValue`](crate::settings::SettingValue) | what its shape says | |
/// | [`Secret<T>`](crate::settings::Secret) of one of these | as `T` | as `T`; never shown |
/// | `Option<T>` of one of these | as `T` | an optional setting |
/// | `Vec<T>` of one of these | as `T` | a list, which can be empty |
///
/// # Keys of a field
///
/// | key | value | default | meaning |
/// | --- | --- | --- | --- |
/// | `description` | string | the doc comment | what users read where they set the value; also `include_str!("…")`; required |
/// | `title` | string | – | the name shown to users |
/// | `default` | literal | – | the value of a setting that is not set: text (also a path or the name of a choice), a number, `true`, or `["a", "b"]` for a list |
/// | `min`, `max` | number | the range of the type | the smallest and the largest value of a number, and of each number of a list |
/// | `kind` | `"file"`, `"directory"` | text | what a path leads to, so that installers can let users pick it |
/// | `secret` | flag | the type says it | confirms that the setting is a secret; its type must be a [`Secret`](crate::settings::Secret) |
/// | `rename` | string | the name of the field | the name: the key in the settings file, and the source of the next two names |
/// | `env` | string | `PREFIX_NAME` | the environment variable |
/// | `flag` | string | the name, with `-` for `_` | the option of the command line, without `--` |
///
/// # Keys of the struct
///
/// `#[setting(prefix = "APP")]` sets how the names of variables begin. Default: the name of the package that is compiled,
/// in capitals, so `flights-server` has the variable `FLIGHTS_SERVER_ROOT`. With an empty prefix, a variable has just the
/// name of its setting. `#[setting(crate = ::path)]` sets the path of the runtime crate.
///
/// # Compile errors
///
/// All mistakes are reported at once, each at its own place. A default is checked against its type and its limits, and
/// names that belong to the server or to the system are rejected:
///
/// ```compile_fail
/// # use mcp_runtime::prelude::*;
/// #[derive(Settings)]
/// struct AppSettings {
///     /// The token.
///     #[setting(secret)]
///     token: String,
///     /// The port.
///     #[setting(default = 70000)]
///     port: u16,
/// }
/// ```
///
/// ```text
/// error[E0080]: evaluation panicked: the type of `token` does not hide its value, so `Debug` and errors would show it; write
///               `Secret<String>`, which is always a secret
///  |
///  |     #[setting(secret)]
///  |               ^^^^^^ evaluation of `_::_` failed here
///
/// error[E0080]: evaluation panicked: the `default` of `port` is 70000, outside its range of 0 to 65535
///  |
///  |     #[setting(default = 70000)]
///  |                         ^^^^^ evaluation of `_::_` failed here
/// ```
pub use mcp_macros::Settings;
