#[derive(Form)]
#[elicit(key = "details")]
struct Details<T> {
    password: &str,
    tags: Vec<T>,
    #[elicit(min = 5, max = 1, pattern = "a")]
    age: u8,
    years: HashMap<String, u8>,
}
