//! The macros of forms, documented where they are used from.

/// Turns an enum into a set of forms: what a tool may ask its user.
///
/// ```
/// use mcp_runtime::{Email, prelude::*};
///
/// /// What booking asks.
/// #[elicits]                                  // keys: crate = ::path
/// #[derive(Clone, Debug)]                     // derives go on to the struct of each form
/// pub enum Booking {
///     /// Pick one of the flights.            // documents the form
///     PickFlight {
///         /// The number of the flight.       // the field's description
///         #[elicit(title = "Flight", min_length = 3)]
///         flight_id: String,
///         #[elicit(default = "none")]
///         seat: Seat,
///         #[elicit(min_items = 1)]
///         meals: Option<MultiSelect<Meal>>,
///     },
///     #[elicit(key = "sure")]                 // on the wire; otherwise `confirm`
///     Confirm { confirmed: bool },
///     Passenger(Passenger),                   // a form of its own, which may be in several sets
/// }
///
/// #[derive(Form, Clone, Debug)]
/// pub struct Passenger {
///     #[elicit(max_length = 40)]
///     name: String,
///     #[elicit(rename = "e-mail")]
///     email: Option<Email>,
///     #[elicit(min = 18, max = 130)]
///     age: u8,
/// }
///
/// #[derive(Choice, Clone, Debug)]
/// pub enum Seat {
///     Window,                                 // on the wire `window`
///     Aisle,
///     #[choice(title = "No preference")]      // what a person reads; also rename = "…"
///     None,
/// }
///
/// #[derive(Choice, Clone, Debug)]
/// pub enum Meal {
///     Fish,
///     Soup,
/// }
///
/// /// Books a flight.
/// #[mcp_tool]
/// async fn book(ctx: &Ctx<Booking>, destination: String) -> ToolResult<String> {
///     let flights = [("TP1", "TP 1, 9:30"), ("TP2", "TP 2, 14:00")];
///     let pick = ctx.elicit::<PickFlight>("Pick a flight:").choices(PickFlight::FLIGHT_ID, flights).strict().await?;
///     let passenger = ctx.elicit::<Passenger>("Who is flying?").strict().await?;
///     match ctx.elicit::<Confirm>(format!("Book {} to {destination}?", pick.flight_id)).await? {
///         Elicited::Accept(Confirm { confirmed: true }) => Ok(format!("booked for {}", passenger.name)),
///         Elicited::Accept(_) | Elicited::Decline | Elicited::Cancel => Ok("not booked".to_owned()),
///     }
/// }
/// # let _ = tools![book];
/// ```
///
/// Every variant is a form, and every form is flat: a list of named fields, as the protocol has it. A tool with a
/// [`Ctx<Booking>`](crate::Ctx) asks with the forms of `Booking` and no others, see
/// [`Ctx::elicit`](crate::Ctx::elicit). All of it is checked while the program is compiled.
///
/// # What it makes
///
/// | of | is made |
/// | --- | --- |
/// | a variant with fields | a struct of its name and its fields, with the derives of the enum and as visible as the enum |
/// | the enum | the union of accepted answers: each variant holds its struct, `From` makes it |
/// | each field | a constant that names it: `PickFlight::FLIGHT_ID` is a [`FieldKey`](crate::FieldKey) |
/// | the set | the trait `BookingHandler`, by which an application answers the forms: one method for each |
///
/// The structs stand beside the enum, so two sets of one module cannot both have a variant `Confirm { … }`: wrap one
/// struct in both, or use modules. `#[elicits]` stands above the derives.
///
/// # Fields
///
/// | type | what is asked | keys |
/// | --- | --- | --- |
/// | `String` | text | `min_length`, `max_length`, `format` |
/// | `bool` | yes or no | |
/// | `i8` … `i128`, `u8` … `u128`, `isize`, `usize` | a whole number in the range of the type, and in 64 bits | `min`, `max` |
/// | `f32`, `f64` | a number | `min`, `max` |
/// | an enum with [`#[derive(Choice)]`](macro@crate::Choice) | one of its variants | `enum_names` |
/// | [`MultiSelect<E>`](crate::MultiSelect) of such an enum | several of them (since 2025-11-25) | `min_items`, `max_items` |
/// | [`Email`](crate::Email) | an e-mail address | |
/// | `chrono::NaiveDate`, `jiff::civil::Date` | a date (features `chrono`, `jiff`) | |
/// | `chrono::DateTime` of `Utc` or `FixedOffset`, `jiff::Timestamp` | a date and time (features `chrono`, `jiff`) | |
/// | `url::Url` | an absolute URI (feature `url`) | |
/// | your own [`FormField`](crate::FormField) | what its shape says | those of the shape |
/// | `Option<T>` of one of these | the same, and it may be left empty | those of `T` |
///
/// # Keys of a field
///
/// | key | value | meaning |
/// | --- | --- | --- |
/// | `title` | string | what a person reads instead of the name |
/// | `description` | string | what the field is about; default: the doc comment; also `include_str!("…")` |
/// | `default` | literal | what the field is when it is left out, and what it is filled with beforehand: text (also the name of a choice, a date, …), a number, `true`, or `["a", "b"]` for a `MultiSelect` |
/// | `min`, `max` | number | bounds of a number, both included |
/// | `min_length`, `max_length` | number | how many characters a text has |
/// | `min_items`, `max_items` | number | how many choices are made |
/// | `format` | `"email"`, `"uri"`, `"date"`, `"date-time"` | what a text must be |
/// | `rename` | string | the name on the wire; default: the field's |
/// | `enum_names` | flag | titles of choices in their old form, `enumNames`, for clients that know no other |
/// | `not_secret` | flag | the name only looks like that of a secret |
///
/// A field with a default may be left out of the answer; in an `Option` it is empty then, and the default is only what
/// the form is filled with. An answer is held against all of this again when it arrives.
///
/// A form must not ask for passwords, keys, tokens or payment data, since it passes through the client: a field whose
/// name looks like one does not compile. Ask for them on a page of yours, with [`Ctx::visit`](crate::Ctx::visit).
///
/// # Beside serde
///
/// A form needs no serde. Where the answers are stored or returned, derive `Serialize`, `Deserialize` or `JsonSchema`
/// on the set as on any enum; the structs of its forms have them too. `#[serde(…)]` and `#[schemars(…)]` then go where
/// they stand: above the enum and on a variant to the enum, on a field to the struct. They change what is stored and
/// never the form, whose names are those of `#[elicit(…)]`. The same holds for `#[derive(Form)]` and
/// `#[derive(Choice)]`.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[elicits]
/// #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
/// #[serde(tag = "kind")]
/// enum Booking {
///     PickFlight {
///         #[serde(rename = "flightId")]       // the form still says `flight_id`
///         flight_id: String,
///     },
/// }
///
/// /// Asks for a flight.
/// #[mcp_tool]
/// async fn pick(ctx: &Ctx<Booking>) -> ToolResult<Json<PickFlight>> {
///     Ok(Json(ctx.elicit::<PickFlight>("Which one?").strict().await?))
/// }
/// ```
///
/// # Compile errors
///
/// All mistakes are reported at once, each where it is:
///
/// ```compile_fail
/// # use mcp_runtime::prelude::*;
/// struct Address {
///     city: String,
/// }
///
/// #[elicits]
/// enum Signup {
///     Person {
///         home: Address,
///         tags: Vec<String>,
///         #[elicit(min = 18, default = 7)]
///         age: u8,
///     },
/// }
/// ```
///
/// ```text
/// error[E0277]: `Address` cannot be a field of a form
///  |
///  |         home: Address,
///  |               ^^^^^^^ not text, a number, a boolean or a choice
///  |
///  = note: a form is flat: move the fields of a nested struct into it, or ask for them with a form of their own
///
/// error[E0277]: `Vec<String>` cannot be a field of a form
///  |
///  |         tags: Vec<String>,
///  |               ^^^^^^^^^^^ a form has no lists
///  |
///  = note: for several of fixed choices write `MultiSelect<E>`, where `E` is an enum with `#[derive(Choice)]`
///
/// error[E0080]: evaluation panicked: the `default` of `age` is 7, outside its range of 18 to 255
///  |
///  |         #[elicit(min = 18, default = 7)]
///  |                                      ^ evaluation of `_::_` failed here
/// ```
pub use mcp_macros::elicits;

/// Makes a struct a form, to be wrapped in the variants of one or more sets: `Passenger(Passenger)`.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(Form)]
/// pub struct Passenger {
///     /// As in the passport.
///     #[elicit(max_length = 40)]
///     name: String,
///     age: Option<u8>,
/// }
///
/// #[elicits]
/// enum Booking {
///     Passenger(Passenger),
/// }
///
/// #[elicits]
/// enum Signup {
///     #[elicit(key = "who")]
///     Person(Passenger),
/// }
/// ```
///
/// Its fields are those of [`#[elicits]`](macro@crate::elicits), with the same keys. Above the struct may stand
/// `#[elicit(crate = ::path)]`, which says where the runtime is. Attributes of serde and schemars are for their derives
/// and do not change the form.
pub use mcp_macros::Form;

/// Makes an enum of names the type of a field: its user chooses one of the variants, or several with
/// [`MultiSelect`](crate::MultiSelect).
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(Choice, Debug, PartialEq)]
/// enum Seat {
///     Window,
///     OverTheWing,
///     #[choice(rename = "any", title = "No preference")]
///     None,
/// }
///
/// let names: Vec<_> = Seat::CHOICES.iter().map(|choice| choice.name()).collect();
/// assert_eq!(names, ["window", "over_the_wing", "any"]);
/// let titles: Vec<_> = Seat::CHOICES.iter().filter_map(|choice| choice.title()).collect();
/// assert_eq!(titles, ["Window", "Over the wing", "No preference"]);
/// assert_eq!(Seat::at(2), Some(Seat::None));
/// ```
///
/// | key of a variant | value | meaning |
/// | --- | --- | --- |
/// | `rename` | string | the name on the wire; default: the variant's, in snake case |
/// | `title` | string | what a person reads; once one variant has a title, the others have their name in words |
///
/// Above the enum may stand `#[choice(crate = ::path)]`, which says where the runtime is. Attributes of serde do not
/// rename choices: where an answer is returned as it was chosen, write `#[serde(rename_all = "snake_case")]`.
pub use mcp_macros::Choice;
