//! Certificates of every kind about small random games. About half of what they claim holds.

use psvn_ir::testing::SplitMix64;

/// A rule that tests values and puts values; `None` where it does neither.
struct Rule {
    cost: usize,
    tests: Vec<Option<usize>>,
    puts: Vec<Option<usize>>,
}

/// Tokens on places: a variable for each place, which is 1 if a token is there. Each rule moves a
/// token to another place of the first or of the second half, so that each half keeps its number of
/// tokens. That the new place is free is tested by some rules only: where a half has one token, it
/// follows.
struct Tokens {
    n_places: usize,
    rules: Vec<Rule>,
    goal: Vec<Option<usize>>,
    start: Vec<usize>,
}

type Word = Vec<usize>;

/// A rule where places have these values.
struct Letter {
    rule: usize,
    values: Vec<(usize, usize)>,
}

/// Instead of the least cost, where there is no plan.
const NO_PLAN: usize = 9;

impl Tokens {
    fn new(random: &mut SplitMix64) -> Self {
        let n_places = random.within(&(4..=6));
        let half = n_places / 2;
        let mut rules = Vec::new();
        for _ in 0..random.within(&(2..=6)) {
            let (first, size) = [(0, half), (half, n_places - half)][random.below(2)];
            let from = random.below(size);
            let to = (from + 1 + random.below(size - 1)) % size;
            let mut tests = vec![None; n_places];
            let mut puts = vec![None; n_places];
            if random.chance(30) {
                tests[random.below(n_places)] = Some(random.below(2));
            }
            tests[first + from] = Some(1);
            puts[first + from] = Some(0);
            puts[first + to] = Some(1);
            tests[first + to] = random.chance(30).then_some(0);
            let cost = 1 + random.below(2);
            rules.push(Rule { cost, tests, puts });
        }
        let mut start = vec![0; n_places];
        start[random.below(half)] = 1;
        start[half + random.below(n_places - half)] = 1;
        // Now and then two tokens should be in one half, so that there is no plan.
        let mut goal = vec![None; n_places];
        goal[random.below(half)] = Some(1);
        goal[(half + random.below(n_places - half) + 1) % n_places] = Some(1);
        Self {
            n_places,
            rules,
            goal,
            start,
        }
    }

    /// The state after a word.
    fn after(&self, state: &[usize], word: &[usize]) -> Option<Vec<usize>> {
        let mut state = state.to_vec();
        for rule in word.iter().map(|rule| &self.rules[*rule]) {
            let mut tests = rule.tests.iter().zip(&state);
            if !tests.all(|(test, value)| test.is_none_or(|wanted| wanted == *value)) {
                return None;
            }
            for (put, value) in rule.puts.iter().zip(&mut state) {
                *value = put.unwrap_or(*value);
            }
        }
        Some(state)
    }

    /// The state after a word of letters.
    fn after_letters(&self, state: &[usize], word: &[&Letter]) -> Option<Vec<usize>> {
        word.iter().try_fold(state.to_vec(), |state, letter| {
            let mut values = letter.values.iter();
            let allows = values.all(|(place, value)| state[*place] == *value);
            allows.then(|| self.after(&state, &[letter.rule])).flatten()
        })
    }

    fn states(&self) -> impl Iterator<Item = Vec<usize>> {
        let n_places = self.n_places;
        (0..1_usize << n_places)
            .map(move |bits| (0..n_places).map(|place| bits >> place & 1).collect())
    }

    /// Whether both halves have one token.
    fn is_inside(&self, state: &[usize]) -> bool {
        let (one, other) = state.split_at(self.n_places / 2);
        [one, other].map(|half| half.iter().sum::<usize>()) == [1, 1]
    }

    /// Whether a word is redundant in states with one token in each half, or in all states.
    fn is_redundant(&self, word: &[&Letter], replacement: &[usize], everywhere: bool) -> bool {
        let rules: Word = word.iter().map(|letter| letter.rule).collect();
        let cost = |word: &[usize]| -> usize { word.iter().map(|it| self.rules[*it].cost).sum() };
        let leads = |state: &Vec<usize>| {
            let after = self.after_letters(state, word);
            after.is_none() || after == self.after(state, replacement)
        };
        (replacement.len(), replacement) < (rules.len(), &rules)
            && cost(replacement) <= cost(&rules)
            && self
                .states()
                .any(|state| self.after_letters(&state, word).is_some())
            && self
                .states()
                .filter(|state| everywhere || self.is_inside(state))
                .all(|state| leads(&state))
    }

    /// Some words of letters, most of them redundant, with the rules that replace them.
    fn pairs(
        &self,
        letters: &[Letter],
        everywhere: bool,
        random: &mut SplitMix64,
    ) -> Vec<(Word, Word)> {
        let mut pairs = Vec::new();
        let wrong = random.chance(5);
        for _ in 0..200 {
            let length = random.within(&(1..=3));
            let mut draw = |length: usize, n: usize| -> Word {
                (0..length).map(|_| random.below(n)).collect()
            };
            let word = draw(length, letters.len());
            let shorter = draw(3, self.rules.len());
            let replacement = shorter[..shorter.len().min(random.below(length + 1))].to_vec();
            let is_new = pairs.iter().all(|(other, _)| *other != word);
            let spelled: Vec<&Letter> = word.iter().map(|letter| &letters[*letter]).collect();
            let is_right = is_new && self.is_redundant(&spelled, &replacement, everywhere);
            if pairs.len() < 4 && is_right || wrong && pairs.is_empty() {
                pairs.push((word, replacement));
            }
        }
        pairs
    }

    fn setting(&self) -> Vec<String> {
        let vector = |values: &[Option<usize>]| {
            let entry = |it: &Option<usize>| it.map_or("-".to_owned(), |it| it.to_string());
            values.iter().map(entry).collect::<Vec<_>>().join(" ")
        };
        let mut lines = vec![
            "psvn-certificate 1".to_owned(),
            format!("domains {}", spaced(&vec![2; self.n_places])),
        ];
        for Rule { cost, tests, puts } in &self.rules {
            let results: Vec<_> = puts
                .iter()
                .zip(tests)
                .map(|(put, test)| put.or(*test))
                .collect();
            lines.push(format!(
                "rule {cost} : {} => {}",
                vector(tests),
                vector(&results)
            ));
        }
        lines.push(format!("goal {}", vector(&self.goal)));
        lines.push(format!("start {}", spaced(&self.start)));
        lines
    }

    fn is_goal(&self, state: &[usize]) -> bool {
        let mut pairs = self.goal.iter().zip(state);
        pairs.all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
    }

    /// The least cost of a plan or [`NO_PLAN`], and each state that costs less.
    fn closed(&self) -> (usize, Vec<(usize, Vec<usize>)>) {
        let mut least: Vec<(usize, Vec<usize>)> = vec![(0, self.start.clone())];
        let mut index = 0;
        while index < least.len() {
            let (g, state) = least[index].clone();
            for (rule, it) in self.rules.iter().enumerate() {
                let (Some(next), g) = (self.after(&state, &[rule]), g + it.cost) else {
                    continue;
                };
                if least
                    .iter()
                    .all(|(known, other)| *other != next || g < *known)
                {
                    least.retain(|(_, other)| *other != next);
                    least.push((g, next));
                }
            }
            least[index..].sort();
            index += 1;
        }
        let goals = least.iter().filter(|(_, state)| self.is_goal(state));
        let bound = goals.map(|(g, _)| *g).min().unwrap_or(NO_PLAN);
        least.retain(|(g, _)| *g < bound);
        least.sort_by(|one, other| one.1.iter().rev().cmp(other.1.iter().rev()));
        (bound, least)
    }
}

fn spaced(numbers: &[usize]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    words.join(" ")
}

fn one_more(number: &usize) -> usize {
    number + 1
}

/// Aho and Corasick's machine for words: rows of next states from 1 on, or 0.
fn automaton(n_letters: usize, words: &[&Word]) -> Vec<Vec<usize>> {
    let beginnings = words
        .iter()
        .flat_map(|word| (0..word.len()).map(|n| word[..n].to_vec()));
    let mut starts: Vec<Word> = beginnings.chain([Vec::new()]).collect();
    starts.sort_by_key(|word| (word.len(), word.clone()));
    starts.dedup();
    let next = |start: &Word, letter: usize| {
        let read = [&start[..], &[letter]].concat();
        let mut ends = (0..=read.len()).map(|from| &read[from..]);
        if ends
            .clone()
            .any(|end| words.iter().any(|word| **word == *end))
        {
            return 0;
        }
        let state = ends.find_map(|end| starts.iter().position(|start| *start == *end));
        state.expect("the empty word is a start") + 1
    };
    let row = |start: &Word| (0..n_letters).map(|letter| next(start, letter)).collect();
    starts.iter().map(row).collect()
}

/// Lines that give small weights to values of some variables, and the sum at the start.
fn weights(game: &Tokens, random: &mut SplitMix64) -> (Vec<String>, usize) {
    let (mut lines, mut sum) = (Vec::new(), 0);
    for place in 0..game.n_places {
        let pair = [random.below(2), random.below(3)];
        lines.push(format!("weigh {} : {}", place + 1, spaced(&pair)));
        sum += pair[game.start[place]];
    }
    (lines, sum)
}

/// The rules, or parts of them: some rules are split by the values of one or two places. Now and
/// then a part is missing.
fn letters(game: &Tokens, random: &mut SplitMix64) -> (Vec<Letter>, Vec<String>) {
    let whole = |rule| Letter {
        rule,
        values: Vec::new(),
    };
    let mut letters: Vec<Letter> = (0..game.rules.len()).map(whole).collect();
    if random.chance(50) {
        return (letters, Vec::new());
    }
    for _ in 0..random.within(&(1..=3)) {
        let split = letters.swap_remove(random.below(letters.len()));
        let place = random.below(game.n_places);
        let test = game.rules[split.rule].tests[place];
        let is_open = split.values.iter().all(|(other, _)| *other != place);
        if !is_open && random.chance(90) {
            letters.push(split);
            continue;
        }
        let values = (0..2).filter(|value| test.is_none_or(|test| test == *value));
        letters.extend(values.map(|value| Letter {
            rule: split.rule,
            values: [&split.values[..], &[(place, value)]].concat(),
        }));
    }
    if random.chance(5) {
        letters.pop();
    }
    let line = |Letter { rule, values }: &Letter| {
        let values = values
            .iter()
            .map(|(place, value)| format!(" {}={value}", place + 1));
        format!("part {}{}", rule + 1, values.collect::<String>())
    };
    let lines = letters.iter().map(line).collect();
    (letters, lines)
}

/// A machine for states with one token in each half, or for all states.
fn machine(game: &Tokens, random: &mut SplitMix64) -> Vec<String> {
    let everywhere = random.chance(30);
    let mut lines = Vec::new();
    if !everywhere {
        let half = game.n_places / 2;
        for places in [0..half, half..game.n_places] {
            let places: Vec<usize> = places.map(|place| place + 1).collect();
            lines.push("invariant 1".to_owned());
            lines.push(format!("weigh {} : 0 1", spaced(&places)));
        }
        if random.chance(5) {
            let (weights, sum) = weights(game, random);
            lines.push(format!("invariant {sum}"));
            lines.extend(weights);
        }
    }
    let (letters, parts) = letters(game, random);
    lines.extend(parts);
    let pairs = game.pairs(&letters, everywhere, random);
    for (word, replacement) in &pairs {
        let [word, replacement] =
            [word, replacement].map(|it| it.iter().map(one_more).collect::<Vec<_>>());
        lines.push(format!("word {} = {}", spaced(&word), spaced(&replacement)));
    }
    let words: Vec<&Word> = pairs.iter().map(|(word, _)| word).collect();
    let rows = automaton(letters.len(), &words);
    lines.extend(rows.iter().map(|row| format!("state {}", spaced(row))));
    lines
}

/// Estimates: potentials and a table, of which some are right.
fn heuristic(game: &Tokens, random: &mut SplitMix64) -> Vec<String> {
    let mut lines = Vec::new();
    let goal = game.goal.iter().position(Option::is_some).expect("a goal");
    if random.chance(40) {
        let other = random.below(game.n_places);
        let kept = 1 + if random.chance(80) { goal } else { other };
        let line = if random.chance(80) {
            "all : 1"
        } else {
            "1 : 0"
        };
        lines.push("group".to_owned());
        if random.chance(30) {
            let payers: Vec<usize> = game
                .rules
                .iter()
                .map(|_| random.below(game.n_places + 1))
                .collect();
            lines.push(format!("payers {}", spaced(&payers)));
        }
        lines.extend([
            "table".to_owned(),
            format!("keep {kept} : 0 1"),
            format!("charge {line}"),
            "1 '0".to_owned(),
        ]);
    }
    if random.chance(60) {
        lines.push(format!("potential {}", random.below(2)));
        lines.push(format!("weigh {} : 1 0", goal + 1));
        if random.chance(10) {
            lines.extend(weights(game, random).0);
        }
    }
    lines
}

/// One claim with its proof.
fn part(game: &Tokens, random: &mut SplitMix64) -> Vec<String> {
    let (bound, closed) = game.closed();
    let entries = closed
        .iter()
        .map(|(g, state)| format!("{g} {}", spaced(state)));
    // What doesn't hold is claimed now and then.
    let has_plan = (bound < NO_PLAN) != random.chance(10);
    match random.below(5) {
        0 if has_plan => {
            let mut draw = |_| -> Word {
                let length = random.below(5);
                (0..length)
                    .map(|_| random.below(game.rules.len()))
                    .collect()
            };
            let words: Vec<Word> = (0..100).map(&mut draw).collect();
            let is_plan = |word: &&Word| {
                let end = game.after(&game.start, word);
                end.is_some_and(|end| game.is_goal(&end))
            };
            let moves = words.iter().find(is_plan).unwrap_or(&words[0]);
            let cost: usize = moves.iter().map(|it| game.rules[*it].cost).sum();
            let moves: Word = moves.iter().map(one_more).collect();
            vec![
                format!("claim plan {cost}"),
                format!("moves {}", spaced(&moves)),
            ]
        }
        0 => {
            let mut lines = vec![format!("claim none by sums {}", random.below(3))];
            lines.extend(if random.chance(80) {
                let half = game.n_places / 2;
                let first = [0, half][random.below(2)];
                let places: Vec<usize> = (first + 1..=first + half).collect();
                vec![format!("weigh {} : 1 2", spaced(&places))]
            } else {
                weights(game, random).0
            });
            lines
        }
        1 => {
            let mut lines = vec![format!("claim bound {bound} by list")];
            lines.extend(heuristic(game, random));
            lines.push("closed".to_owned());
            lines.extend(entries);
            lines
        }
        2 | 3 => {
            let bound = bound.saturating_sub(random.below(2)) + usize::from(random.chance(10));
            let mut lines = vec![format!("claim bound {} by search", bound.min(8))];
            lines.extend(heuristic(game, random));
            lines.extend(machine(game, random));
            lines
        }
        _ => {
            let mut lines = vec!["claim machine".to_owned()];
            lines.extend(machine(game, random));
            lines
        }
    }
}

pub(crate) fn random_certificate(seed: u64) -> String {
    let mut random = SplitMix64::new(seed);
    let game = Tokens::new(&mut random);
    let mut lines = game.setting();
    for _ in 0..random.within(&(1..=2)) {
        lines.extend(part(&game, &mut random));
    }
    lines.push("end".to_owned());
    lines.join("\n") + "\n"
}
