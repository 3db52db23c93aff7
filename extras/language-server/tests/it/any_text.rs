//! Every answer at every place of any text: none panics, and places are those of the text.

use std::fs;
use std::path::{Path, PathBuf};

use language_server::{Document, Span, edited};
use proptest::prelude::*;

/// All example games of the repository, in all formats.
fn examples() -> Vec<(PathBuf, String)> {
    fn add(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                add(&path, found);
            } else if ["psvn", "sas", "tws"].iter().any(|it| name.ends_with(it)) && path.is_file() {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["crates", "docs", "extras", "python", "tests"] {
        add(&root.join(folder), &mut paths);
    }
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap();
        let (text, _) = psvn_syntax::decode(&bytes);
        (path, text)
    };
    let games: Vec<(PathBuf, String)> = paths.into_iter().map(read).collect();
    assert!(games.len() > 60, "only {} games", games.len());
    games
}

/// The most bytes of a text of which every place is asked about.
const LONGEST: usize = 1_500;

fn check_span(document: &Document, span: Span) {
    assert!(
        document.text().get(span.start..span.end).is_some(),
        "{span:?}"
    );
}

/// Ask everything about a document as a whole.
fn ask_whole(document: &Document) {
    let text = document.text();
    let whole = Span::new(0, text.len());
    for finding in document.findings() {
        check_span(document, finding.span);
        finding
            .related
            .iter()
            .for_each(|(span, _)| check_span(document, *span));
    }
    let mut end = 0;
    for token in document.tokens() {
        check_span(document, token.span);
        assert!(end <= token.span.start && token.span.start < token.span.end);
        assert!(!text[token.span.start..token.span.end].contains('\n'));
        end = token.span.end;
    }
    fn check_part(document: &Document, part: &language_server::Part) {
        check_span(document, part.span);
        assert!(part.span.start <= part.name_span.start && part.name_span.end <= part.span.end);
        part.parts.iter().for_each(|it| check_part(document, it));
    }
    document
        .outline()
        .iter()
        .for_each(|part| check_part(document, part));
    document
        .foldings()
        .iter()
        .for_each(|it| check_span(document, it.span));
    for hint in document.hints(whole) {
        check_span(document, Span::new(hint.offset, hint.offset));
    }
    for action in document.actions(whole) {
        // Changes are in order and within the text.
        let _ = edited(text, &action.edits);
    }
    if let Some(edits) = document.format() {
        let formatted = edited(text, &edits);
        assert_eq!(
            Document::new(formatted).format().map(|it| it.len()),
            Some(0)
        );
    }
}

/// Ask everything about a place.
fn ask_at(document: &Document, offset: usize, with_names: bool) {
    if let Some(hover) = document.hover(offset) {
        check_span(document, hover.span);
    }
    check_span(document, document.completion(offset).span);
    if let Some(span) = document.definition(offset) {
        check_span(document, span);
    }
    let references = document.references(offset);
    references
        .iter()
        .for_each(|it| check_span(document, it.span));
    if with_names && document.renamable(offset).is_ok() {
        for name in ["fresh-name", "-", "0", "GOAL", "=>"] {
            let Ok(edits) = document.rename(offset, name) else {
                continue;
            };
            // A new name changes no answer but the names.
            let renamed = Document::new(edited(document.text(), &edits));
            assert_eq!(
                renamed.game().is_some(),
                document.game().is_some(),
                "{name}"
            );
            assert_eq!(renamed.tokens().len(), document.tokens().len(), "{name}");
        }
    }
}

/// The places to ask about: all of a short text, some of a long one, and beyond it.
fn places(text: &str) -> Vec<usize> {
    let step = text.len() / LONGEST + 1;
    (0..text.len() + 2)
        .step_by(step)
        .chain([usize::MAX / 2])
        .collect()
}

fn ask(text: &str) {
    let document = Document::new(text);
    ask_whole(&document);
    for offset in places(text) {
        ask_at(&document, offset, false);
    }
}

#[test]
fn example_games_can_be_asked_everything() {
    for (path, text) in examples() {
        // Large instances take their time, and hold nothing new.
        if text.len() > 200_000 {
            continue;
        }
        let asked = std::panic::catch_unwind(|| ask(&text));
        assert!(asked.is_ok(), "{}", path.display());
    }
}

#[test]
fn new_names_keep_the_meaning_of_example_games() {
    let mut n_games = 0;
    for (path, text) in examples() {
        if text.len() > 600 {
            continue;
        }
        n_games += 1;
        let document = Document::new(text.as_str());
        for offset in places(&text) {
            let asked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                ask_at(&document, offset, true);
            }));
            assert!(asked.is_ok(), "{} at {offset}", path.display());
        }
    }
    assert!(n_games > 20, "only {n_games}");
}

#[test]
fn every_beginning_of_a_text_can_be_asked_everything() {
    for end in (0..=crate::LAMPS.len()).filter(|at| crate::LAMPS.is_char_boundary(*at)) {
        let document = Document::new(&crate::LAMPS[..end]);
        ask_whole(&document);
        for offset in places(document.text()) {
            ask_at(&document, offset, false);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(psvn_ir::testing::cases(459)))]

    /// Parts of an example are deleted, doubled, or replaced by odd words.
    #[test]
    fn changed_games_can_be_asked_everything(
        game in 0_usize..1_000,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..12, 0_usize..12), 1..6),
    ) {
        const WORDS: [&str; 12] = [
            "=>", "-", "*", "GOAL ", " LABEL", "é😀", "\r\n", "\u{feff}", " { ", " } ", "99999999999", "# start: ",
        ];
        let games: Vec<String> = examples_below(2_000);
        let mut text = games[game % games.len()].clone();
        for (place, length, word) in changes {
            let at = text.floor_char_boundary(place.index(text.len() + 1));
            let end = text.ceil_char_boundary((at + length).min(text.len()));
            text.replace_range(at..end, WORDS[word]);
        }
        let document = Document::new(text.as_str());
        ask_whole(&document);
        let step = text.len() / 60 + 1;
        for offset in (0..=text.len()).step_by(step) {
            ask_at(&document, offset, false);
        }
    }
}

/// The examples that have at most this many bytes. Each is read once.
fn examples_below(most: usize) -> Vec<String> {
    static ALL: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    let all = ALL.get_or_init(|| examples().into_iter().map(|(_, text)| text).collect());
    all.iter()
        .filter(|text| text.len() <= most)
        .cloned()
        .collect()
}
