//! Splits names into words.

use proc_macro2::Ident;
use syn::ext::IdentExt;

/// Returns the words of a name, which can be written in any style: `PickFlight`, `pick_flight`, `HTTPPort`,
/// `card-number`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut in_word = false;
    let letters: Vec<char> = name.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            in_word = false;
            continue;
        }
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1);
        // `tF` in `PickFlight`, and `PPo` in `HTTPPort`.
        let begins = letter.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase()) || after.is_some_and(|after| after.is_lowercase()));
        match words.last_mut() {
            Some(word) if in_word && !begins => word.push(letter),
            _ => words.push(letter.into()),
        }
        in_word = true;
    }
    words
}

/// Returns the name on the wire, such as `pick_flight` for `PickFlight`.
pub(crate) fn snake(ident: &Ident) -> String {
    snake_text(&ident.unraw().to_string())
}

/// Does the same for text.
pub(crate) fn snake_text(name: &str) -> String {
    let words: Vec<_> = words(name).iter().map(|word| word.to_lowercase()).collect();
    if words.is_empty() { name.to_owned() } else { words.join("_") }
}

/// Returns the title for users, such as `Prefer not` for `PreferNot`.
pub(crate) fn sentence(ident: &Ident) -> String {
    let name = ident.unraw().to_string();
    let mut words = words(&name);
    for word in words.iter_mut().skip(1) {
        // An abbreviation keeps its capitals.
        if word.chars().filter(|c| c.is_uppercase()).count() < 2 {
            *word = word.to_lowercase();
        }
    }
    if words.is_empty() { name } else { words.join(" ") }
}

/// Creates an identifier. It is raw if the name is a keyword, and ends with `_` if the keyword cannot be raw.
pub(crate) fn ident(name: &str, like: &Ident) -> Ident {
    let parsed = [name.to_owned(), format!("r#{name}"), format!("{name}_")];
    let mut ident = parsed.iter().find_map(|name| syn::parse_str::<Ident>(name).ok()).unwrap_or_else(|| like.clone());
    ident.set_span(like.span());
    ident
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn splits_a_name_into_words() {
        for (name, expected) in [
            ("PickFlight", "Pick Flight"),
            ("pick_flight", "pick flight"),
            ("HTTPPort", "HTTP Port"),
            ("apiKey", "api Key"),
            ("A4Paper", "A4 Paper"),
            ("V2", "V2"),
            ("card-number.x", "card number x"),
            ("_x__y", "x y"),
            ("ÄrgerÜber", "Ärger Über"),
            ("__", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }

    #[test]
    fn writes_wire_names_in_snake_case_and_titles_as_sentences() {
        for (name, wire, title) in [
            ("PickFlight", "pick_flight", "Pick flight"),
            ("PreferNot", "prefer_not", "Prefer not"),
            ("USPhone", "us_phone", "US phone"),
            ("r#Type", "type", "Type"),
            ("__", "__", "__"),
        ] {
            let ident = syn::parse_str(name).expect("an identifier");
            assert_eq!((snake(&ident), sentence(&ident)), (wire.to_owned(), title.to_owned()));
        }
    }

    #[test]
    fn creates_an_identifier_for_every_name() {
        let like = Ident::new("Like", Span::call_site());
        for (name, expected) in
            [("pick", "pick"), ("type", "r#type"), ("crate", "crate_"), ("self", "self_"), ("1st", "Like")]
        {
            assert_eq!(ident(name, &like).to_string(), expected);
        }
    }
}
