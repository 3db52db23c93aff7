//! Compares the header of a machine file with its words and its machine.

use std::collections::{HashSet, VecDeque};

use fsm::{Dense, MachineFile, MachineKind, WordAutomaton, minimize_unless};

/// The length of the longest word that is forbidden.
pub(super) fn longest_word(file: &MachineFile) -> usize {
    let lengths = file.words.iter().map(|word| word.word.len());
    lengths.max().unwrap_or(0)
}

/// Check the header's length of compared words, and how the machine was made. (That words longer
/// than the listed ones were compared can't be proved, and nothing depends on it.)
///
/// # Errors
/// The false statement. Where `stop` returns `true`, an error means nothing.
pub(super) fn check(file: &MachineFile, stop: &dyn Fn() -> bool) -> Result<(), String> {
    let (claimed, longest) = (file.max_length as usize, longest_word(file));
    if longest > claimed {
        return Err(format!(
            "it says that words up to length {claimed} were compared, and a word of length {longest} is listed"
        ));
    }
    check_kind(file, stop).map_err(|flaw| format!("it says that the machine {flaw}"))
}

fn check_kind(file: &MachineFile, stop: &dyn Fn() -> bool) -> Result<(), String> {
    let dense = || file.machine.to_dense().map_err(|error| error.to_string());
    // For a product with a sleep-set machine, only minimization can be recognized.
    let is_product = !file.swaps.is_empty();
    match file.kind {
        Some(MachineKind::Minimized) => {
            let machine = dense()?;
            let fewest = minimize_unless(&machine, stop).map_err(|error| error.to_string())?;
            match (machine.n_states(), fewest.n_states()) {
                (n, fewest) if n == fewest => Ok(()),
                (n, fewest) => Err(format!(
                    "was minimized, but it has {n} states where {fewest} are enough"
                )),
            }
        }
        Some(MachineKind::AhoCorasick) if !is_product => {
            match (file.machine.n_states(), n_beginnings(file)?) {
                (n, beginnings) if n == beginnings => Ok(()),
                (n, beginnings) => Err(format!(
                    "is that of Aho and Corasick, but it has {n} states for {beginnings} beginnings of words"
                )),
            }
        }
        Some(MachineKind::Table) if !is_product => {
            // The words that a table remembers include the beginnings of listed words.
            let is_large = file.machine.n_states() >= n_beginnings(file)?;
            if is_large && remembers_all(&*dense()?, file.max_length) {
                Ok(())
            } else {
                Err(
                    "is a table of all words that are shorter than that length, but its states aren't those of such words"
                        .to_owned(),
                )
            }
        }
        // A machine with don't-cares need not make use of them.
        Some(MachineKind::MinimizedWithDontCares) | None => Ok(()),
        Some(MachineKind::Table | MachineKind::AhoCorasick) => Ok(()),
    }
}

/// The number of different proper beginnings of listed words.
fn n_beginnings(file: &MachineFile) -> Result<usize, String> {
    let words = file.words.iter().map(|word| &word.word);
    let trie = WordAutomaton::forbidding(file.machine.n_letters(), words)
        .map_err(|error| error.to_string())?;
    Ok(trie.n_interior_nodes())
}

/// Whether the states can be those of all words that are shorter than `length`: none is further
/// from the start, and each letter that begins a remembered word leads from the start to a
/// different state.
fn remembers_all(machine: &Dense, length: u32) -> bool {
    if length < 2 {
        return machine.n_states() == 1;
    }
    let first: Vec<usize> = machine.successors(1).filter(|state| *state > 1).collect();
    let distinct: HashSet<usize> = first.iter().copied().collect();
    if distinct.len() < first.len() {
        return false;
    }
    let mut depth = vec![None; machine.n_states() + 1];
    depth[1] = Some(0);
    let mut queue = VecDeque::from([1]);
    let mut n_reached = 1;
    while let Some(state) = queue.pop_front() {
        let next_depth = depth[state].map_or(0, |depth: u32| depth + 1);
        for next in machine.successors(state) {
            if next != 0 && depth[next].is_none() {
                if next_depth >= length {
                    return false;
                }
                depth[next] = Some(next_depth);
                n_reached += 1;
                queue.push_back(next);
            }
        }
    }
    n_reached == machine.n_states()
}
