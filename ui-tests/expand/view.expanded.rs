#[allow(dead_code)]
#[doc = " The seats of a flight."]
pub struct SeatMap;
#[allow(deprecated)]
const _: () = {
    use crate::mcp::__private as _mcp;
    #[automatically_derived]
    impl _mcp::View for SeatMap {
        const DEFINITION: &'static _mcp::ViewDefinition =
            &_mcp::view_definition("ui://flights/seats", "seat_map", ::core::include_str!("seats.html"))
                .description("The seats of a flight.")
                .connect(&["https://api.example"])
                .permissions(&[_mcp::ViewPermission::Camera])
                .prefers_border(true);
    }
};
