//! What is fuzzed: functions that take any bytes, and panic only when something is wrong.
//!
//! The fuzzer of `fuzz/` runs them under coverage guidance; `tests/across/fuzz.rs` runs the same
//! functions for a bounded number of inputs in every test run.

/// A target's name, which is also that of the folder of its corpus, and what it does with an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("text", text),
    ("game", game),
    ("machine", machine),
    ("abstraction", abstraction),
    ("pattern_database", pattern_database),
    ("experiment", experiment),
    ("instances", instances),
    ("foreign", foreign),
];

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

/// Reading machine files: as they are, and with checksums that are right, so that what stands
/// behind them is reached.
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

/// The game that files belong to which need one.
fn rows() -> &'static psvn_ir::Game {
    static GAME: std::sync::OnceLock<psvn_ir::Game> = std::sync::OnceLock::new();
    GAME.get_or_init(|| {
        let loaded = psvn_ir::load(include_str!("../games/rows.psvn"));
        loaded.game.expect("the game of the fuzzer is valid")
    })
}

fn assert_places(diagnostics: &[psvn_syntax::Diagnostic], text: &str) {
    for finding in diagnostics {
        for label in finding.primary.iter().chain(&finding.secondary) {
            let place = text.get(label.span.start..label.span.end);
            assert!(place.is_some(), "{finding:?}");
        }
    }
}

/// Reading abstraction files and patterns.
///
/// # Panics
/// When an abstraction that was read doesn't fit the game, or is written as another one.
pub fn abstraction(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let game = rows();
    let _ = abstraction::Abstraction::from_pattern(game, &text);
    match abstraction::Abstraction::from_file(game, &text) {
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty());
            assert_places(&diagnostics, &text);
        }
        Ok(read) => {
            assert!(read.fits(game));
            let written = read.to_file(game);
            let again = abstraction::Abstraction::from_file(game, &written);
            assert_eq!(again.as_ref(), Ok(&read), "{written}");
            if let Ok(abstract_game) = abstraction::AbstractGame::new(game, &read) {
                let goal = game.goal_state().expect("it has one goal state");
                assert!(
                    abstract_game
                        .game()
                        .is_goal(&abstract_game.abstract_state(goal.values()))
                );
            }
        }
    }
}

/// Opening pattern databases: as they are, and with checksums that are right.
///
/// # Panics
/// When estimates of a table that was opened panic.
pub fn pattern_database(bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!(
        "psvn-fuzz-{}-{:?}.pdb",
        std::process::id(),
        std::thread::current().id()
    ));
    for bytes in [bytes, &with_pdb_checksums(bytes)] {
        std::fs::write(&path, bytes).expect("a temporary file can be written");
        let game = rows();
        if let Ok(table) = pattern_databases::PatternDatabase::open(&path, game) {
            for start in ["a b c d e up", "e d c b a down", "b a c d e up"] {
                let state = game.parse_state(start).expect("a state of the game");
                let cells: Vec<u32> = state.values().iter().map(|value| value.0).collect();
                let _ = search::Heuristic::estimate(&table, cells.as_slice());
            }
            let _ = table.distribution();
        }
    }
    let _ = std::fs::remove_file(&path);
}

/// Where a pattern database has what its checksums depend on, and where these stand.
const PDB_HEADER: usize = 128;
const PDB_VERSION: usize = 8;
const PDB_WIDTH: usize = 12;
const PDB_ENTRIES: usize = 48;
const PDB_DETAILS: usize = 64;
const PDB_FLAGS: usize = 72;
const PDB_DETAILS_CHECKSUM: usize = 76;
const PDB_CONTENTS_CHECKSUM: usize = 80;
/// Texts are filled up to a multiple of this.
const PDB_ALIGNMENT: usize = 64;
/// The flag of a list of states, and the bytes of one.
const PDB_LISTED: u64 = 4;
const PDB_KEY: u64 = 16;
/// The bytes that share a checksum.
const PDB_BLOCK: usize = 1 << 20;

/// The pattern database with the checksums that its contents have.
fn with_pdb_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if bytes.len() < PDB_HEADER {
        return bytes;
    }
    let number = |at: usize, n: usize| {
        let mut number = [0; 8];
        number[..n].copy_from_slice(&bytes[at..at + n]);
        u64::from_le_bytes(number)
    };
    let (version, width, flags) = (
        number(PDB_VERSION, 4),
        number(PDB_WIDTH, 4),
        number(PDB_FLAGS, 4),
    );
    let (entries, details) = (number(PDB_ENTRIES, 8), number(PDB_DETAILS, 8));
    // The place that lies so many bytes behind another one, if the file is that long.
    let behind = |begin: usize, length: Option<u64>| {
        let end = begin.checked_add(usize::try_from(length?).ok()?)?;
        (end <= bytes.len()).then_some(end)
    };
    let details_end = behind(PDB_HEADER, Some(details));
    let table = details_end.map(|end| end.next_multiple_of(PDB_ALIGNMENT).min(bytes.len()));
    let table_end = table.and_then(|table| {
        let bits = entries.checked_mul(width);
        behind(table, bits.map(|bits| bits.div_ceil(8)))
    });
    let keys_end = table_end.and_then(|end| match flags & PDB_LISTED {
        0 => Some(end),
        _ => behind(end, entries.checked_mul(PDB_KEY)),
    });
    if let Some(end) = details_end {
        let checksum = crc32fast::hash(&bytes[PDB_HEADER..end]).to_le_bytes();
        bytes[PDB_DETAILS_CHECKSUM..][..4].copy_from_slice(&checksum);
    }
    if let (Some(table), Some(table_end), Some(keys_end)) = (table, table_end, keys_end) {
        if version != 1 {
            let parts = [&bytes[table..table_end], &bytes[table_end..keys_end]];
            let blocks = parts.iter().flat_map(|part| part.chunks(PDB_BLOCK));
            let checksums: Vec<u8> = blocks
                .flat_map(|block| crc32fast::hash(block).to_le_bytes())
                .collect();
            let n = checksums.len().min(bytes.len() - keys_end);
            bytes[keys_end..keys_end + n].copy_from_slice(&checksums[..n]);
        }
        let begin = if version == 1 { table } else { keys_end };
        let checksum = crc32fast::hash(&bytes[begin..]).to_le_bytes();
        bytes[PDB_CONTENTS_CHECKSUM..][..4].copy_from_slice(&checksum);
    }
    let checksum = crc32fast::hash(&bytes[..PDB_HEADER - 4]).to_le_bytes();
    bytes[PDB_HEADER - 4..PDB_HEADER].copy_from_slice(&checksum);
    bytes
}

/// Reading experiments, and files of results.
///
/// # Panics
/// When an error lies outside the text.
pub fn experiment(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match experiment::Spec::parse(&text) {
        Ok(spec) => {
            for domain in &spec.domains {
                for method in spec.methods.iter().filter(|method| method.is_for(domain)) {
                    for steps in [None, Some(0), Some(7), Some(u64::MAX)] {
                        let _ = spec.options_of(domain, method, steps);
                    }
                }
            }
        }
        Err(errors) => {
            for error in errors.0 {
                if let Some(place) = error.place {
                    assert!(text.get(place).is_some(), "{}", error.message);
                }
            }
        }
    }
    let _ = experiment::Results::parse(bytes);
}

/// Reading instance files.
///
/// # Panics
/// When an error lies outside the text, or a state that was read isn't one of the game.
pub fn instances(bytes: &[u8]) {
    use psvn_ir::instances::{Layout, WordMap, parse};

    let text = String::from_utf8_lossy(bytes);
    let game = rows();
    for layout in [Layout::Auto, Layout::Plain, Layout::Korf] {
        match parse(&text, layout, &WordMap::default(), game) {
            Ok(reading) => {
                for instance in reading.instances {
                    let written = game.format_state(instance.state.values());
                    assert_eq!(game.parse_state(&written), Ok(instance.state));
                    assert!(text.get(instance.span.start..instance.span.end).is_some());
                }
            }
            Err(rejected) => {
                assert!(!rejected.errors.is_empty());
                assert_places(&rejected.errors, &text);
            }
        }
    }
}

/// Reading games in other formats, and files of scrambles.
///
/// # Panics
/// When a finding lies outside the text, or what was translated is no game.
pub fn foreign(bytes: &[u8]) {
    let (source, _) = psvn_syntax::decode(bytes);
    match formats::scrambles::parse(&source) {
        Ok(scrambles) => {
            for word in scrambles.iter().flat_map(|scramble| &scramble.moves) {
                assert_eq!(source.get(word.span.start..word.span.end), Some(word.text));
            }
        }
        Err(errors) => assert_places(&errors, &source),
    }
    let told = formats::Format::of(&source);
    for format in formats::Format::ALL {
        let findings = match formats::import(*format, &source) {
            Err(errors) => {
                assert!(errors.iter().any(psvn_syntax::Diagnostic::is_error));
                errors
            }
            Ok(imported) => {
                // A format is told by the first line that isn't a comment.
                assert!(told.is_none_or(|told| told == *format), "{source}");
                let loaded = psvn_ir::load_with_limit(&imported.text, MAX_RULES);
                let is_game = loaded.game.is_some()
                    || loaded
                        .diagnostics
                        .iter()
                        .any(|it| it.code == "too-many-rules");
                assert!(is_game, "{:?}\n{}", loaded.diagnostics, imported.text);
                imported.notes
            }
        };
        for finding in &findings {
            for label in finding.primary.iter().chain(&finding.secondary) {
                let text = source.get(label.span.start..label.span.end);
                assert!(text.is_some(), "{finding:?}");
            }
        }
    }
}
