//! Which URIs match a template.

use super::*;

fn matched(template: &str, uri: &str) -> Option<Vec<String>> {
    let template = UriTemplate::parse(template).unwrap();
    template.matched(uri).map(|values| values.into_iter().map(|(_, value)| value).collect())
}

#[test]
fn variables_match_what_their_operator_allows() {
    for (template, uri, expected) in [
        ("d://{a}", "d://x", Some(&["x"][..])),
        ("d://{a}", "d://", None),
        ("d://{a}", "d://x/y", None),
        ("d://{a}", "d://x?y", None),
        ("d://{a}", "d://x%2Fy", Some(&["x/y"])),
        ("d://{a}", "d://x%zz", None),
        ("d://{a}", "d://%C3", None),
        ("d://{a}", "d://x y,é:@", Some(&["x y,é:@"])),
        ("d://{a}/z", "d://x/z", Some(&["x"])),
        ("d://{a}/z", "d://x/zz", None),
        ("d://{a}/z", "e://x/z", None),
        ("d://{+a}", "d://x/y?z#f", Some(&["x/y?z#f"])),
        ("d://{+a}", "d://a%20b/c", Some(&["a b/c"])),
        ("d://{+a}/z", "d://x/z/z", Some(&["x/z"])),
        ("d://{+a}/{b}", "d://x/y/z", Some(&["x/y", "z"])),
        ("d://{a}/{+b}", "d://x/y/z", Some(&["x", "y/z"])),
        ("d://{a}.{b}", "d://x.tar.gz", Some(&["x.tar", "gz"])),
        ("d://{a}-{b}-{c}", "d://1-2-3-4", Some(&["1-2", "3", "4"])),
        ("d://{a}--{b}", "d://1---2", Some(&["1-", "2"])),
        ("d://{a}2{b}", "d://x%2Fy2z", Some(&["x/y", "z"])),
        ("d://{a}2{b}", "d://x%2Fy", None),
        ("d://x{#f}", "d://x", Some(&[])),
        ("d://x{#f}", "d://x#", Some(&[""])),
        ("d://x{#f}", "d://x#a/b%20c", Some(&["a/b c"])),
        ("d://{+a}{#f}", "d://x/y#f#g", Some(&["x/y", "f#g"])),
    ] {
        let expected = expected.map(|values| values.iter().map(|value| (*value).to_owned()).collect());
        assert_eq!(matched(template, uri), expected, "{template} {uri}");
    }
}

#[test]
fn an_expanded_template_matches_with_the_same_values() {
    let template = UriTemplate::parse("d://{a}/x/{+b}{#c}").unwrap();
    for values in [["a", "b", "c"], ["a/b?c#d%41", "e/f g?%2F#é", "%#/"], ["é", "[]", ""]] {
        let named = |name: &str| Some(values[usize::from(name.as_bytes()[0] - b'a')]);
        let uri = template.expand(named);
        assert_eq!(super::super::uri::invalid_uri(&uri.replace(['#'], "")), None, "{uri}");
        let found: Vec<_> = template.matched(&uri).unwrap().into_iter().map(|(_, value)| value).collect();
        assert_eq!(found, values, "{uri}");
    }
}

#[test]
fn explains_what_is_not_a_template() {
    for (text, reason) in [
        ("{scheme}://a", "begins with a scheme"),
        ("d://{a", "a `{` has no `}`"),
        ("d://a}", "a `}` has no `{`"),
        ("d://{}", "`{}` has no variable"),
        ("d://{+}", "`{+}` has no variable"),
        ("d://{/q}", "`{/q}` is not supported"),
        ("d://{a,b}", "`{a,b}` is not supported"),
        ("d://{a*}", "`{a*}` is not supported"),
        ("d://{a}/{a}", "the variable `a` appears twice"),
        ("d://{a}{b}", "`{b}` follows a variable"),
        ("d://{#a}/b", "must be at the end"),
        ("d://#x{#a}", "has a `#` before it"),
        ("d://{a}/b c", "cannot contain ` `"),
    ] {
        let found = UriTemplate::parse(text).unwrap_err();
        assert!(found.contains(reason), "{text}: {found}");
    }
}

#[test]
fn a_long_uri_matches_in_linear_time() {
    let template = UriTemplate::parse("d://{+a}a{+b}a{+c}a{+d}b").unwrap();
    let uri = format!("d://{}", "a".repeat(60_000));
    assert!(template.matched(&uri).is_none());
    assert!(template.matched(&format!("{uri}b")).is_some());
    assert!(template.matched(&format!("{uri}{uri}b")).is_none());
}
