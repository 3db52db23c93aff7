//! Faults planted in a machine that is carried over to another game are refused.

use std::collections::BTreeSet;
use std::path::Path;

use psvn::analysis::{Letters, MachineKind, Method, OperatorOrder};
use psvn::machine::{TransferRequest, transfer, verify};
use psvn::{Environment, Game, Pruning};
use psvn_ir::State;

/// The labels in the order of the letters.
const LABELS: [&str; 4] = ["U", "R", "D", "L"];

/// The most words in a file, since no more failures are listed.
const WORDS_OF_FILE: usize = 20;

/// A claim: a word and its replacement.
type Claim = (Vec<u32>, Vec<u32>);

/// The state after the rules with some labels. In tile puzzles, just one rule with a label can be
/// used.
fn follow(game: &Game, state: &State, word: &[u32]) -> Option<State> {
    let rules = game.ir().rules();
    word.iter().try_fold(state.clone(), |state, letter| {
        let mut usable = rules.iter().filter(|rule| {
            *rule.label == *LABELS[*letter as usize] && rule.canonical.applies_to(state.values())
        });
        let rule = usable.next()?;
        assert!(usable.next().is_none());
        Some(State::new(rule.canonical.apply(state.values())))
    })
}

/// Whether a claim is wrong, by carrying it out. Rules test the blank alone, so one state for each
/// of its places is enough.
fn is_wrong(game: &Game, states: &[State], (word, replacement): &Claim) -> bool {
    let ends = states.iter().filter_map(|state| {
        let end = follow(game, state, word)?;
        Some((follow(game, state, replacement), end))
    });
    let ends: Vec<_> = ends.collect();
    let comes_before = (replacement.len(), replacement) < (word.len(), word);
    !comes_before || ends.iter().any(|(other, end)| other.as_ref() != Some(end))
}

/// The claims that differ from one in a letter, or lack one.
fn mutants((word, replacement): &Claim) -> Vec<Claim> {
    let mut mutants = Vec::new();
    for place in 0..word.len() {
        let mut other = word.clone();
        other[place] = (other[place] + 1 + place as u32) % 4;
        mutants.push((other, replacement.clone()));
        let mut shorter = word.clone();
        shorter.remove(place);
        mutants.push((shorter, replacement.clone()));
    }
    for place in 0..replacement.len() {
        let mut other = replacement.clone();
        other[place] = (other[place] + 1 + place as u32) % 4;
        mutants.push((word.clone(), other));
        let mut shorter = replacement.clone();
        shorter.remove(place);
        mutants.push((word.clone(), shorter));
    }
    // A replacement that comes after the word.
    mutants.push((replacement.clone(), word.clone()));
    mutants.retain(|(word, replacement)| !word.is_empty() && word != replacement);
    mutants
}

fn certified(claims: &[Claim]) -> Vec<fsm::CertifiedWord> {
    let words = claims
        .iter()
        .map(|(word, replacement)| fsm::CertifiedWord::new(word.clone(), replacement.clone()));
    words.collect()
}

/// If wrong words are left out, the machine has all others, and is proved again from its file.
fn check_without(
    request: &TransferRequest<'_>,
    to: &Game,
    wrong: &[usize],
    words: &[fsm::CertifiedWord],
    env: &Environment,
) {
    let request = TransferRequest {
        drop_failing: true,
        ..*request
    };
    let file = transfer(&request, env).unwrap().file.unwrap();
    let numbered = (1..).zip(words);
    let right = numbered.filter(|(number, _)| !wrong.contains(number));
    assert!(file.words.iter().eq(right.map(|(_, word)| word)));
    let label = |letter: &u32| LABELS[*letter as usize];
    let labels = request.to.game.rules().iter().map(|rule| &*rule.label);
    assert!(file.operator_of.iter().map(label).eq(labels));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("carried.fsm");
    std::fs::write(&path, file.to_bytes()).unwrap();
    let verified = verify(to, &path, env).unwrap();
    assert!(verified.valid, "{verified:?}");
}

#[test]
fn planted_faults_are_refused() {
    let env = Environment::default();
    let from = Game::built_in("sliding-tiles:5:5", &env).unwrap();
    let to = Game::built_in("sliding-tiles:3:3", &env).unwrap();
    let mut generic = vec!["-"; 25];
    generic[12] = "0";
    let learned = Pruning {
        letters: Some(Letters::Labels),
        method: Method::Learner,
        generic_start: Some(generic.join(" ")),
        operator_order: Some(OperatorOrder::Listed(LABELS.map(String::from).to_vec())),
        ..Pruning::up_to(8)
    };
    let learned = learned.analyze(&from, &env).unwrap();
    let learned = learned.machine.as_ref().unwrap();
    let claims: Vec<Claim> = learned
        .words
        .iter()
        .map(|word| (word.word.to_vec(), word.replacements[0].to_vec()))
        .collect();
    let (assumed, _) = Pruning::up_to(1)
        .analyze_with_request(&to, Path::new("to"), &env)
        .unwrap();
    let states: Vec<State> = (0..9)
        .map(|blank| {
            let mut tiles: Vec<String> = (1..9).map(|tile| tile.to_string()).collect();
            tiles.insert(blank, "0".to_owned());
            to.state("a state", &tiles.join(" ")).unwrap()
        })
        .collect();
    assert!(claims.len() > 20);
    assert!(claims.iter().all(|claim| !is_wrong(&to, &states, claim)));

    let mutants: BTreeSet<Claim> = claims.iter().flat_map(mutants).collect();
    let mutants: Vec<Claim> = mutants.into_iter().collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("planted.fsm");
    let mut n_wrong = 0;
    for some in mutants.chunks(WORDS_OF_FILE) {
        let planted = fsm::MachineFile {
            words: certified(some),
            ..learned.clone()
        };
        std::fs::write(&path, planted.to_bytes()).unwrap();
        let request = TransferRequest {
            from: from.named(),
            machine: &path,
            to: to.named(),
            assumptions: &assumed.assumptions,
            drop_failing: false,
            drop_impossible: false,
            kind: MachineKind::Minimized,
            budget: 1 << 30,
        };
        let carried = transfer(&request, &env).unwrap();
        let wrong: Vec<usize> = (1..)
            .zip(some)
            .filter(|(_, claim)| is_wrong(&to, &states, claim))
            .map(|(number, _)| number)
            .collect();
        let refused = carried.report.failures.iter().map(|it| it.certificate);
        assert_eq!(refused.collect::<Vec<_>>(), wrong, "{some:?}");
        // One wrong word is enough to have no machine.
        assert_eq!(carried.file.is_some(), wrong.is_empty());
        n_wrong += wrong.len();
        check_without(&request, &to, &wrong, &certified(some), &env);
    }
    assert!(n_wrong > 200, "{n_wrong} of {}", mutants.len());
}
