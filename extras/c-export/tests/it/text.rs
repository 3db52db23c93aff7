//! The text is reproducible, narrow enough, and independent of the machine.

use crate::oracle::Subject;

#[test]
fn the_text_is_the_same_each_time() {
    let first = Subject::built_in("sliding-tiles:3:3", 4).to_c();
    let second = Subject::built_in("sliding-tiles:3:3", 4).to_c();
    assert_eq!(first, second);
    let game = Subject::built_in("sliding-tiles:3:3", 0).game;
    assert!(first.contains(&format!("content hash:     {}", game.content_hash())));
    assert!(first.is_ascii());
}

#[test]
fn lines_fit_the_page() {
    for reference in ["sliding-tiles:3:3", "hanoi:3:3", "arrow:6", "gripper:2"] {
        let text = Subject::built_in(reference, 2).to_c();
        let wide = text.lines().filter(|line| line.chars().count() > 100);
        // A comment with the text of a rule may be longer.
        let wide: Vec<&str> = wide.filter(|line| !line.contains("case")).collect();
        assert!(wide.is_empty(), "{reference}: {wide:#?}");
    }
}
