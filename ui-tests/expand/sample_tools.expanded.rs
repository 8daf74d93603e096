#[allow(deprecated)]
const _: () = {
    use crate::facade::mcp::__private as _mcp;
    #[automatically_derived]
    impl _mcp::SampleTools for Strategy {
        const VARIANTS: &'static [_mcp::SampleVariant<Self>] = &[
            {
                const __ARGUMENT0: _mcp::Input<String> = <String as _mcp::FromModel>::INPUT;
                fn __default1() -> u8 {
                    let value: u8 = centre();
                    value
                }
                const __TYPE1: _mcp::Input<u8> = <u8 as _mcp::FromModel>::INPUT;
                _mcp :: described ! (__Value1 : __TYPE1);
                #[allow(dead_code)]
                #[derive(_mcp :: schemars :: JsonSchema)]
                #[schemars(crate = "_mcp::schemars")]
                struct __Described1 {
                    #[schemars(range(max = 8))]
                    value: __Value1,
                }
                const __ARGUMENT1: _mcp::Input<u8> = __TYPE1
                    .described_by(_mcp::described!(__Described1))
                    .or(|| ::core::option::Option::Some(__default1()), || _mcp::default!(u8, __default1()));
                static __PARAMETERS: &[_mcp::Parameter] = &[
                    _mcp::Parameter::new("reasoning", &[], "Why.", &__ARGUMENT0),
                    _mcp::Parameter::new("cell", &["at"], "", &__ARGUMENT1),
                ];
                const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
                _mcp::SampleVariant::new("play_offensive", "Attack.", __TAKES, |arguments| {
                    let mut argument0 = __ARGUMENT0.slot();
                    let mut argument1 = __ARGUMENT1.slot();
                    _mcp::fill_variant(arguments, __PARAMETERS, &mut [&mut argument0, &mut argument1])?;
                    let argument0 = argument0.take();
                    let argument1 = argument1.take();
                    ::core::result::Result::Ok(Self::PlayOffensive { reasoning: argument0, cell: argument1 })
                })
            },
            {
                const __WHOLE: _mcp::Whole<Query> = <Query as _mcp::FromModel>::WHOLE;
                const __TAKES: _mcp::Takes = __WHOLE.takes;
                _mcp::SampleVariant::new("search", "Look something up.", __TAKES, |arguments| {
                    let argument0 = _mcp::read_variant(arguments, __WHOLE.read)?;
                    ::core::result::Result::Ok(Self::Search(argument0))
                })
            },
            {
                static __PARAMETERS: &[_mcp::Parameter] = &[];
                const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
                _mcp::SampleVariant::new("give-up", "Resign.", __TAKES, |arguments| {
                    _mcp::fill_variant(arguments, __PARAMETERS, &mut [])?;
                    ::core::result::Result::Ok(Self::Resign {})
                })
            },
        ];
    }
};
