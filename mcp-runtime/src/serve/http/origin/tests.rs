use http::{HeaderMap, HeaderValue, Uri};
use proptest::prelude::*;

use super::*;

/// Checks a request with these headers.
fn check(allowed: &AllowedHosts, host: &str, origin: Option<&str>) -> Result<(), OriginError> {
    let mut headers = HeaderMap::new();
    headers.insert(HOST, HeaderValue::from_bytes(host.as_bytes()).unwrap());
    if let Some(origin) = origin {
        headers.insert(ORIGIN, HeaderValue::from_bytes(origin.as_bytes()).unwrap());
    }
    allowed.check(&Method::GET, &"/mcp".parse().unwrap(), &headers).map(drop)
}

fn host(allowed: &AllowedHosts, host: &str) -> bool {
    match check(allowed, host, None) {
        Ok(()) => true,
        Err(refused) => {
            assert_eq!(refused, OriginError::Host(host.to_owned()));
            false
        }
    }
}

/// Checks a request with this origin. `at` is a host that is allowed.
fn origin(allowed: &AllowedHosts, at: &str, origin: &str) -> bool {
    match check(allowed, at, Some(origin)) {
        Ok(()) => true,
        Err(refused) => {
            assert_eq!(refused, OriginError::Origin(origin.to_owned()));
            false
        }
    }
}

const STRANGE: [&str; 38] = [
    "",
    " ",
    "evil.example.com",
    "evil.example.com:80",
    "localhost.evil.example.com",
    "evil.localhost",
    "xlocalhost",
    "localhost..",
    ".localhost",
    "localhost.:x",
    "localhost:",
    "localhost:65536",
    "localhost:+80",
    "localhost:-1",
    "localhost:80:80",
    "localhost:8o",
    "localhost@evil.example.com",
    "evil.example.com@localhost",
    "user:localhost@evil.example.com:80",
    "localhost/",
    "localhost/x",
    "localhost#x",
    "localhost\\x",
    "http://localhost",
    "local%68ost",
    "localhost,evil.example.com",
    "localhost evil.example.com",
    "localhöst",
    "127.1",
    "127.0.0.1.",
    "127.0.0.01",
    "127.0.0.1.2",
    "128.0.0.1",
    "0.0.0.0",
    "2130706433",
    "0x7f000001",
    "::1",
    "*",
];

const STRANGE_IN_BRACKETS: [&str; 12] = [
    "[::1",
    "::1]",
    "[::1]x",
    "[::1]x:80",
    "[::2]",
    "[::]",
    "[::1%1]",
    "[::1%25lo]",
    "[localhost]",
    "[127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[[::1]]",
];

#[test]
fn allows_the_local_machine_by_default() {
    let default = AllowedHosts::default();
    for name in
        ["localhost", "LocalHost", "localhost.", "127.0.0.1", "127.255.3.4", "[::1]", "[0:0:0:0:0:0:0:1]", "[0::0001]"]
    {
        for port in ["", ":80", ":3000", ":65535", ":0"] {
            let at = format!("{name}{port}");
            assert!(host(&default, &at), "{at}");
            assert!(origin(&default, "localhost", &format!("http://{at}")), "{at}");
            assert!(origin(&default, "localhost", &format!("HTTPS://{at}")), "{at}");
        }
    }
}

#[test]
fn rejects_all_other_hosts_by_default() {
    let default = AllowedHosts::default();
    for strange in STRANGE.into_iter().chain(STRANGE_IN_BRACKETS) {
        assert!(!host(&default, strange), "{strange}");
        assert!(!origin(&default, "localhost", &format!("http://{strange}")), "{strange}");
    }
}

#[test]
fn compares_scheme_host_and_port_of_an_origin() {
    let default = AllowedHosts::default();
    for strange in [
        "null",
        "NULL",
        "localhost",
        "//localhost",
        "http:localhost",
        "http:/localhost",
        "http:///localhost",
        "://localhost",
        "1http://localhost",
        "ht tp://localhost",
        "http://localhost http://localhost",
        "http://localhost, http://localhost",
        "http://localhost?x",
        "http://localhost:3000/mcp",
        // Pages of other schemes are allowed only by `origins`.
        "file://localhost",
        "ftp://localhost",
        "chrome-extension://localhost",
    ] {
        assert!(!origin(&default, "localhost", strange), "{strange}");
    }
}

#[test]
fn accepts_a_missing_origin_but_not_a_missing_host() {
    let default = AllowedHosts::default();
    assert_eq!(check(&default, "localhost", None), Ok(()));
    assert_eq!(default.check(&Method::GET, &Uri::default(), &HeaderMap::new()), Err(OriginError::HostMissing));
    let mut bytes = HeaderMap::new();
    bytes.insert(HOST, HeaderValue::from_bytes(b"localhost\xff").unwrap());
    assert!(matches!(default.check(&Method::GET, &Uri::default(), &bytes), Err(OriginError::Host(_))));
}

#[test]
fn rejects_a_second_host_or_origin() {
    let mut headers = HeaderMap::new();
    headers.append(HOST, HeaderValue::from_static("localhost"));
    headers.append(ORIGIN, HeaderValue::from_static("http://localhost"));
    headers.append(ORIGIN, HeaderValue::from_static("http://localhost"));
    let default = AllowedHosts::default();
    assert_eq!(default.check(&Method::GET, &Uri::default(), &headers), Err(OriginError::OriginTwice));
    headers.append(HOST, HeaderValue::from_static("localhost"));
    assert_eq!(default.check(&Method::GET, &Uri::default(), &headers), Err(OriginError::HostTwice));
    assert_eq!(AllowedHosts::new(["*"]).check(&Method::GET, &Uri::default(), &headers), Ok(headers.get(ORIGIN)));
}

#[test]
fn checks_the_host_of_the_request_target() {
    let default = AllowedHosts::default();
    let check = |target: &str, host: Option<&str>| {
        let mut headers = HeaderMap::new();
        headers.extend(host.map(|host| (HOST, HeaderValue::from_str(host).unwrap())));
        default.check(&Method::GET, &target.parse().unwrap(), &headers).map(drop)
    };
    assert_eq!(check("http://localhost:80/mcp", None), Ok(()));
    assert_eq!(check("http://localhost/mcp", Some("localhost")), Ok(()));
    assert_eq!(check("http://evil.example.com/mcp", None), Err(OriginError::Host("evil.example.com".into())));
    assert_eq!(
        check("http://evil.example.com/mcp", Some("localhost")),
        Err(OriginError::Host("evil.example.com".into()))
    );
    assert_eq!(
        check("http://localhost/mcp", Some("evil.example.com")),
        Err(OriginError::Host("evil.example.com".into()))
    );
    assert_eq!(check("http://me@localhost/mcp", Some("localhost")), Err(OriginError::Host("me@localhost".into())));
}

#[test]
fn a_host_without_a_port_matches_any_port() {
    let allowed = AllowedHosts::new([" MCP.Example.com", "ports.example.com:8443", "tls.example.com:443", "192.0.2.7"]);
    assert_eq!(allowed.problems(), [""; 0]);
    for (at, ok) in [
        ("mcp.example.com", true),
        ("mcp.example.COM.:8080", true),
        ("192.0.2.7:1", true),
        ("ports.example.com:8443", true),
        ("ports.example.com", false),
        ("ports.example.com:443", false),
        ("tls.example.com", true),
        ("tls.example.com:443", true),
        ("tls.example.com:80", false),
        ("example.com", false),
        ("x.mcp.example.com", false),
        ("192.0.2.8", false),
        ("localhost", false),
        ("127.0.0.1", false),
    ] {
        assert_eq!(host(&allowed, at), ok, "{at}");
    }
}

#[test]
fn allows_pages_of_the_hosts_by_default() {
    let allowed = AllowedHosts::new(["mcp.example.com", "tls.example.com:443", "[2001:DB8::7]:80"]);
    for (from, ok) in [
        ("http://mcp.example.com", true),
        ("https://mcp.example.com:8443", true),
        ("https://tls.example.com", true),
        ("http://tls.example.com", false),
        ("http://tls.example.com:443", true),
        ("http://[2001:db8:0::7]", true),
        ("https://[2001:db8::7]", false),
        ("app://mcp.example.com", false),
        ("http://localhost", false),
        ("null", false),
    ] {
        assert_eq!(origin(&allowed, "mcp.example.com", from), ok, "{from}");
    }
}

#[test]
fn named_origins_replace_those_of_the_hosts() {
    let allowed = AllowedHosts::new(["mcp.example.com"])
        .origins(["https://app.example.com", "http://localhost:3000"])
        .origins(["vscode-webview://abc123"]);
    assert_eq!(allowed.problems(), [""; 0]);
    for (from, ok) in [
        ("https://app.example.com", true),
        ("https://APP.example.com:443", true),
        ("https://app.example.com:8443", false),
        ("http://app.example.com", false),
        ("http://app.example.com:443", false),
        ("http://localhost:3000", true),
        ("http://localhost", false),
        ("vscode-webview://abc123", true),
        ("vscode-webview://abc124", false),
        ("https://mcp.example.com", false),
        ("null", false),
    ] {
        assert_eq!(origin(&allowed, "mcp.example.com", from), ok, "{from}");
    }
    let none = AllowedHosts::new(["mcp.example.com"]).origins([""; 0]);
    assert_eq!(check(&none, "mcp.example.com", None), Ok(()));
    assert!(!origin(&none, "mcp.example.com", "https://mcp.example.com"));
}

#[test]
fn a_star_disables_a_check() {
    let everything = AllowedHosts::new(["*"]);
    for from in ["null", "https://evil.example.com", "\u{1}"] {
        assert_eq!(check(&everything, "evil@example", Some("null")), Ok(()), "{from}");
    }
    assert_eq!(everything.check(&Method::GET, &Uri::default(), &HeaderMap::new()), Ok(None));

    let pages = AllowedHosts::default().origins(["*"]);
    assert!(origin(&pages, "localhost", "null"));
    assert!(!host(&pages, "evil.example.com"));

    let hosts = AllowedHosts::new(["*"]).origins(["https://app.example.com"]);
    assert!(host(&hosts, "whatever"));
    assert!(origin(&hosts, "whatever", "https://app.example.com"));
    assert!(!origin(&hosts, "whatever", "https://evil.example.com"));
}

#[test]
fn reports_invalid_hosts_and_origins() {
    for strange in STRANGE.into_iter().chain(STRANGE_IN_BRACKETS) {
        let readable = matches!(
            strange,
            "evil.example.com"
                | "evil.example.com:80"
                | "localhost.evil.example.com"
                | "evil.localhost"
                | "xlocalhost"
                | "128.0.0.1"
                | "0.0.0.0"
                | "0x7f000001"
                | "*"
                | "[::2]"
                | "[::]"
                | "[::ffff:127.0.0.1]"
        );
        assert_eq!(AllowedHosts::new([strange]).problems().is_empty(), readable, "{strange}");
    }
    let problems = AllowedHosts::new(["https://mcp.example.com"]).origins(["app.example.com", "null"]).problems;
    assert_eq!(
        problems,
        [
            "allowed hosts: `https://mcp.example.com` is not a host: write it like `mcp.example.com` or \
             `mcp.example.com:8443`, without a scheme or path; write non-ASCII names in the form `xn--…`",
            "allowed origins: `app.example.com` is not an origin: write it like `https://app.example.com`, without a \
             path",
            "allowed origins: any page can send `null`, so it is not allowed; write `*` to allow every page",
        ]
    );
    let none = AllowedHosts::new([""; 0]);
    assert_eq!(none.problems(), ["allowed hosts: the list is empty; name at least one host"]);
    assert_eq!(AllowedHosts::default().problems(), [""; 0]);
}

#[test]
fn a_rejection_names_the_host_or_origin_to_allow() {
    let default = AllowedHosts::default();
    assert_eq!(
        check(&default, "evil.example.com", None).unwrap_err().to_string(),
        "this server does not answer requests to the host `evil.example.com`; allow it with `AllowedHosts`",
    );
    assert_eq!(
        check(&default, "localhost", Some("null")).unwrap_err().to_string(),
        "this server does not answer requests from the origin `null`; allow it with `AllowedHosts`",
    );
    let long = "x".repeat(10_000);
    assert!(check(&default, &long, None).unwrap_err().to_string().len() < 300);
}

proptest! {
    #[test]
    fn never_panics_on_any_header(
        host in prop::collection::vec(any::<u8>(), 0..40),
        origin in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut headers = HeaderMap::new();
        headers.extend(HeaderValue::from_bytes(&host).ok().map(|host| (HOST, host)));
        headers.extend(HeaderValue::from_bytes(&origin).ok().map(|origin| (ORIGIN, origin)));
        for allowed in [AllowedHosts::default(), AllowedHosts::new(["a", "*"]).origins(["http://a"])] {
            let _ = allowed.check(&Method::GET, &Uri::default(), &headers).map_err(|refused| refused.to_string());
        }
    }

    #[test]
    fn only_names_of_the_local_machine_pass(
        at in r"(https?://|x@)?(localhost|127|[.:@/%\[\]]|\[::1\]|:8|0|1|a\.|[^a-z]){0,8}",
    ) {
        let Ok(value) = HeaderValue::from_str(&at) else { return Ok(()) };
        let headers = HeaderMap::from_iter([(HOST, value)]);
        if AllowedHosts::default().check(&Method::GET, &Uri::default(), &headers).is_ok() {
            let name = at.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')).map_or(&*at, |(name, _)| name);
            let machine = ["localhost", "localhost.", "[::1]"].contains(&name)
                || name.parse().is_ok_and(|address: std::net::Ipv4Addr| address.octets()[0] == 127);
            prop_assert!(machine, "{at}");
        }
    }

    #[test]
    fn an_allowed_host_matches_as_written(
        host in r"[a-z][a-z0-9-]{0,9}(\.[a-z][a-z0-9]{0,5}){0,3}",
        port: Option<u16>,
    ) {
        let at = port.map_or(host.clone(), |port| format!("{host}:{port}"));
        let (own, longer) = (format!("https://{at}"), format!("x{host}"));
        let allowed = AllowedHosts::new([&at]);
        prop_assert_eq!(allowed.problems(), [""; 0]);
        prop_assert!(check(&allowed, &at, Some(&own)).is_ok());
        prop_assert!(check(&allowed, &at, Some("https://evil.example.com")).is_err());
        prop_assert!(check(&allowed, &longer, None).is_err());
    }
}

#[test]
fn a_page_of_another_site_changes_nothing_even_without_origin() {
    let check = |method: Method, site: Option<&str>, allowed: AllowedHosts| {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost"));
        if let Some(site) = site {
            headers.insert("sec-fetch-site", site.parse().unwrap());
        }
        allowed.check(&method, &Uri::default(), &headers).map(drop)
    };
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for site in ["cross-site", "same-site", "anything"] {
            assert_eq!(
                check(method.clone(), Some(site), AllowedHosts::default()),
                Err(OriginError::OtherSite),
                "{site}"
            );
            assert_eq!(check(method.clone(), Some(site), AllowedHosts::new(["*"])), Ok(()), "{site}");
        }
        for site in [None, Some("same-origin"), Some("none")] {
            assert_eq!(check(method.clone(), site, AllowedHosts::default()), Ok(()), "{site:?}");
        }
    }
    assert_eq!(check(Method::GET, Some("cross-site"), AllowedHosts::default()), Ok(()), "a link");
}

#[test]
fn the_origin_for_a_person_has_the_host_of_the_request_only_if_it_is_allowed() {
    let allowed = AllowedHosts::new(["mcp.example.com", "localhost", "10.0.0.7:8080"]);
    for (host, forwarded, origin) in [
        ("mcp.example.com", None, Some("https://mcp.example.com")),
        ("mcp.example.com", Some("http"), Some("http://mcp.example.com")),
        ("mcp.example.com:8080", None, Some("http://mcp.example.com:8080")),
        ("localhost:8080", None, Some("http://localhost:8080")),
        ("localhost:8080", Some("https"), Some("https://localhost:8080")),
        ("localhost:8080", Some("javascript"), Some("http://localhost:8080")),
        ("10.0.0.7:8080", None, Some("http://10.0.0.7:8080")),
        ("evil.example.com", None, None),
        ("mcp.example.com/<script>", None, None),
    ] {
        assert_eq!(allowed.origin_of(host, forwarded).as_deref(), origin, "{host} {forwarded:?}");
    }
    let any = AllowedHosts::new(["*"]);
    assert_eq!(any.origin_of("a.example.com", None).as_deref(), Some("https://a.example.com"));
    assert_eq!(any.origin_of("\"><script>", None), None);
}
