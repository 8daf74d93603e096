//! Literals in the source, which authors write as defaults and limits.

use darling::FromMeta;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, Lit, LitStr, UnOp};

use crate::keys::Value;

/// A literal in the author's code. The runtime has a type with the same name for such values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Text(LitStr),
    Bool(bool),
    Integer(i128),
    Float(f64),
    List(Vec<LitStr>),
}

/// Why an expression is not a literal.
pub(crate) enum NotALiteral {
    /// A number that is too large for every type.
    TooLarge,
    Other,
}

impl Literal {
    /// Reads the value of a key.
    ///
    /// # Errors
    /// Fails if the key has no value, or one that is not a literal.
    pub(crate) fn of_key(value: &Value) -> Result<Self, NotALiteral> {
        match value {
            Value::Is(value) => Self::read(value),
            Value::Nothing | Value::List(_) => Err(NotALiteral::Other),
        }
    }

    pub(crate) fn read(expr: &Expr) -> Result<Self, NotALiteral> {
        match expr {
            Expr::Group(group) => Self::read(&group.expr),
            Expr::Paren(paren) => Self::read(&paren.expr),
            Expr::Lit(lit) => Self::of(&lit.lit, ""),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match peel(&unary.expr) {
                Expr::Lit(lit) => Self::of(&lit.lit, "-"),
                _ => Err(NotALiteral::Other),
            },
            Expr::Array(array) => {
                let texts = array.elems.iter().map(|text| LitStr::from_expr(text).map_err(|_| NotALiteral::Other));
                texts.collect::<Result<_, _>>().map(Self::List)
            }
            _ => Err(NotALiteral::Other),
        }
    }

    fn of(lit: &Lit, sign: &str) -> Result<Self, NotALiteral> {
        match lit {
            Lit::Str(text) if sign.is_empty() => Ok(Self::Text(text.clone())),
            Lit::Bool(bool) if sign.is_empty() => Ok(Self::Bool(bool.value)),
            Lit::Int(int) if !matches!(int.suffix(), "f32" | "f64") => {
                let number = format!("{sign}{}", int.base10_digits()).parse();
                number.map(Self::Integer).map_err(|_| NotALiteral::TooLarge)
            }
            Lit::Int(int) => float(sign, int.base10_digits()),
            Lit::Float(number) => float(sign, number.base10_digits()),
            _ => Err(NotALiteral::Other),
        }
    }

    /// Returns the value of a number, for comparisons. Returns `None` for other literals.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Float(number) => Some(*number),
            Self::Text(_) | Self::Bool(_) | Self::List(_) => None,
        }
    }
}

fn float(sign: &str, digits: &str) -> Result<Literal, NotALiteral> {
    let number: f64 = format!("{sign}{digits}").parse().map_err(|_| NotALiteral::Other)?;
    if number.is_finite() { Ok(Literal::Float(number)) } else { Err(NotALiteral::TooLarge) }
}

fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => peel(&group.expr),
        Expr::Paren(paren) => peel(&paren.expr),
        _ => expr,
    }
}

impl ToTokens for Literal {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Text(text) => quote!(_mcp::Literal::Text(#text)),
            Self::Bool(bool) => quote!(_mcp::Literal::Bool(#bool)),
            Self::Integer(number) => {
                let (sign, number) = (sign(*number < 0), proc_macro2::Literal::u128_unsuffixed(number.unsigned_abs()));
                quote!(_mcp::Literal::Integer(#sign #number))
            }
            Self::Float(number) => {
                let (sign, number) = (sign(*number < 0.0), proc_macro2::Literal::f64_unsuffixed(number.abs()));
                quote!(_mcp::Literal::Float(#sign #number))
            }
            Self::List(texts) => quote!(_mcp::Literal::List(&[#(#texts),*])),
        });
    }
}

fn sign(negative: bool) -> Option<TokenStream> {
    negative.then(|| quote!(-))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_number_literals_of_rust() {
        let read = |text: &str| Literal::read(&syn::parse_str(text).expect("an expression"));
        for (text, expected) in [
            ("1_000", Literal::Integer(1000)),
            ("-(5)", Literal::Integer(-5)),
            ("0x10u8", Literal::Integer(16)),
            ("5f32", Literal::Float(5.0)),
            ("-0.5", Literal::Float(-0.5)),
            ("1e3", Literal::Float(1000.0)),
            ("true", Literal::Bool(true)),
        ] {
            assert!(matches!(read(text), Ok(literal) if literal == expected), "{text}");
        }
        for text in ["1e999", "999999999999999999999999999999999999999999"] {
            assert!(matches!(read(text), Err(NotALiteral::TooLarge)), "{text}");
        }
        for text in ["-true", "MAX", "[1, 2]", "'a'", "-\"a\"", "!1"] {
            assert!(matches!(read(text), Err(NotALiteral::Other)), "{text}");
        }
    }

    #[test]
    fn writes_number_literals_of_rust() {
        for (text, expected) in [
            ("-5", "_mcp :: Literal :: Integer (- 5)"),
            (
                "-170141183460469231731687303715884105728",
                "_mcp :: Literal :: Integer (- 170141183460469231731687303715884105728)",
            ),
            ("-0.5", "_mcp :: Literal :: Float (- 0.5)"),
            ("1e300", "_mcp :: Literal :: Float (1"),
        ] {
            let Ok(literal) = Literal::read(&syn::parse_str(text).expect("an expression")) else { panic!("{text}") };
            let written = literal.to_token_stream().to_string();
            assert!(written.starts_with(expected), "{written}");
        }
    }
}
