//! The runtime part of `#[derive(Settings)]`.

use crate::serve::settings::{SettingType, SettingValues};

use super::Probe;

// The methods of probes start with `__`, so that they never clash with methods of the author's traits.

pub trait ReadSetting<T> {
    fn __read_setting(&self, values: &mut SettingValues<'_>, index: usize) -> Option<T>;
}

impl<T: SettingType> ReadSetting<T> for Probe<T> {
    fn __read_setting(&self, values: &mut SettingValues<'_>, index: usize) -> Option<T> {
        values.read(index)
    }
}

pub trait ReadNoSetting<T> {
    fn __read_setting(&self, _values: &mut SettingValues<'_>, _index: usize) -> Option<T> {
        unreachable!("this type was rejected at compile time")
    }
}

impl<T> ReadNoSetting<T> for &Probe<T> {}

/// `read_setting!(values, 0, Type)` reads a setting.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_read_setting {
    ($values:ident, $index:literal, $ty:ty) => {{
        #[allow(unused_imports, reason = "a type that is rejected needs the other trait")]
        use $crate::__private::{ReadNoSetting as _, ReadSetting as _};
        (&$crate::__private::Probe::<$ty>::NEW).__read_setting($values, $index)
    }};
}
