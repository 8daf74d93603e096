//! Reading settings alone.

use std::path::PathBuf;

use mcp_runtime::{
    elicit::{Email, Shape},
    prelude::*,
    settings::{Secret, SettingShape, SettingValue, SettingsError, SettingsLoader},
};

const SECRET: &str = "s3cr3t-94f1";

#[derive(Debug, Settings)]
#[setting(prefix = "APP")]
struct AppSettings {
    /// The folder to search.
    #[setting(default = ".", kind = "directory")]
    root: PathBuf,
    /// Who gets reports.
    mail: Option<Email>,
    /// When it begins.
    day: Option<chrono::NaiveDate>,
    /// The page.
    page: Option<url::Url>,
    /// The airport.
    airport: Option<Airport>,
    /// Ratios.
    ratios: Vec<f64>,
    /// The passphrase.
    passphrase: Option<Secret<Phrase>>,
    /// The tokens.
    tokens: Vec<Secret<String>>,
}

/// The three-letter code of an airport.
#[derive(Debug, PartialEq)]
struct Airport(String);

impl SettingValue for Airport {
    const SHAPE: SettingShape = SettingShape::new(Shape::text());

    fn read(text: &str) -> Result<Self, String> {
        let fits = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        if fits { Ok(Self(text.to_owned())) } else { Err("an airport has three capital letters".to_owned()) }
    }
}

/// Text of at least twenty characters, whose error quotes the text.
struct Phrase(String);

impl SettingValue for Phrase {
    const SHAPE: SettingShape = SettingShape::new(Shape::text());

    fn read(text: &str) -> Result<Self, String> {
        if text.len() < 20 { Err(format!("{text:?} is too short")) } else { Ok(Self(text.to_owned())) }
    }
}

impl zeroize::Zeroize for Phrase {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

fn load(variables: &[(&str, &str)]) -> Result<AppSettings, SettingsError> {
    SettingsLoader::new().variables(variables.iter().copied()).load()
}

fn problem(name: &str, value: &str) -> String {
    let error = load(&[(name, value)]).unwrap_err();
    assert!(!format!("{error} {error:?}").contains(SECRET), "{error}");
    assert_eq!(error.problems().len(), 1, "{error}");
    assert_eq!(error.to_string(), format!("the settings cannot be read: {}", error.problems()[0]));
    error.problems()[0].clone()
}

#[test]
fn reads_types_of_forms_of_other_crates_and_of_the_author() {
    let settings = load(&[
        ("APP_MAIL", "ann@example.com"),
        ("APP_DAY", "2026-01-31"),
        ("APP_PAGE", "https://example.com/a"),
        ("APP_AIRPORT", "LIS"),
        ("APP_RATIOS", "0.5, 1e3"),
        ("APP_PASSPHRASE", "twenty characters or more"),
        ("APP_TOKENS", "a,b"),
    ]);
    let settings = settings.unwrap();
    assert_eq!(settings.root, PathBuf::from("."));
    assert_eq!(settings.mail.unwrap().as_str(), "ann@example.com");
    assert_eq!(settings.day.unwrap().to_string(), "2026-01-31");
    assert_eq!(settings.page.unwrap().path(), "/a");
    assert_eq!(settings.airport, Some(Airport("LIS".to_owned())));
    assert_eq!(settings.ratios, [0.5, 1000.0]);
    assert_eq!(settings.passphrase.unwrap().expose_secret().0, "twenty characters or more");
    assert_eq!(settings.tokens.iter().map(|token| token.expose_secret().as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let none = load(&[]).unwrap();
    assert!(none.mail.is_none() && none.ratios.is_empty());
}

#[test]
fn an_error_names_the_variable_the_value_and_what_is_allowed() {
    for (name, value, expected) in [
        ("APP_MAIL", "ann", "`APP_MAIL` is `ann`, not an e-mail address"),
        ("APP_DAY", "tomorrow", "`APP_DAY` is `tomorrow`, not a date"),
        ("APP_PAGE", "example", "`APP_PAGE` is `example`, not an absolute URI"),
        ("APP_AIRPORT", "Lisbon", "`APP_AIRPORT` is `Lisbon`: an airport has three capital letters"),
        ("APP_RATIOS", "1,many,2", "`APP_RATIOS` contains `many`, not a number"),
        ("APP_AIRPORT", "a\u{1b}[2Jb\n", "`APP_AIRPORT` is `a\\u{1b}[2Jb\\n`: an airport has three capital letters"),
    ] {
        assert_eq!(problem(name, value), expected);
    }
    let long = problem("APP_AIRPORT", &"x".repeat(10_000));
    assert!(long.len() < 300 && long.contains("(10000 characters)"), "{long}");
}

#[test]
fn the_error_of_a_secret_does_not_show_it() {
    assert_eq!(
        problem("APP_PASSPHRASE", SECRET),
        "`APP_PASSPHRASE` is not valid; its value is a secret and is not shown"
    );
}

#[test]
fn a_file_can_have_more_than_the_settings() {
    let path = std::env::temp_dir().join(format!("mcp-loader-{}.toml", std::process::id()));
    std::fs::write(&path, "root = \"/srv\"\nratios = [1, 2.5]\nday = 2026-01-31\n[other]\nroot = \"/other\"\n")
        .unwrap();
    let none: [(&str, &str); 0] = [];
    let loaded = SettingsLoader::new().variables(none).file(&path).load::<AppSettings>();
    std::fs::remove_file(&path).unwrap();
    let settings = loaded.unwrap();
    assert_eq!((settings.root, settings.ratios), (PathBuf::from("/srv"), vec![1.0, 2.5]));
    assert_eq!(settings.day.unwrap().to_string(), "2026-01-31");
    let absent = SettingsLoader::new().variables(none).file(&path).load::<AppSettings>().unwrap_err();
    assert!(absent.to_string().contains("cannot read the settings file `"), "{absent}");
}

#[test]
fn reads_the_environment_of_the_process() {
    // Cargo sets this variable for tests.
    #[derive(Settings)]
    #[setting(prefix = "CARGO")]
    struct OfCargo {
        /// The folder of the package.
        manifest_dir: PathBuf,
    }
    let settings = OfCargo::from_env().unwrap();
    assert!(settings.manifest_dir.ends_with("mcp-runtime"), "{}", settings.manifest_dir.display());
}
