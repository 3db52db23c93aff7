//! Random tasks, imported and exported, keep their state spaces.

use formats::sas::{Axiom, Effect, Fact, MutexGroup, Operator, Task, Variable};
use formats::sas::{from_game, parse, to_psvn, write};
use psvn_ir::LoadLimits;
use psvn_ir::testing::{GameShape, SplitMix64, cases, random_game};
use psvn_ir::{State, Value, VarId};
use psvn_syntax::Span;

use crate::breadth::{game_layers, load};
use crate::interpreter::{MOST, task_layers};

fn variable(name: usize, layer: Option<u32>, size: usize) -> Variable {
    Variable {
        name: format!("var{name}"),
        layer,
        facts: (0..size)
            .map(|value| format!("Atom f{name}({value}, x)"))
            .collect(),
        span: Span::default(),
    }
}

/// Facts of different variables among the first `n`.
fn facts(random: &mut SplitMix64, task: &Task, n: usize, most: usize) -> Vec<Fact> {
    let mut found: Vec<Fact> = Vec::new();
    for _ in 0..random.below(most + 1) {
        let variable = random.below(n);
        let value = random.below(task.variables[variable].facts.len());
        if found.iter().all(|fact| fact.variable != variable) {
            found.push(Fact { variable, value });
        }
    }
    found
}

/// The axioms that give a derived variable its default back where none of its others applies, as
/// older translators write them. None if the others depend on their own layer.
fn giving_back(task: &Task, head: usize) -> Vec<Axiom> {
    let layer = task.variables[head].layer;
    let axioms: Vec<&Axiom> = task
        .axioms
        .iter()
        .filter(|it| it.variable == head)
        .collect();
    let mut conditions = axioms.iter().flat_map(|it| &it.conditions);
    if axioms.is_empty() || conditions.any(|fact| task.variables[fact.variable].layer == layer) {
        return Vec::new();
    }
    // One fact against each axiom, in all ways.
    let mut ways: Vec<Vec<Fact>> = vec![Vec::new()];
    for axiom in &axioms {
        let against = axiom.conditions.iter().flat_map(|fact| {
            let values = 0..task.variables[fact.variable].facts.len();
            let others = values.filter(|value| *value != fact.value);
            others.map(|value| Fact { value, ..*fact })
        });
        let against: Vec<Fact> = against.collect();
        let longer = |way: &Vec<Fact>| -> Vec<Vec<Fact>> {
            let with = |fact: &Fact| [way.as_slice(), &[*fact]].concat();
            against.iter().map(with).collect()
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    let back = |conditions| Axiom {
        conditions,
        variable: head,
        before: axioms[0].after,
        after: axioms[0].before,
        span: Span::default(),
    };
    ways.into_iter().map(back).collect()
}

fn random_task(seed: u64) -> Task {
    let mut random = SplitMix64::new(seed);
    let mut task = Task {
        uses_costs: random.below(2) == 0,
        ..Task::default()
    };
    let n_primary = 2 + random.below(3);
    let n_derived = random.below(4);
    for name in 0..n_primary {
        let size = [1, 2, 2, 3, 3, 3][random.below(6)];
        task.variables.push(variable(name, None, size));
    }
    for name in n_primary..n_primary + n_derived {
        task.variables
            .push(variable(name, Some(random.below(2) as u32), 2));
    }
    let n = task.variables.len();
    for it in &task.variables {
        task.state.push(random.below(it.facts.len()));
    }
    for _ in 0..n_derived * 2 {
        let head = n_primary + random.below(n_derived);
        let layer = task.variables[head].layer;
        let mut conditions = facts(&mut random, &task, n, 3);
        // Leave out conditions that aren't stratified.
        conditions.retain(|fact| {
            let other = task.variables[fact.variable].layer;
            other < layer || other == layer && fact.value != task.state[fact.variable]
        });
        let before = task.state[head];
        task.axioms.push(Axiom {
            conditions,
            variable: head,
            before,
            after: 1 - before,
            span: Span::default(),
        });
    }
    if seed.is_multiple_of(2) {
        let back: Vec<Axiom> = (n_primary..n)
            .flat_map(|head| giving_back(&task, head))
            .collect();
        task.axioms.extend(back);
    }
    for number in 0..4 + random.below(6) {
        let prevail = facts(&mut random, &task, n, 1);
        let mut effects: Vec<Effect> = Vec::new();
        for _ in 0..1 + random.below(3) {
            let variable = random.below(n_primary);
            let size = task.variables[variable].facts.len();
            let conditions = match random.below(2) {
                0 => Vec::new(),
                _ => facts(&mut random, &task, n, 2),
            };
            let is_tested = prevail.iter().any(|fact| fact.variable == variable);
            let is_first = effects.iter().all(|effect| effect.variable != variable);
            // Two effects on one variable are mostly contradictory.
            if !is_first && random.below(5) > 0 {
                continue;
            }
            let before =
                (!is_tested && is_first && random.below(2) == 0).then(|| random.below(size));
            effects.push(Effect {
                conditions,
                variable,
                before,
                after: random.below(size),
            });
        }
        task.operators.push(Operator {
            name: format!("do it {number}"),
            prevail,
            effects,
            cost: random.below(3) as u64,
            span: Span::default(),
        });
    }
    task.goal = facts(&mut random, &task, n, 3);
    for _ in 0..3 {
        let facts = facts(&mut random, &task, n_primary, 3);
        if facts.len() > 1 {
            task.mutexes.push(MutexGroup {
                facts,
                span: Span::default(),
            });
        }
    }
    task
}

/// The same without places.
fn placeless(mut task: Task) -> Task {
    task.goal_span = Span::default();
    task.variables
        .iter_mut()
        .for_each(|it| it.span = Span::default());
    task.operators
        .iter_mut()
        .for_each(|it| it.span = Span::default());
    task.mutexes
        .iter_mut()
        .for_each(|it| it.span = Span::default());
    task.axioms
        .iter_mut()
        .for_each(|it| it.span = Span::default());
    task
}

/// The pairs of facts of the mutex groups that the text declares proved.
fn proved_pairs(text: &str) -> Vec<(Fact, Fact)> {
    let fact = |text: &str| {
        let (variable, value) = text.trim().split_once(" = f").unwrap();
        let value = value.split_once('(').unwrap().1.split_once(',').unwrap().0;
        Fact {
            variable: variable.strip_prefix("var").unwrap().parse().unwrap(),
            value: value.parse().unwrap(),
        }
    };
    let mut found = Vec::new();
    for group in text
        .lines()
        .filter_map(|line| line.strip_prefix("# mutex: "))
    {
        let facts: Vec<Fact> = group.split(", ").map(fact).collect();
        for (place, a) in facts.iter().enumerate() {
            found.extend(facts[place + 1..].iter().map(|b| (*a, *b)));
        }
    }
    found
}

#[test]
fn random_tasks_keep_their_states() {
    let (mut n_imported, mut n_with_axioms, mut n_states, mut n_proved) = (0, 0, 0, 0);
    for seed in 0..cases(2000) {
        let task = random_task(seed);
        let text = write(&task);
        let read = parse(&text, &LoadLimits::default())
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        assert_eq!(placeless(read.clone()), task, "seed {seed}");
        let imported = match to_psvn(&read, &LoadLimits::default()) {
            Ok(imported) => imported,
            Err(errors) => {
                let mut errors = errors.diagnostics.iter().filter(|it| it.is_error());
                let known = ["sas-two-values", "sas-no-variables"];
                assert!(errors.all(|it| known.contains(&it.code)), "seed {seed}");
                continue;
            }
        };
        let (game, start) = load(&imported.text);
        let found = game_layers(&game, &start.unwrap());
        assert_eq!(
            found,
            task_layers(&task, MOST),
            "seed {seed}\n{text}\n{}",
            imported.text
        );
        for (a, b) in proved_pairs(&imported.text) {
            let goal = vec![a, b];
            let together = task_layers(
                &Task {
                    goal,
                    ..task.clone()
                },
                MOST,
            );
            assert!(
                together.iter().all(|(_, n)| *n == 0),
                "seed {seed}\n{}",
                imported.text
            );
            n_proved += 1;
        }
        n_imported += 1;
        n_with_axioms += usize::from(!task.axioms.is_empty());
        n_states += found.iter().map(|(n, _)| n).sum::<usize>();
    }
    assert!(
        n_imported > 1200 && n_with_axioms > 800,
        "{n_imported}, {n_with_axioms}"
    );
    assert!(
        n_states > 5000 && n_proved > 50,
        "{n_states} states, {n_proved} pairs"
    );
}

#[test]
fn random_games_keep_their_states() {
    let mut n_states = 0;
    for seed in 0..cases(600) {
        let game = random_game(seed, &GameShape::default());
        let mut random = SplitMix64::new(seed);
        let sizes: Vec<usize> = (0..game.n_variables())
            .map(|it| game.domain_of(VarId::from_index(it)).size())
            .collect();
        let mut state = || {
            let values = sizes
                .iter()
                .map(|size| Value::from_index(random.below(*size)));
            State::new(values.collect::<Vec<_>>())
        };
        let (start, goals) = (state(), [state(), state()]);
        let game = game.with_goal_states(&goals[..1 + seed as usize % 2]);
        let expected = game_layers(&game, &start);
        let task = from_game(&game, &start, 100_000).unwrap();
        assert_eq!(task_layers(&task, MOST), expected, "seed {seed}");
        let again = parse(&write(&task), &LoadLimits::default()).unwrap();
        let imported = to_psvn(&again, &LoadLimits::default()).unwrap();
        let (game, start) = load(&imported.text);
        assert_eq!(game_layers(&game, &start.unwrap()), expected, "seed {seed}");
        n_states += expected.iter().map(|(n, _)| n).sum::<usize>();
    }
    assert!(n_states > 2000, "{n_states}");
}
