//! A `macro_rules!` may write sets, forms and choices: its tokens arrive in invisible groups and with other spans.

use mcp_runtime::prelude::*;

macro_rules! set {
    ($vis:vis $set:ident, $form:ident: $doc:literal, $title:literal, $key:literal, $($field:ident: $ty:ty = $default:expr, $min:literal;)*) => {
        #[elicits]
        #[derive(Clone, Debug, PartialEq)]
        $vis enum $set {
            #[doc = $doc]
            #[elicit(key = $key)]
            $form {
                $(
                    #[elicit(title = $title, min = $min, default = $default)]
                    $field: $ty,
                )*
                seat: Seat,
            },
            Own { sure: bool },
            Wrapped(Wrapped),
        }

        #[derive(Form, Clone, Debug, PartialEq)]
        struct Wrapped {
            $(
                #[elicit(title = $title, min = $min, default = $default)]
                $field: $ty,
            )*
        }

        fn ask(ctx: &Ctx<$set>) {
            let ask = ctx.elicit::<$form>("Well?").default_for($form::WEIGHT, 3);
            drop((ask, ctx.elicit::<Own>("Sure?").default_for(Own::SURE, true)));
        }
    };
}

macro_rules! choice {
    ($name:ident: $($variant:ident $title:literal),*) => {
        #[derive(Choice, Clone, Debug, PartialEq)]
        enum $name {
            $(#[choice(title = $title)] $variant),*
        }
    };
}

choice! { Seat: Window "At the window", Aisle "At the aisle" }
set! { pub(crate) Booking, Pack: "Packs.", "Weight", "pack-it", weight: u8 = 7, 0; height: Option<i64> = -5, -10; }

fn main() {
    let pack = Pack { weight: 3, height: Some(-7), seat: Seat::Window };
    assert_eq!(Booking::from(pack.clone()), Booking::Pack(pack));
    let _ = (ask, Own { sure: true }, Wrapped { weight: 1, height: None }, Seat::Aisle);
}
