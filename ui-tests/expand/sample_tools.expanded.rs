#[allow(deprecated)]
const _: () = {
    use crate::facade::mcp::__private as _mcp;
    #[automatically_derived]
    impl _mcp::SampleTools for Strategy {
        const VARIANTS: &'static [_mcp::SampleVariant<Self>] = &[
            {
                _mcp :: argument ! (__Argument0 : String , FromModel);
                _mcp :: argument ! (__Argument1 : u8 , FromModel);
                fn __default1() -> __Argument1 {
                    let value: u8 = centre();
                    __Argument1(value)
                }
                #[derive(_mcp :: serde :: Deserialize, _mcp :: schemars :: JsonSchema)]
                #[serde(crate = "_mcp::serde", deny_unknown_fields)]
                #[schemars(crate = "_mcp::schemars")]
                struct __Arguments {
                    #[doc = " Why."]
                    reasoning: __Argument0,
                    #[schemars(range(max = 8))]
                    #[serde(alias = "at", default = "__default1")]
                    cell: __Argument1,
                }
                _mcp :: argument ! (__Root : __Arguments);
                use _mcp::Some;
                _mcp::SampleVariant::new::<__Root>(
                    "play_offensive",
                    "Attack.",
                    &[("reasoning", _mcp::may_be_absent::<__Argument0>)],
                    &[("at", "cell")],
                    |arguments| {
                        _mcp::read_variant(arguments).map(|__Root(arguments)| Self::PlayOffensive {
                            reasoning: arguments.reasoning.0,
                            cell: arguments.cell.0,
                        })
                    },
                )
            },
            {
                _mcp :: argument ! (__Argument0 : Query , FromModel);
                use __Argument0 as __Root;
                _mcp::SampleVariant::new::<__Root>("search", "Look something up.", &[], &[], |arguments| {
                    _mcp::read_variant(arguments).map(|__Root(arguments)| Self::Search(arguments))
                })
            },
            {
                use _mcp::NoArguments as __Root;
                _mcp::SampleVariant::new::<__Root>("give-up", "Resign.", &[], &[], |arguments| {
                    _mcp::read_variant(arguments).map(|__Root(_)| Self::Resign {})
                })
            },
        ];
    }
};
