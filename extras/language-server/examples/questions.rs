//! Asks a document what an editor asks.

use language_server::{Document, edited};

#[allow(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "\
DOMAIN lamp 2 off on
2  lamp lamp
off - => on  -    LABEL first
-   X => -   off  LABEL second
GOAL on on
";
    let document = Document::new(text);
    for finding in document.findings() {
        println!("{}: {}", finding.code, finding.message);
    }
    let rule = text.find("LABEL first").ok_or("a rule")?;
    let hover = document.hover(rule).ok_or("a rule is there")?;
    println!("{}", hover.text);
    assert!(hover.text.contains("<off x2> -> <on x2>"));

    let value = text.find("off on").ok_or("a value")?;
    let edits = document.rename(value, "dark")?;
    println!("{}", edited(text, &edits));
    assert_eq!(edits.len(), 3);
    assert!(document.rename(value, "ON").is_err());
    Ok(())
}
