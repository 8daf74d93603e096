//! Every type, key and name of settings.

use std::path::PathBuf;

use mcp_runtime::{
    elicit::{Email, Shape},
    prelude::*,
    settings::{Secret, SettingKind, SettingShape, SettingValue, SettingsLoader},
};

#[derive(Choice, Debug, PartialEq)]
enum Mode {
    Fast,
    #[choice(rename = "deep", title = "Very thorough")]
    Thorough,
}

/// An even number.
#[derive(Debug, PartialEq)]
struct Even(u32);

impl SettingValue for Even {
    const SHAPE: SettingShape = SettingShape::new(Shape::integer(0, 100)).expecting("an even number");

    fn read(text: &str) -> Result<Self, String> {
        let number = text.parse::<u32>().map_err(|error| error.to_string())?;
        if number % 2 == 0 { Ok(Self(number)) } else { Err("odd".to_owned()) }
    }
}

type Token = Secret<String>;

#[derive(Debug, Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The folder to search.
    #[setting(default = ".", kind = "directory", title = "Folder")]
    root: PathBuf,
    /// The journal.
    #[setting(kind = "file")]
    journal: Option<PathBuf>,
    /// A path of any kind.
    anything: Option<PathBuf>,
    /// Token of the service.
    #[setting(secret, env = "SERVICE_TOKEN")]
    token: Token,
    /// A second token.
    second: Option<Secret<String>>,
    /// A secret number.
    #[setting(secret = true)]
    pin: Option<Secret<u16>>,
    #[setting(description = "How to search.", default = "deep", flag = "how")]
    mode: Mode,
    /// Modes.
    #[setting(default = ["fast", "deep"])]
    modes: Vec<Mode>,
    /// Whether to follow links.
    links: bool,
    /// Whether to search hidden files.
    #[setting(default = true)]
    hidden: bool,
    /// The port.
    #[setting(default = 8080)]
    port: u16,
    /// A number below zero.
    #[setting(default = -3)]
    low: i8,
    /// A fraction.
    #[setting(default = 0.5)]
    ratio: f64,
    /// Names.
    #[setting(rename = "skipped")]
    skip: Vec<String>,
    /// Numbers.
    sizes: Vec<u32>,
    /// An address.
    #[setting(default = "ann@example.com")]
    mail: Email,
    /// An even number.
    #[setting(default = 4)]
    even: Even,
    /// A keyword.
    #[setting(default = "a")]
    r#type: String,
}

fn main() {
    let variables = [
        ("SERVICE_TOKEN", "s3cr3t"),
        ("APP_SKIPPED", "a, b,"),
        ("APP_SIZES", "1,2"),
        ("APP_LINKS", "yes"),
        ("APP_PIN", "1234"),
    ];
    let settings: AppSettings = SettingsLoader::new().variables(variables).load().unwrap();
    assert_eq!((settings.root, settings.journal, settings.anything), (PathBuf::from("."), None, None));
    assert_eq!((settings.token.expose_secret().as_str(), settings.second.is_none()), ("s3cr3t", true));
    assert_eq!(settings.pin.map(|pin| *pin.expose_secret()), Some(1234));
    assert_eq!((settings.mode, settings.modes), (Mode::Thorough, vec![Mode::Fast, Mode::Thorough]));
    assert_eq!((settings.links, settings.hidden), (true, true));
    assert_eq!((settings.port, settings.low, settings.ratio), (8080, -3, 0.5));
    assert_eq!((settings.skip, settings.sizes), (vec!["a".to_owned(), "b".to_owned()], vec![1, 2]));
    assert_eq!((settings.mail.as_str(), settings.even, settings.r#type.as_str()), ("ann@example.com", Even(4), "a"));

    let of = |name: &str| AppSettings::definitions().iter().find(|setting| setting.name() == name).unwrap();
    assert_eq!((of("root").kind(), of("root").title()), (SettingKind::Directory, Some("Folder")));
    assert_eq!((of("journal").kind(), of("anything").kind()), (SettingKind::File, SettingKind::Text));
    assert_eq!((of("mode").flag(), of("mode").env(), of("mode").choices().len()), (Some("how"), "APP_MODE", 2));
    assert_eq!((of("token").flag(), of("token").is_required()), (None, true));
    assert_eq!(of("token").env_file().as_deref(), Some("SERVICE_TOKEN_FILE"));
    assert_eq!(
        (of("skipped").env(), of("skipped").is_list(), of("skipped").is_required()),
        ("APP_SKIPPED", true, false)
    );
    assert_eq!((of("type").env(), of("type").flag()), ("APP_TYPE", Some("type")));
    assert_eq!((of("links").default(), of("low").default()), (Some(false.into()), Some((-3).into())));
    assert_eq!((of("port").range(), of("even").range()), (Some((0, 65535)), Some((0, 100))));
}
