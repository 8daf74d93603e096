const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __TOOL_0: _mcp::Entry = <search as _mcp::Registered>::ENTRY;
    const __TOOL_1: _mcp::Entry = <files::read_file as _mcp::Registered>::ENTRY;
    const _: () = if __TOOL_1.is_among(&[__TOOL_0]) {
        const LENGTH: usize = __TOOL_1.duplicate_length();
        const BYTES: [u8; LENGTH] = __TOOL_1.duplicate();
        const MESSAGE: &str = _mcp::text(&BYTES);
        ::core::panic!("{}", MESSAGE)
    };
    _mcp::tools([__TOOL_0, __TOOL_1])
};
