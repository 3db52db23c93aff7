//! Tests fixes that are certain: they resolve their findings, and change nothing else.

/// The text after all fixes, and the number of fixes.
fn settled(text: &str) -> (String, usize) {
    let mut text = text.to_owned();
    let mut n_fixes = 0;
    for _ in 0..20 {
        let found = psvn_ir::load(&text).diagnostics;
        let fixes = lint::fixes(&text, &found);
        if fixes.is_empty() {
            return (text, n_fixes);
        }
        n_fixes += fixes.len();
        text = lint::fixed(&text, &fixes);
    }
    panic!("changes go on for ever:\n{text}");
}

const LAMPS: &str = "2 2 2\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n";

#[test]
fn correct_text_is_unchanged() {
    assert_eq!(settled(LAMPS), (LAMPS.to_owned(), 0));
    for game in ["hanoi:3:3", "rubik:2", "sliding-tiles:3:3"] {
        let text = domains::generate_reference(game).unwrap();
        assert_eq!(settled(&text), (text, 0), "{game}");
    }
}

#[test]
fn changes_lead_to_the_intended_game() {
    for (text, n_fixes) in [
        ("2 2 2 // lamps\n0 - => 1 -\n- 0 => - 1\nGOAL 1 1\n", 1),
        ("2 2 2\n0 -=> 1 -\n- 0=>- 1\nGOAL 1 1\n", 2),
        ("2 2 2\n0 - -> 1 -\n- 0 ==> - 1\nGOAL 1 1\n", 2),
        ("2 2 2\n0 - => 1 - LABLE rule_1\n- 0 => - 1\nGAOL 1 1\n", 2),
        ("2 2 2\n0\u{200b} - => 1 -\n- 0 => - 1\nGOAL 1 1\n", 1),
        ("2 2 2\n0\u{a0}- => 1 -\n- 0 => - 1\nGOAL 1 1\n", 1),
        (
            "2 2 2\n0 - => 1 -\n- 0 => - 1\n0  -  =>  1  -\nGOAL 1 1\n",
            1,
        ),
    ] {
        let (fixed, n) = settled(text);
        assert_eq!(n, n_fixes, "{text}\n{fixed}");
        let game = psvn_ir::load(&fixed).game.expect("a game without errors");
        let meant = psvn_ir::load(LAMPS).game.unwrap();
        assert_eq!(game.content_hash(), meant.content_hash(), "{fixed}");
        assert_eq!(settled(&fixed).1, 0);
    }
}

#[test]
fn ambiguous_text_is_unchanged() {
    for text in [
        // The same rule with another label, and the same with another cost.
        "2 2 2\n0 - => 1 - LABEL a\n0 - => 1 - LABEL b\nGOAL 1 1\n",
        "2 2 2\n0 - => 1 - COST 1\n0 - => 1 - COST 2\nGOAL 1 1\n",
        // A word that looks like a value, and one that ends in a sign of comments.
        "DOMAIN t 2 on off\n2 t t\nonn - => off -\nGOAL on on\n",
        // Two rules, or one of them.
        "2 2 2\n0 - <=> 1 -\nGOAL 1 1\n",
        "2 2 2 /* lamps */\n0 - => 1 -\nGOAL 1 1\n",
    ] {
        assert_eq!(settled(text), (text.to_owned(), 0));
    }
}
