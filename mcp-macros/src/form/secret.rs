//! Detects names that look like secrets. The protocol does not allow forms to ask for secrets.

use crate::words::words;

/// A name that contains one of these words looks like a secret. The name can also contain the word split in two, such
/// as `api_key` for `apikey`.
const SECRETS: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "authtoken",
    "cardnumber",
    "credential",
    "creditcard",
    "cvc",
    "cvv",
    "debitcard",
    "encryptionkey",
    "otp",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "privatekey",
    "pwd",
    "recoverycode",
    "secret",
    "secretkey",
    "securitycode",
    "seedphrase",
    "signingkey",
    "socialsecurity",
    "sshkey",
    "ssn",
    "token",
    "totp",
    "verificationcode",
];

/// Returns the words of `name` that look like a secret, with their original capitals. For `myAPIKey`, returns `API
/// Key`.
pub(crate) fn looks_secret(name: &str) -> Option<String> {
    let words = words(name);
    [2, 1]
        .into_iter()
        .find_map(|count| words.windows(count).find(|words| is_secret(words)).map(|words| words.join(" ")))
}

fn is_secret(words: &[String]) -> bool {
    let plain: Vec<_> = words.iter().map(|word| plain(word)).collect();
    plain.iter().all(|word| !word.is_empty()) && SECRETS.iter().any(|secret| is(&plain.concat(), secret))
}

/// Returns whether `word` is `secret` in the singular or the plural.
fn is(word: &str, secret: &str) -> bool {
    word.strip_prefix(secret).is_some_and(|rest| rest.is_empty() || rest == "s")
}

/// Converts to lower case and removes trailing digits.
fn plain(word: &str) -> String {
    word.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_secrets_in_every_case() {
        for (name, words) in [
            ("password", "password"),
            ("new_password2", "password2"),
            ("passwords", "passwords"),
            ("passWord", "pass Word"),
            ("pwd", "pwd"),
            ("pass_phrase", "pass phrase"),
            ("api_key", "api key"),
            ("myAPIKey", "API Key"),
            ("openai-apikey", "apikey"),
            ("accessToken", "access Token"),
            ("accesstoken", "accesstoken"),
            ("github.token", "token"),
            ("private_keys", "private keys"),
            ("client_secret", "secret"),
            ("credentials", "credentials"),
            ("credit_card", "credit card"),
            ("cardNumber", "card Number"),
            ("CVV", "CVV"),
            ("cvc2", "cvc2"),
            ("pin", "pin"),
            ("PIN", "PIN"),
            ("ssn", "ssn"),
        ] {
            assert_eq!(looks_secret(name).as_deref(), Some(words), "{name}");
        }
    }

    #[test]
    fn ignores_secrets_inside_other_words() {
        for name in [
            "name",
            "pinned",
            "opinion",
            "shipping",
            "spin",
            "passenger",
            "passport",
            "keyword",
            "tokenizer",
            "secretary",
            "card_color",
            "number",
            "key",
            "api",
            "keyboard",
            "boarding_pass",
            "assn",
            "session",
        ] {
            assert_eq!(looks_secret(name), None, "{name}");
        }
    }
}
