//! What is fuzzed: functions that take any bytes, and panic only when something is wrong.
//!
//! The fuzzer of `fuzz/` runs them under coverage guidance; `tests/fuzz.rs` runs the same functions for
//! a bounded number of inputs in every test run.

/// A target's name, which is also that of the folder of its corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[("text", text), ("game", game), ("machine", machine)];

/// Decoding, lexing, parsing and formatting.
///
/// # Panics
/// When a place lies outside the text, or a valid file changes its meaning by being formatted.
pub fn text(bytes: &[u8]) {
    let (source, _) = psvn_syntax::decode(bytes);
    let parsed = psvn_syntax::parse(&source);
    let abstraction = psvn_syntax::parse_abstraction(&source);
    for finding in parsed.diagnostics.iter().chain(&abstraction.diagnostics) {
        for label in finding.primary.iter().chain(&finding.secondary) {
            let text = source.get(label.span.start..label.span.end);
            assert!(text.is_some(), "{finding:?}");
        }
    }
    let formatted = psvn_syntax::format(&parsed.file, &source);
    if parsed
        .diagnostics
        .iter()
        .any(psvn_syntax::Diagnostic::is_error)
    {
        return;
    }
    let again = psvn_syntax::parse(&formatted);
    assert!(
        !again
            .diagnostics
            .iter()
            .any(psvn_syntax::Diagnostic::is_error),
        "{formatted}"
    );
    assert!(
        psvn_syntax::same_structure(&parsed.file, &again.file),
        "{formatted}"
    );
    let twice = psvn_syntax::format(&again.file, &formatted);
    assert_eq!(twice, formatted);
}

/// No more rules than this are made of a game.
const MAX_RULES: usize = 500;

/// Loading games, and states of them.
///
/// # Panics
/// When a game loads and its formatted text doesn't, or is another game.
pub fn game(bytes: &[u8]) {
    let (source, _) = psvn_syntax::decode(bytes);
    let loaded = psvn_ir::load_with_limit(&source, MAX_RULES);
    let Some(game) = loaded.game else {
        assert!(
            loaded
                .diagnostics
                .iter()
                .any(psvn_syntax::Diagnostic::is_error)
        );
        return;
    };
    let formatted = psvn_syntax::format(&psvn_syntax::parse(&source).file, &source);
    let again = psvn_ir::load_with_limit(&formatted, MAX_RULES).game;
    let again = again.expect("a formatted game loads");
    assert_eq!(game.content_hash(), again.content_hash(), "{formatted}");
    let _ = game.parse_state(&source);
    for rule in game.rules() {
        let _ = game.format_rule(&rule.canonical);
    }
    if let Some(goal) = game.goal_state() {
        let text = game.format_state(goal.values());
        let parsed = game.parse_state(&text).expect("a formatted state parses");
        assert_eq!(parsed, goal);
    }
    let _ = game.backward_rules(MAX_RULES);
}

/// Reading machine files: as they are, and with checksums that are right, so that what stands behind them is
/// reached.
///
/// # Panics
/// When a machine that was read steps outside its states, or is written as another one.
pub fn machine(bytes: &[u8]) {
    read_machine(bytes);
    read_machine(&with_checksums(bytes));
}

fn read_machine(bytes: &[u8]) {
    use fsm::Machine;

    if let Ok(file) = fsm::OpenFile::from_bytes(bytes.to_vec()) {
        // What isn't verified may be wrong, but nothing panics.
        let machine = file.machine();
        let mut state = machine.start();
        let n_letters = machine.n_letters();
        for step in 0..200_u32 {
            if n_letters == 0 {
                break;
            }
            let letter = step.wrapping_mul(7) % n_letters;
            state = machine.next(state, letter).unwrap_or(machine.start());
        }
        let _ = file.verify_checksum();
        let _ = file.swaps();
        file.words().take(1000).for_each(drop);
    }
    if let Ok(file) = fsm::MachineFile::from_bytes(bytes) {
        let written = file.to_bytes();
        let again = fsm::MachineFile::from_bytes(&written).expect("what is written can be read");
        assert_eq!(again.to_bytes(), written);
    }
}

/// Where the section table, its checksums and the header's checksum stand in a machine file.
const SECTIONS: usize = 88;
const SECTION_CHECKSUMS: usize = 152;
const HEADER_CHECKSUM: usize = 188;

/// The file with the checksums that its contents have.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < HEADER_CHECKSUM + 4 {
        return bytes;
    }
    for section in 0..4 {
        let field = |at: usize| {
            let bytes = bytes[at..at + 8].try_into().expect("eight bytes");
            usize::try_from(u64::from_le_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let (offset, length) = (
            field(SECTIONS + 16 * section),
            field(SECTIONS + 16 * section + 8),
        );
        let Some(contents) = offset
            .checked_add(length)
            .and_then(|end| bytes.get(offset..end))
        else {
            continue;
        };
        let checksum = crc32fast::hash(contents).to_le_bytes();
        bytes[SECTION_CHECKSUMS + 4 * section..][..4].copy_from_slice(&checksum);
    }
    let checksum = crc32fast::hash(&bytes[..HEADER_CHECKSUM]).to_le_bytes();
    bytes[HEADER_CHECKSUM..][..4].copy_from_slice(&checksum);
    bytes
}
