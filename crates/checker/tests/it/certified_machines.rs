//! Certificates of machines, and of lower bounds by a search along the words that one allows.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use checker::{CostCertificate, CostClaim, CostFailure, Limits, StopReason};

use crate::costs::{LAMPS, altered, verdict};

/// The switches commute, and no switch can be used twice. The machine remembers whether the second
/// one was the last.
const MACHINE: &str = "\
claim machine
word 2 1 = 1 2
state 1 2
state 0 2
end
";

/// A potential that isn't exact, so that the search has something to do.
const SEARCH: &str = "\
claim bound 3 by search
potential 0
weigh 1 : 1
word 2 1 = 1 2
state 1 2
state 0 2
end
";

#[test]
fn machines_forbid_redundant_words() {
    assert_eq!(altered(MACHINE, "", ""), Ok(CostClaim::Machine));
    let refused = |old, new| altered(MACHINE, old, new).unwrap_err();
    assert_eq!(
        refused("2 1 = 1 2", "1 2 = 2 1"),
        "line 8: the replacement doesn't come before the word"
    );
    assert_eq!(
        refused("2 1 = 1 2", "1 2 2 = 2"),
        "line 8: no state allows the word"
    );
    assert_eq!(refused("= 1 2", "= 1 3"), "line 8: there is no rule 3");
    let elsewhere = "line 8: the replacement doesn't always lead where the word leads";
    assert_eq!(refused("= 1 2", "="), elsewhere);
    assert_eq!(refused("= 1 2", "= 1 1"), elsewhere);
    assert_eq!(
        refused("word 2 1 = 1 2\n", ""),
        "line 7: the machine forbids the word 2 1, which has no listed part"
    );
    assert_eq!(
        refused("state 0 2", "state 1 2"),
        "line 7: the machine allows the word 2 1, which has a listed part"
    );
    // In a state without a row nothing is allowed.
    assert_eq!(
        refused("state 0 2\n", ""),
        "line 7: the machine forbids the word 2 2, which has no listed part"
    );
    assert_eq!(
        refused("word 2", "word 0"),
        "line 8: expected a number from 1 on"
    );
    assert_eq!(refused("1 = 1 2", "1 1 2"), "line 8: expected `=`");
}

#[test]
fn replacements_cost_no_more() {
    let costly = LAMPS.replace("goal", "rule 3 : 0 0 => 1 0\ngoal");
    let machine = "claim machine\nword 3 = 1\nstate 1 1 0\nend\n";
    assert!(verdict(&format!("{costly}{machine}")).is_ok());
    let cheap = costly.replace("rule 3", "rule 0");
    assert_eq!(
        verdict(&format!("{cheap}{machine}")).unwrap_err(),
        "line 9: the replacement costs more than the word"
    );
}

#[test]
fn bounds_are_proved_by_searches() {
    assert_eq!(altered(SEARCH, "", ""), Ok(CostClaim::CostsAtLeast(3)));
    let refused = |old, new| altered(SEARCH, old, new).unwrap_err();
    assert_eq!(
        refused("bound 3", "bound 4"),
        "line 7: the search finds a goal with g = 3, which is below the bound"
    );
    // In a search a machine may allow more than it must.
    assert!(altered(SEARCH, "state 0 2", "state 1 2").is_ok());
    assert!(altered(SEARCH, "state 0 2\n", "state 2 2\n").is_ok());
    assert_eq!(
        refused("state 1 2", "state 0 2"),
        "line 7: the machine forbids the word 1, which has no listed part"
    );
    assert_eq!(
        refused("word 2 1 = 1 2\n", ""),
        "line 7: the machine forbids the word 2 1, which has no listed part"
    );
    // After a word with a listed part, too.
    assert_eq!(
        refused("state 0 2", "state 3 2\nstate 0 0"),
        "line 7: the machine forbids the word 2 1 1, which has no listed part"
    );
    assert_eq!(
        refused("weigh 1 : 1", "weigh 1 : 2"),
        "line 8: rule 1 may lower this potential by 2, which is more than it costs"
    );
}

/// A table is asked again if a move changes one of its variables, whichever that is.
#[test]
fn searches_follow_tables() {
    let text = "psvn-certificate 1\ndomains 3 3\nrule 1 : 0 0 => 1 1\nrule 1 : 1 1 => 2 2\n\
                goal 2 2\nstart 0 0\nclaim bound 2 by search\ngroup\ntable\nkeep 2 : 0 1 2\n\
                2 '0\n1 '1\nstate 1 1\nend\n";
    for table in [text.to_owned(), text.replace("keep 2", "keep 1")] {
        assert_eq!(verdict(&table), Ok(CostClaim::CostsAtLeast(2)));
        assert_eq!(
            verdict(&table.replace("bound 2", "bound 3")).unwrap_err(),
            "line 7: the search finds a goal with g = 2, which is below the bound"
        );
    }
}

#[test]
fn a_search_without_end_is_refused() {
    let free = LAMPS.replace("rule 2 : - 0 => - 1", "rule 0 : - x2 => - x2");
    let refused = verdict(&format!("{free}{}", SEARCH.replace("word 2 1 = 1 2\n", "")));
    assert!(refused.unwrap_err().contains("no listed part"));
    let all = "claim bound 3 by search\nstate 1 1\nend\n";
    assert_eq!(
        verdict(&format!("{free}{all}")).unwrap_err(),
        "line 7: the search goes deeper than 50000 moves"
    );
}

/// A token on one of three places, a variable for each place. That the next place is free isn't
/// tested.
const TOKEN: &str = "\
psvn-certificate 1
domains 2 2 2
rule 1 : 1 - - => 0 1 -
rule 1 : - 1 - => - 0 1
rule 1 : 1 - - => 0 - 1
goal 0 0 1
start 1 0 0
claim bound 1 by search
invariant 1
weigh all : 0 1
word 1 2 = 3
state 2 1 1
state 2 0 1
end
";

#[test]
fn words_may_be_redundant_by_invariants() {
    assert_eq!(verdict(TOKEN), Ok(CostClaim::CostsAtLeast(1)));
    let refused = |old, new| verdict(&TOKEN.replacen(old, new, 1)).unwrap_err();
    // Without the invariant the second place may have been taken before.
    let elsewhere = "the replacement doesn't always lead where the word leads";
    let none = "invariant 1\nweigh all : 0 1\n";
    assert_eq!(refused(none, ""), format!("line 9: {elsewhere}"));
    assert_eq!(
        refused("invariant 1", "invariant 2"),
        "line 9: rule 1 may change this sum"
    );
    assert_eq!(
        refused("weigh all", "weigh 1 2"),
        "line 9: rule 2 may change this sum"
    );
    let empty = "invariant 0\nweigh all :\n";
    assert_eq!(refused(none, empty), format!("line 11: {elsewhere}"));
    assert_eq!(
        refused("start 1 0 0", "start 1 0 1"),
        "line 9: the start has another sum than this invariant"
    );
    // A machine is claimed for all states with the invariants, whatever the start is.
    let machine = TOKEN.replace("claim bound 1 by search", "claim machine");
    assert_eq!(verdict(&machine), Ok(CostClaim::Machine));
    assert!(verdict(&machine.replace("start 1 0 0", "start 1 0 1")).is_ok());
}

#[test]
fn searches_can_be_interrupted() {
    let certificate = CostCertificate::read(format!("{LAMPS}{SEARCH}").as_bytes());
    let limits = Limits {
        interrupt: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    let checked = certificate.expect("readable").check(&limits);
    assert_eq!(checked, Err(CostFailure::Stopped(StopReason::Interrupted)));
}
