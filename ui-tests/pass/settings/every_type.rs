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
    #[setting(default = 0.5, min = 0, max = 1.0)]
    ratio: f64,
    /// A secret number in a range.
    #[setting(min = 1000)]
    code: Option<Secret<u16>>,
    /// Numbers in a range.
    #[setting(max = 9)]
    digits: Vec<u8>,
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

    assert_eq!((settings.code.is_none(), settings.digits.len()), (true, 0));

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
    let limits = |name: &str| (of(name).min(), of(name).max());
    assert_eq!(limits("port"), (Some(0.into()), Some(65535.into())));
    assert_eq!((limits("even"), limits("low")), ((Some(0.into()), Some(100.into())), (Some((-128).into()), Some(127.into()))));
    assert_eq!((limits("ratio"), limits("root")), ((Some(0.into()), Some(1.0.into())), (None, None)));
    assert_eq!((limits("code"), limits("digits")), ((Some(1000.into()), Some(65535.into())), (Some(0.into()), Some(9.into()))));

    let read = |name, value| {
        let loader = SettingsLoader::new().variables([("SERVICE_TOKEN", "s3cr3t"), (name, value)]);
        loader.load::<AppSettings>().map(|_| ()).map_err(|error| error.problems().join("\n"))
    };
    for (name, value, problem) in [
        ("APP_RATIO", "1.5", "`APP_RATIO` is `1.5`, not a number from 0 to 1.0"),
        ("APP_EVEN", "102", "`APP_EVEN` is `102`, not an even number, from 0 to 100"),
        ("APP_CODE", "999", "`APP_CODE` is not a whole number from 1000 to 65535; its value is a secret and is not shown"),
        ("APP_DIGITS", "1,10", "`APP_DIGITS` contains `10`, not a whole number from 0 to 9"),
    ] {
        assert_eq!(read(name, value), Err(problem.to_owned()));
    }
    for (name, value) in [("APP_RATIO", "1"), ("APP_RATIO", "0"), ("APP_CODE", "1000"), ("APP_DIGITS", "9,0")] {
        assert_eq!(read(name, value), Ok(()), "{name} {value}");
    }
}
