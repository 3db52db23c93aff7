//! Values that look like symbols.

use psvn_ir::load;

fn found(text: &str) -> Vec<(String, usize)> {
    let is_found = |code: &str| code == "value-looks-like-symbol";
    let diagnostics = load(text).diagnostics.into_iter();
    diagnostics
        .filter(|it| is_found(it.code))
        .map(|it| (it.message, it.n_others))
        .collect()
}

#[test]
fn a_letter_that_is_a_value_in_another_case_is_named_once() {
    let text = "DOMAIN tile 4 o a b c\n3 tile tile tile\n\
                o A - => A o -\nA o - => o A -\n- o X => - X o\n- X o => - o X\nGOAL o a b\n";
    let message = "`A` is the value `a`, since case doesn't matter";
    assert_eq!(found(text), [(message.to_owned(), 3)]);
}

#[test]
fn a_habit_is_no_slip() {
    let head = "DOMAIN tile 4 o a b c\n2 tile tile\n";
    // All of the file is in capitals.
    let text = format!("{head}O X => X O\nX O => O X\nGOAL O A\n");
    assert_eq!(found(&text), []);
    // A goal in capitals has no symbols.
    let text = format!("{head}o x => x o\nx o => o x\nGOAL O A\n");
    assert_eq!(found(&text), []);
    // Words are no letters.
    let text = "DOMAIN t 2 red green\n2 t t\nRED green => green red\nGOAL red green\n";
    assert_eq!(found(text), []);
}
