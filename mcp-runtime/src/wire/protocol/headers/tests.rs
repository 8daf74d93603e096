use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const VERSION: &str = "2026-07-28";

fn headers(fields: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in fields {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        headers.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    headers
}

fn refusal(checked: Result<(), RpcError>) -> String {
    let error = checked.unwrap_err();
    assert_eq!(error.code, -32020);
    error.message.strip_prefix("Header mismatch: ").unwrap().to_owned()
}

fn request(fields: &[(&str, &str)]) -> Result<(), RpcError> {
    RepeatedHeaders::read(&headers(fields)).check_request(VERSION, "tools/call", false)
}

fn name(value: &str, body: &str) -> Result<(), RpcError> {
    check_name(&headers(&[("Mcp-Name", value)]), body)
}

fn check_name(headers: &HeaderMap, body: &str) -> Result<(), RpcError> {
    RepeatedHeaders::read(headers).check_name(body)
}

fn check_arguments(headers: &HeaderMap, repeated: &[ParamHeader], arguments: &str) -> Result<(), RpcError> {
    RepeatedHeaders::read(headers).check_arguments(repeated, arguments)
}

fn region() -> ParamHeader {
    ParamHeader::new("Region", vec![vec!["region".into()]]).unwrap()
}

/// Checks `Mcp-Param-Region`, with a value or missing, against the argument `region`.
fn param(header: Option<&str>, arguments: &Value) -> Result<(), RpcError> {
    param_text(header, &arguments.to_string())
}

fn param_text(header: Option<&str>, arguments: &str) -> Result<(), RpcError> {
    let fields: Vec<_> = header.iter().map(|value| ("Mcp-Param-Region", *value)).collect();
    check_arguments(&headers(&fields), &[region()], arguments)
}

#[test]
fn rejects_a_version_or_method_that_differs_from_the_body() {
    request(&[("MCP-Protocol-Version", VERSION), ("Mcp-Method", "tools/call")]).unwrap();
    for (fields, words) in [
        (vec![("Mcp-Method", "tools/call")], "`MCP-Protocol-Version` is missing; the body says `2026-07-28`"),
        (vec![("MCP-Protocol-Version", VERSION)], "`Mcp-Method` is missing; the body says `tools/call`"),
        (
            vec![("MCP-Protocol-Version", "2025-11-25"), ("Mcp-Method", "tools/call")],
            "`MCP-Protocol-Version` is `2025-11-25`, but the body says `2026-07-28`",
        ),
        (
            vec![("MCP-Protocol-Version", VERSION), ("Mcp-Method", "TOOLS/CALL")],
            "`Mcp-Method` is `TOOLS/CALL`, but the body says `tools/call`",
        ),
        // The method is never encoded.
        (
            vec![("MCP-Protocol-Version", VERSION), ("Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?=")],
            "`Mcp-Method` is `=?base64?dG9vbHMvY2FsbA==?=`, but the body says `tools/call`",
        ),
    ] {
        assert_eq!(refusal(request(&fields)), words);
    }
}

#[test]
fn ignores_the_case_of_names_and_the_space_around_values() {
    for (version, method) in [("mcp-protocol-version", "mcp-method"), ("MCP-PROTOCOL-VERSION", "MCP-METHOD")] {
        request(&[(version, " 2026-07-28\t"), (method, "\t tools/call ")]).unwrap();
    }
    check_name(&headers(&[("MCP-NAME", "  echo  ")]), "echo").unwrap();
    refusal(name("Echo", "echo"));
}

#[test]
fn rejects_a_header_sent_twice_even_if_both_agree() {
    let both = [("MCP-Protocol-Version", VERSION), ("Mcp-Method", "tools/call"), ("mcp-method", "tools/call")];
    assert_eq!(refusal(request(&both)), "`Mcp-Method` is sent more than once");
    let both = headers(&[("Mcp-Name", "echo"), ("Mcp-Name", "echo")]);
    assert_eq!(refusal(check_name(&both, "echo")), "`Mcp-Name` is sent more than once");
    let both = headers(&[("Mcp-Param-Region", "eu"), ("Mcp-Param-Region", "eu")]);
    refusal(check_arguments(&both, &[region()], r#"{"region":"eu"}"#));
    // A proxy can join the two.
    refusal(name("echo, echo", "echo"));
}

#[test]
fn accepts_an_encoded_name() {
    name("echo", "echo").unwrap();
    name("=?base64?ZWNobw==?=", "echo").unwrap();
    name("=?base64?w6R0?=", "ät").unwrap();
    assert_eq!(refusal(name("echo", "other")), "`Mcp-Name` is `echo`, but the body says `other`");
    assert_eq!(refusal(check_name(&HeaderMap::new(), "echo")), "`Mcp-Name` is missing; the body says `echo`");
}

#[test]
fn rejects_a_malformed_encoding() {
    for inside in ["SGVsbG8", "SGVsbG8==", "SGV%bG8=", "SGVs bG8=", "SGVsbG9=", "_-8=", "/w==", "=", "===="] {
        let header = format!("=?base64?{inside}?=");
        assert_eq!(
            refusal(param(Some(&header), &json!({ "region": "Hello" }))),
            format!("`Mcp-Param-Region` is `{header}`, which is not Base64 of UTF-8 text"),
        );
        // The value is not taken literally either.
        refusal(param(Some(&header), &json!({ "region": header })));
    }
}

#[test]
fn takes_an_incomplete_encoding_literally() {
    for text in [
        "SGVsbG8=",
        "=?base64?SGVsbG8=",
        "SGVsbG8=?=",
        "=?base64?=",
        "=?BASE64?SGVsbG8=?=",
        "=?base64 SGVsbG8=?=",
        "=?",
    ] {
        param(Some(text), &json!({ "region": text })).unwrap();
        refusal(param(Some(text), &json!({ "region": "Hello" })));
    }
}

#[test]
fn decodes_text_that_headers_cannot_carry() {
    for text in ["", " eu ", "münchen", "a\r\nb", "=?base64?SGVsbG8=?=", "\u{0}"] {
        let header = format!("=?base64?{}?=", STANDARD.encode(text));
        param(Some(&header), &json!({ "region": text })).unwrap();
    }
    param(Some(""), &json!({ "region": "" })).unwrap();
    // Text that looks like an encoding is encoded.
    refusal(param(Some("=?base64?SGVsbG8=?="), &json!({ "region": "=?base64?SGVsbG8=?=" })));
    assert_eq!(
        refusal(param(Some("münchen"), &json!({ "region": "münchen" }))),
        "`Mcp-Param-Region` contains characters other than visible ASCII; write it as `=?base64?…?=`",
    );
}

#[test]
fn requires_argument_and_header_together() {
    for nothing in [json!({}), json!({ "region": null }), json!({ "other": "eu" })] {
        param(None, &nothing).unwrap();
        assert_eq!(
            refusal(param(Some("eu"), &nothing)),
            "`Mcp-Param-Region` is `eu`, but the arguments have no value at `region`",
        );
    }
    for value in [json!("eu"), json!(""), json!(0), json!(false)] {
        let refused = refusal(param(None, &json!({ "region": value })));
        assert_eq!(refused, format!("`Mcp-Param-Region` is missing; the body says `{value}`"));
    }
}

#[test]
fn ignores_headers_that_no_tool_declares() {
    check_arguments(&headers(&[("Mcp-Param-Other", "x"), ("Mcp-Param-Other", "y")]), &[], "{}").unwrap();
    check_arguments(&headers(&[("Mcp-Param-Other", "x")]), &[region()], "{}").unwrap();
}

#[test]
fn compares_values_by_their_type() {
    for (header, value, same) in [
        ("eu", r#""eu""#, true),
        ("EU", r#""eu""#, false),
        ("eu", r#""\u0065u""#, true),
        ("7", r#""7""#, true),
        ("7.0", r#""7""#, false),
        ("true", "true", true),
        ("false", "false", true),
        ("True", "true", false),
        ("1", "true", false),
        ("true", r#""true""#, true),
        ("42", "42", true),
        ("42.0", "42", true),
        ("42", "42.0", true),
        ("4.2e1", "42", true),
        ("420E-1", "42", true),
        ("-7", "-7", true),
        ("-0", "0", true),
        ("0", "0.0e5", true),
        ("-7", "7", false),
        ("42", "43", false),
        ("420", "42", false),
        ("042", "42", false),
        ("+42", "42", false),
        ("42.", "42", false),
        ("0x2a", "42", false),
        ("4 2", "42", false),
        ("NaN", "42", false),
        ("", "0", false),
        ("-", "0", false),
        ("9007199254740993", "9007199254740993", true),
        // Both are the same number to a reader of floats.
        ("9007199254740992", "9007199254740993", false),
        ("1e400", "1e400", true),
        ("10e399", "1e400", true),
        ("1e99999999999999999999", "1e99999999999999999999", true),
        ("1e99999999999999999999", "1e99999999999999999998", false),
        ("=?base64?NDI=?=", "42", true),
        ("=?base64?dHJ1ZQ==?=", "true", true),
        // Half a surrogate pair equals no header.
        ("x", r#""\ud800""#, false),
    ] {
        let checked = param_text(Some(header), &format!(r#"{{"region":{value}}}"#));
        assert_eq!(checked.is_ok(), same, "{header} {value}: {checked:?}");
    }
}

#[test]
fn leaves_objects_and_arrays_to_the_check_of_the_arguments() {
    for value in [json!({ "a": 1 }), json!(["eu"])] {
        param(None, &json!({ "region": value })).unwrap();
        refusal(param(Some("eu"), &json!({ "region": value })));
    }
}

#[test]
fn finds_a_nested_argument() {
    let limit = ParamHeader::new("Limit", vec![vec!["options".into()], vec!["limit".into()]]).unwrap();
    let check = |header: Option<&str>, arguments: Value| {
        let fields: Vec<_> = header.iter().map(|value| ("mcp-param-limit", *value)).collect();
        check_arguments(&headers(&fields), std::slice::from_ref(&limit), &arguments.to_string())
    };
    check(Some("5"), json!({ "limit": 6, "options": { "other": 7, "limit": 5 } })).unwrap();
    for nothing in
        [json!({ "limit": 5 }), json!({ "options": null }), json!({ "options": 5 }), json!({ "options": {} })]
    {
        check(None, nothing.clone()).unwrap();
        let refused = refusal(check(Some("5"), nothing));
        assert_eq!(refused, "`Mcp-Param-Limit` is `5`, but the arguments have no value at `options.limit`");
    }
}

#[test]
fn finds_an_argument_under_each_alias_but_only_once() {
    let region = ParamHeader::new("Region", vec![vec!["region".into(), "area".into()]]).unwrap();
    let check = |fields: &[(&str, &str)], arguments| {
        check_arguments(&headers(fields), std::slice::from_ref(&region), arguments)
    };
    let eu = [("Mcp-Param-Region", "eu")];
    check(&eu, r#"{"area":"eu"}"#).unwrap();
    check(&eu, r#"{"\u0061rea":"eu"}"#).unwrap();
    refusal(check(&[], r#"{"area":"eu"}"#));
    for twice in [r#"{"area":"eu","region":"us"}"#, r#"{"region":"eu","region":"eu"}"#] {
        assert_eq!(
            refusal(check(&eu, twice)),
            "`region` appears twice in the arguments, so the value of `Mcp-Param-Region` is ambiguous",
        );
    }
}

#[test]
fn shortens_long_values_in_errors() {
    let long = "x".repeat(10_000);
    assert!(refusal(name(&long, "echo")).len() < 400);
    assert!(refusal(param(Some("eu"), &json!({ "region": long }))).len() < 400);
    assert!(refusal(name(&format!("=?base64?{long}%?="), "echo")).len() < 400);
}

#[test]
fn accepts_only_tokens_as_the_end_of_a_header_name() {
    for suffix in ["Region", "a", "x-y_z", "!#$%&'*+-.^_`|~09"] {
        assert!(ParamHeader::new(suffix, Vec::new()).is_some(), "{suffix}");
    }
    for suffix in ["", " ", "a b", "a:b", "a\nb", "ä", "a/b", "\u{7f}", "a\u{0}", "(a)"] {
        assert!(ParamHeader::new(suffix, Vec::new()).is_none(), "{suffix:?}");
    }
    let (one, other) = (ParamHeader::new("Region", Vec::new()), ParamHeader::new("REGION", Vec::new()));
    assert!(one.unwrap().is_same_header(&other.unwrap()));
}

/// Encodes a value as clients do.
fn encoded(text: &str) -> String {
    let plain = text.bytes().all(|byte| byte == b'\t' || (0x20..0x7f).contains(&byte)) && text.trim() == text;
    if plain && !text.starts_with("=?base64?") {
        text.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(text))
    }
}

proptest! {
    #[test]
    fn every_text_matches_its_own_encoding_only(text: String, other: String) {
        let arguments = json!({ "region": text });
        prop_assert!(param(Some(&encoded(&text)), &arguments).is_ok());
        prop_assert_eq!(param(Some(&encoded(&other)), &arguments).is_ok(), text == other);
    }

    #[test]
    fn numbers_match_by_value(a: i64, b: i64, zeros in 0_usize..5) {
        let arguments = json!({ "region": a });
        let written = format!("{a}.{}", "0".repeat(zeros + 1));
        prop_assert!(param(Some(&written), &arguments).is_ok());
        let shifted = format!("{a}{}e-{zeros}", "0".repeat(zeros));
        prop_assert!(a == 0 || param(Some(&shifted), &arguments).is_ok());
        prop_assert_eq!(param(Some(&b.to_string()), &arguments).is_ok(), a == b);
    }

    #[test]
    fn never_panics_on_any_header(
        value in prop::collection::vec(any::<u8>(), 0..40),
        arguments in r#"\{("region":|"r|[-0-9.eE"\\,\[\]{}u:nl])*\}?"#,
    ) {
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_bytes(&value) {
            headers.insert("mcp-param-region", value.clone());
            headers.insert("mcp-name", value);
        }
        let _ = check_name(&headers, "echo");
        let _ = RepeatedHeaders::read(&headers).check_request(VERSION, "tools/call", true);
        let judged = check_arguments(&headers, &[region()], &arguments);
        prop_assert!(judged.is_ok() || judged.is_err_and(|error| error.code == -32020));
    }
}
