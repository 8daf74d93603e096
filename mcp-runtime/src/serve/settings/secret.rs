//! A value that is never shown.

use std::fmt;

use secrecy::{ExposeSecret as _, SecretBox, zeroize::Zeroize};

use super::value::{SettingShape, SettingValue};

/// A secret setting, such as a token. It has no `Display` and cannot be serialized; `Debug` shows `***`; and its memory
/// is overwritten when it is dropped.
///
/// A server cannot show the value by mistake: only [`expose_secret`](Self::expose_secret) returns it, and an error about
/// a wrong value does not contain it. A secret is set with its environment variable, with a variable that has `_FILE` at
/// its end and names a file with the value, or in the settings file. It has no option on the command line, because other
/// users of the machine can read command lines.
///
/// ```
/// use mcp_runtime::settings::Secret;
///
/// let token = Secret::new("s3cr3t".to_owned());
/// assert_eq!(format!("{token:?}"), "***");
/// assert_eq!(token.expose_secret(), "s3cr3t");
/// ```
pub struct Secret<T: Zeroize>(SecretBox<T>);

impl<T: Zeroize> Secret<T> {
    /// Creates a secret, for example in a test.
    pub fn new(value: T) -> Self {
        Self(SecretBox::new(Box::new(value)))
    }

    /// Returns the value. Use it where the secret leaves the program, and do not store it elsewhere.
    pub fn expose_secret(&self) -> &T {
        self.0.expose_secret()
    }
}

impl<T: Zeroize> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl<T: Zeroize + Clone> Clone for Secret<T> {
    fn clone(&self) -> Self {
        Self::new(self.expose_secret().clone())
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[diagnostic::do_not_recommend]
impl<T: SettingValue + Zeroize> SettingValue for Secret<T> {
    const SHAPE: SettingShape = T::SHAPE.secret();

    fn read(text: &str) -> Result<Self, String> {
        // The reason of a value that is not valid can quote it.
        T::read(text).map(Self::new).map_err(|_| "not valid".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_shows_the_value() {
        let secret = Secret::from("s3cr3t".to_owned());
        assert_eq!(format!("{:?} {:#?}", Some(&secret), secret.clone()), "Some(***) ***");
        let Err(reason) = Secret::<u16>::read("s3cr3t") else { panic!("not a number") };
        assert_eq!(reason, "not valid");
    }
}
