//! Untrusted input that is decrypted or parsed: states, stored bytes, arguments, keys. The first byte selects the kind.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_runtime::fuzz_seal(data));
