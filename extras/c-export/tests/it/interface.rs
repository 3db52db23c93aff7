//! The interface: names, goals, values of any size, C++, programs that test for parts.

use std::fmt::Write;

use c_export::{Backward, Export, to_c};
use psvn_ir::{Value, all_states};

use crate::compare;
use crate::compiler::{self, Build, Program};
use crate::oracle::Subject;

fn game(source: &str) -> psvn_ir::Game {
    let loaded = psvn_ir::load(source);
    loaded
        .game
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

/// Labels, values and domains with everything that is special in C, in comments or strings.
#[test]
fn names_with_every_kind_of_sign() {
    if !compiler::is_there() {
        return;
    }
    let subject = Subject::new(
        game(
            "DOMAIN */int 3 \"quoted\" back\\slash ??/\n\
             DOMAIN d\u{e9} 2 /*a %s\n\
             3 */int */int d\u{e9}\n\
             \"quoted\" X - => X ??/ %s LABEL */}{\n\
             - X /*a => - X %s LABEL %d%n\n\
             X X A => back\\slash X A LABEL \u{e9}\"\\ COST 3\n\
             GOAL X X %s\n GOAL - - /*a\n",
        ),
        2,
    );
    let program = Program::new(&subject.to_c(), Build::Checked);
    let states: Vec<Box<[Value]>> = all_states(&subject.game).collect();
    compare::states(&subject, &program, &states, 99, "odd names");
}

/// Domains with 128 values are the largest for one byte; goal states are listed to the last value.
#[test]
fn domains_of_every_size() {
    if !compiler::is_there() {
        return;
    }
    for (size, name) in [(128, "int8_t"), (129, "int16_t"), (33_000, "int32_t")] {
        let last = size - 1;
        let subject = Subject::new(
            game(&format!(
                "2 {size} 2\n {last} A => 0 A\n 0 A => {last} A\n A 0 => A 1\n GOAL - 1\n"
            )),
            1,
        );
        let text = subject.to_c();
        assert!(text.contains(&format!("typedef {name} psvn_value_t;")));
        let program = Program::new(&text, Build::Checked);
        let state = subject.game.parse_state(&format!("{last} 0")).unwrap();
        let states = [Box::from(state.values())];
        let most = if size < 1000 { 500 } else { 20 };
        compare::states(&subject, &program, &states, most, name);
    }
}

/// Games without a goal or without rules can also be written.
#[test]
fn games_that_lack_something() {
    if !compiler::is_there() {
        return;
    }
    for source in ["1 2\n 0 => 1\n", "1 2\n GOAL 1\n", "1 2\n GOAL -\n"] {
        let game = game(source);
        let text = to_c(&Export {
            name: "small",
            game: &game,
            forward: None,
            backward: Backward::LeftOut("not asked for"),
        })
        .unwrap();
        assert!(text.contains("left out: not asked for") && !text.contains("HAVE_BWD_MOVES"));
        let program = Program::new(&text, Build::Checked);
        let n_rules = game.rules().len();
        let counted = program.run(&["count", "2", "0"]);
        assert_eq!(counted, format!("0 1\n1 {n_rules}\n2 0\n"));
        let expected = match (game.goals().len(), game.rules().len()) {
            (0, _) => "unsolvable, 2 states\n",
            (_, _) if game.is_goal(&[Value(0)]) => "cost 0, 0 states cost less\n",
            _ => "unsolvable, 1 states\n",
        };
        assert_eq!(program.run(&["astar", "0"]), expected);
    }
}

/// Programs in C++ include the file directly or as C.
#[test]
fn plus_plus() {
    let Some(compiler) = compiler::plus_plus() else {
        eprintln!("SKIPPED: no C++ compiler here; set CXX");
        return;
    };
    let subject = Subject::built_in("sliding-tiles:2:3", 2);
    let start = subject.game.goal_state().unwrap();
    let text = subject.game.format_state(start.values());
    for form in [
        "#include \"game.c\"",
        "extern \"C\" {\n#include \"game.c\"\n}",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("program.cpp");
        let mut program = String::new();
        let _ = writeln!(
            program,
            "#include <cstdio>\n#include <string>\n{form}\n\
             #if !defined(psvn_toolkit_PSVN_API) || !defined(psvn2c_PSVN_API)\n\
             #error no name\n#endif\n\
             int main(int argc, char **argv)\n{{\n    \
             state_t state;\n    ruleid_iterator_t iter;\n    int n = 0;\n    \
             if (argc != 2 || read_state(argv[1], &state) < 0) {{\n        return 1;\n    }}\n    \
             state_map_t *map = new_state_map();\n    state_map_add(map, &state, 4);\n    \
             init_fwd_iter(&iter, &state);\n    \
             while (next_ruleid(&iter) >= 0) {{\n        ++n;\n    }}\n    \
             std::printf(\"%d %d\\n\", n, *state_map_get(map, &state));\n    \
             destroy_state_map(map);\n    \
             const var_t value = state.vars[0];\n    \
             if (NUMDOMAINS != 1 || var_domains[0] != 0 || domain_sizes[0] != 6\n        \
             || std::string(var_domain_names[0][value]) != \"0\"\n        \
             || std::string(name_of_domain[0]).empty()) {{\n        return 2;\n    }}\n    \
             return 0;\n}}"
        );
        std::fs::write(&source, program).unwrap();
        let flags = ["-std=c++11", "-DPSVN_AS_PSVN2C", "-O1"];
        let program = Program::compile(&compiler, &flags, &source, &subject.to_c());
        assert_eq!(program.run(&[&text]), "2 4\n");
    }
}

/// Each program also works alone.
#[test]
fn programs_by_themselves() {
    if !compiler::is_there() {
        return;
    }
    let subject = Subject::built_in("pancake:4", 2);
    let text = subject.to_c();
    for (name, arguments, last) in [
        ("count.c", &["2", "4 3 2 1"][..], "2 6"),
        ("ida.c", &["4 3 2 1", "1"], "cost 1"),
        ("astar.c", &["4 3 2 1"], "cost 1, 1 states cost less"),
        ("backward.c", &["2"], "2 6"),
    ] {
        let program = Program::of(name, &text, Build::Fast);
        let printed = program.run(arguments);
        assert_eq!(printed.lines().last(), Some(last), "{name}");
    }
}
