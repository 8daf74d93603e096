//! What comes from strangers and is opened: states, stored bytes, arguments, keys. The first byte says which.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcp_runtime::fuzz_seal(data));
