//! The macros for forms, documented at their re-exports.

/// Turns an enum into a set of forms: the questions that a tool can ask its user.
///
/// ```
/// use mcp_runtime::{Result, elicit::Email, prelude::*};
///
/// /// The questions of a booking.
/// #[elicits]                                  // keys: crate = ::path
/// #[derive(Clone, Debug)]                     // derives are applied to the struct of each form too
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
///     Passenger(Passenger),                   // a separate form, which can be in several sets
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
///     #[choice(title = "No preference")]      // shown to users; also rename = "…"
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
/// async fn book(ctx: &Ctx<Booking>, destination: String) -> Result<String> {
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
/// Every variant is a form, and every form is flat: a list of named fields, as the protocol requires. A tool with a
/// [`Ctx<Booking>`](crate::Ctx) can ask only with the forms of `Booking`; see [`Ctx::elicit`](crate::Ctx::elicit). All
/// of this is checked at compile time.
///
/// # Generated items
///
/// | from | generated |
/// | --- | --- |
/// | a variant with fields | a struct with the variant's name and fields, and with the enum's derives and visibility |
/// | the enum | the union of accepted answers: each variant holds its struct, and the enum implements `From` for each struct |
/// | each field | a constant that identifies it: `PickFlight::FLIGHT_ID` is a [`FieldKey`](crate::elicit::FieldKey) |
/// | the set | the trait `BookingHandler`, with which an application answers the forms: one method for each form, and `elicit_url` for pages |
///
/// The structs are declared beside the enum, so two sets in one module cannot both have a variant `Confirm { … }`. Wrap
/// one struct with `#[derive(Form)]` in both sets, or put the sets into different modules. Put `#[elicits]` above the
/// derives.
///
/// # Fields
///
/// | type | what the form asks for | keys |
/// | --- | --- | --- |
/// | `String` | text | `min_length`, `max_length`, `format` |
/// | `bool` | a boolean | |
/// | `i8` … `i128`, `u8` … `u128`, `isize`, `usize` | a whole number in the range of the type, within 64 bits | `min`, `max` |
/// | `f32`, `f64` | a number | `min`, `max` |
/// | an enum with [`#[derive(Choice)]`](macro@crate::Choice) | one of its variants | `enum_names` |
/// | [`MultiSelect<E>`](crate::elicit::MultiSelect) of such an enum | several of its variants (since 2025-11-25) | `min_items`, `max_items` |
/// | [`Email`](crate::elicit::Email) | an e-mail address | |
/// | `chrono::NaiveDate`, `jiff::civil::Date` | a date (features `chrono`, `jiff`) | |
/// | `chrono::DateTime` of `Utc` or `FixedOffset`, `jiff::Timestamp` | a date and time (features `chrono`, `jiff`) | |
/// | `url::Url` | an absolute URI (feature `url`) | |
/// | your own [`FormField`](crate::elicit::FormField) | the kind that its shape names: text, a number, a boolean or choices | the keys of other fields with this shape |
/// | `Option<T>` of one of these | the same, optional | the keys of `T` |
///
/// # Keys of a field
///
/// | key | value | meaning |
/// | --- | --- | --- |
/// | `title` | string | the name shown to users |
/// | `description` | string | the description; default: the doc comment; also `include_str!("…")` |
/// | `default` | literal | the value of a missing field, shown in the form: text (also the name of a choice, a date, …), a number, `true`, or `["a", "b"]` for a `MultiSelect` |
/// | `min`, `max` | number | limits of a number, both included |
/// | `min_length`, `max_length` | number | limits of the number of characters |
/// | `min_items`, `max_items` | number | limits of the number of choices |
/// | `format` | `"email"`, `"uri"`, `"date"`, `"date-time"` | the format of a text |
/// | `rename` | string | the name on the wire; default: the field's name |
/// | `enum_names` | flag | publishes the titles of choices as `enumNames`, for clients that support only this older keyword |
/// | `not_secret` | flag | confirms that the field is not a secret, although its name looks like one |
///
/// A field with a default can be missing in the answer. The value of the field is then the default. If the field is an
/// `Option`, its value is `None` instead: the default is shown in the form, but not used. The server checks every
/// answer against all of these rules.
///
/// A form must not ask for passwords, keys, tokens or payment data, because the answer passes through the client. A
/// field whose name suggests such data does not compile. Ask for such data on your own page, with
/// [`Ctx::elicit_url`](crate::Ctx::elicit_url).
///
/// # serde and schemars
///
/// A form does not need serde. To store or return the answers, derive `Serialize`, `Deserialize` or `JsonSchema` on the
/// set as on any enum; the structs of its forms get the same derives. `#[serde(…)]` and `#[schemars(…)]` above the enum
/// or on a variant apply to the enum. On a field, they apply to the struct of the form. These attributes change only
/// the stored value: the names in the form come from `#[elicit(…)]`. The same is true for `#[derive(Form)]` and
/// `#[derive(Choice)]`.
///
/// ```
/// use mcp_runtime::{Result, prelude::*};
///
/// #[elicits]
/// #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
/// #[serde(tag = "kind")]
/// enum Booking {
///     PickFlight {
///         #[serde(rename = "flightId")]       // the form still uses `flight_id`
///         flight_id: String,
///     },
/// }
///
/// /// Asks for a flight.
/// #[mcp_tool]
/// async fn pick(ctx: &Ctx<Booking>) -> Result<Json<PickFlight>> {
///     Ok(Json(ctx.elicit::<PickFlight>("Which one?").strict().await?))
/// }
/// ```
///
/// # Compile errors
///
/// All mistakes are reported at once, each at its own place:
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
///  |               ^^^^^^^ this is not text, a number, a boolean or a choice
///  |
///  = note: a form cannot contain a struct: move its fields into the form, or ask for them with a separate form
///
/// error[E0277]: `Vec<String>` cannot be a field of a form
///  |
///  |         tags: Vec<String>,
///  |               ^^^^^^^^^^^ a form cannot contain a list
///  |
///  = note: to let users select several choices, write `MultiSelect<E>`, where `E` is an enum with `#[derive(Choice)]`
///
/// error[E0080]: evaluation panicked: the `default` of `age` is 7, outside its range of 18 to 255
///  |
///  |         #[elicit(min = 18, default = 7)]
///  |                                      ^ evaluation of `_::_` failed here
/// ```
pub use mcp_macros::elicits;

/// Turns a struct into a form, which variants of one or more sets can wrap: `Passenger(Passenger)`.
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
/// The fields have the same types and keys as fields in [`#[elicits]`](macro@crate::elicits). Put `#[elicit(crate =
/// ::path)]` above the struct to set the path of the runtime crate. Attributes of serde and schemars apply to their own
/// derives and do not change the form.
pub use mcp_macros::Form;

/// Turns an enum without data into the type of a form field: the user chooses one variant, or several with
/// [`MultiSelect`](crate::elicit::MultiSelect).
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
/// | `rename` | string | the name on the wire; default: the variant's name in snake case |
/// | `title` | string | the title shown to users; if at least one variant has a title, each variant without a title gets a title from its name, such as `Over the wing` |
///
/// Put `#[choice(crate = ::path)]` above the enum to set the path of the runtime crate. Attributes of serde do not
/// rename choices in the form, and serde does not use the names in the form. To let serde write the same names, put
/// `#[serde(rename_all = "snake_case")]` on the enum.
pub use mcp_macros::Choice;
