const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __TOOL_0: _mcp::Entry = <search as _mcp::Registered>::ENTRY.at(0usize);
    const __TOOL_1: _mcp::Entry = <files::read_file as _mcp::Registered>::ENTRY.at(1usize);
    const _: () = if !__ARE_DISTINCT && __TOOL_1.repeats(__TOOLS) {
        const MESSAGE: _mcp::Problem = __TOOL_1.duplicate();
        ::core::panic!("{}", MESSAGE.text())
    };
    const __TOOLS: &[_mcp::Entry] = &[__TOOL_0, __TOOL_1];
    const __ARE_DISTINCT: bool = _mcp::are_distinct(__TOOLS);
    _mcp::tools(__TOOLS)
};
