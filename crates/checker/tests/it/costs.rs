//! Certificates of plans, of lower bounds, and that there is no plan. The comparison with the
//! verified checker is in `verified.rs` and `forgeries.rs`.

use checker::{CostCertificate, CostClaim, Limits};

/// Two lamps, each with a switch that turns it on. The second switch costs 2.
pub(crate) const LAMPS: &str = "\
psvn-certificate 1
domains 2 2
rule 1 : 0 - => 1 -
rule 2 : - 0 => - 1
goal 1 1
start 0 0
";

/// Every state that costs less than 3. A line may leave out its last values.
pub(crate) const BLIND: &str = "\
claim bound 3 by list
closed
0 '00
1 '1
2 '01
end
";

/// Each lamp has a table. They are added, since each switch is charged to one of them.
pub(crate) const ADDED: &str = "\
claim bound 3 by list
group
table
keep 1 : 0 1
charge 2 : 0
1 '0
table
keep 2 : 0 1
charge 1 : 0
2 '0
closed
end
";

pub(crate) fn verdict(text: &str) -> Result<CostClaim, String> {
    let certificate = CostCertificate::read(text.as_bytes()).map_err(|error| error.to_string())?;
    let checked = certificate.check(&Limits::default());
    checked.map_err(|failure| failure.to_string())?;
    Ok(certificate.claims(0)[0])
}

/// The verdict on the lamps with a proof in which `old` is replaced.
pub(crate) fn altered(proof: &str, old: &str, new: &str) -> Result<CostClaim, String> {
    let text = format!("{LAMPS}{proof}");
    assert!(text.contains(old), "{old}");
    verdict(&text.replacen(old, new, 1))
}

#[test]
fn plans_are_carried_out() {
    let plan = "claim plan 3\nmoves 2\n# A comment.\n\nmoves 1\nend\n";
    let same = |text: &str| altered(plan, "", text);
    assert_eq!(same(""), Ok(CostClaim::PlanCosts(3)));
    let refused = |old, new| altered(plan, old, new).unwrap_err();
    assert_eq!(
        refused("plan 3", "plan 4"),
        "line 7: the plan costs 3, not 4"
    );
    assert_eq!(
        refused("moves 1", "moves 3"),
        "line 7: move 2: there is no such rule"
    );
    assert_eq!(
        refused("moves 1", "moves 2"),
        "line 7: move 2: rule 2 doesn't apply"
    );
    assert_eq!(
        refused("moves 1\n", ""),
        "line 7: the plan doesn't lead to a goal"
    );
}

#[test]
fn bounds_are_proved_by_closed_lists() {
    for proof in [BLIND, ADDED] {
        let bound = Ok(CostClaim::CostsAtLeast(3));
        assert_eq!(altered(proof, "", ""), bound);
        // A lower bound proves less.
        let lower = Ok(CostClaim::CostsAtLeast(2));
        assert_eq!(altered(proof, "bound 3", "bound 2"), lower);
        assert!(altered(proof, "bound 3", "bound 4").is_err());
    }
}

#[test]
fn flaws_of_closed_lists_are_named() {
    let refused = |old, new| altered(BLIND, old, new).unwrap_err();
    let start = "line 7: the start isn't listed with g = 0";
    assert_eq!(refused("0 '00", "1 '00"), start);
    assert_eq!(
        refused("1 '1", "2 '1"),
        "line 9: rule 1 leads to a state that isn't listed with g <= 1, and its estimate doesn't \
         reach the bound"
    );
    assert_eq!(
        refused("2 '01", "2 '01\n2 '11"),
        "line 12: a goal with g = 2, which is below the bound"
    );
    let wide = format!("{LAMPS}{BLIND}").replace("domains 2 2", "domains 2 3");
    assert_eq!(
        verdict(&wide.replace("1 '1", "1 '1\n1 '2")).unwrap_err(),
        "line 11: the state doesn't fit the domains"
    );
}

#[test]
fn lists_ascend_and_have_values_of_variables() {
    let refused = |old, new| altered(BLIND, old, new).unwrap_err();
    let disorder = "line 11: the entries don't ascend, by the last value first";
    assert_eq!(refused("1 '1\n2 '01", "2 '01\n1 '10"), disorder);
    assert_eq!(refused("1 '1\n2 '01", "1 '1\n2 '1"), disorder);
    assert_eq!(
        refused("0 '00", "0 '00\n0 '20"),
        "line 10: no variable has the value 2"
    );
}

#[test]
fn exhausted_games_have_no_plan() {
    // The second lamp is broken.
    let broken = LAMPS.replace("=> - 1", "=> - 0");
    let all = "claim none by list\nkeep all : 0 1\nclosed\n0 '00\n0 '1\nend\n";
    let second = "claim none by list\nkeep 2 : 0 1\nclosed\n0 '0\nend\n";
    for proof in [all, second] {
        assert_eq!(verdict(&format!("{broken}{proof}")), Ok(CostClaim::NoPlan));
        let refused = verdict(&format!("{LAMPS}{proof}")).unwrap_err();
        assert!(
            refused.contains("rule 2 leads to a state that isn't listed"),
            "{refused}"
        );
    }
    let refused = |old, new| verdict(&format!("{broken}{all}").replacen(old, new, 1)).unwrap_err();
    assert_eq!(
        refused("0 '00\n0 '1\n", "0 '10\n"),
        "line 7: the start isn't listed"
    );
    assert_eq!(
        refused("0 '1\n", "0 '1\n0 '11\n"),
        "line 12: a goal is listed"
    );
    assert_eq!(
        refused("0 '1\n", ""),
        "line 10: rule 1 leads to a state that isn't listed"
    );
}

#[test]
fn flaws_of_tables_are_named() {
    let refused = |old, new| altered(ADDED, old, new).unwrap_err();
    let charges = "line 8: the tables of this group together charge more for rule 2 than it costs";
    assert_eq!(refused("charge 2 : 0", "charge 2 : 1"), charges);
    assert_eq!(refused("charge 2 : 0\n", ""), charges);
    assert_eq!(
        refused("2 '0", "3 '0"),
        "line 16: an abstract move lowers this estimate by more than its cost"
    );
    assert_eq!(
        refused("1 '0", "1 '0\n1 '1"),
        "line 13: a goal has an estimate above 0"
    );
    assert_eq!(
        refused("group\n", "group\npayers 3\n"),
        "line 8: a payer of this group isn't a variable"
    );
}

/// The moves of one lamp are paid by the value that the other one has.
#[test]
fn charges_may_depend_on_a_payer() {
    let by_payer = ADDED.replacen("group\n", "group\npayers 0 1\n", 1);
    assert!(altered(&by_payer, "", "").is_ok());
    let split = |charges| altered(&by_payer, "charge 2 : 0", charges);
    assert!(split("charge 2 : 0 0").is_ok());
    assert!(
        split("charge 2 : 0 1")
            .unwrap_err()
            .contains("charge more for rule 2")
    );
    // Where the first lamp is on, the second table is charged less, and proves less.
    let less = "charge 1 : 0\ncharge 2 : 2 1";
    let refused = altered(&by_payer, "charge 1 : 0", less).unwrap_err();
    assert!(refused.contains("lowers this estimate"), "{refused}");
}

/// How many lamps are off, weighted by cost.
const POTENTIAL: &str = "\
claim bound 3 by list
potential 0
weigh 1 : 1
weigh 2 : 2
closed
end
";

#[test]
fn potentials_are_estimates() {
    assert_eq!(altered(POTENTIAL, "", ""), Ok(CostClaim::CostsAtLeast(3)));
    let refused = |old, new| altered(POTENTIAL, old, new).unwrap_err();
    let start = "line 7: the start isn't listed with g = 0";
    assert_eq!(refused("potential 0", "potential 1"), start);
    assert_eq!(refused("weigh 1 : 1\n", ""), start);
    assert_eq!(
        refused("weigh 2 : 2", "weigh 2 : 3"),
        "line 8: rule 2 may lower this potential by 3, which is more than it costs"
    );
    assert_eq!(
        refused("weigh 1 : 1", "weigh 1 : 1 1"),
        "line 8: the sum of this potential may be 1 at a goal, which is more than its base"
    );
    // The greatest of several potentials and of the sum of tables counts.
    let small = "potential 0\nweigh 1 : 1\n";
    assert!(altered(POTENTIAL, "potential", &format!("{small}potential")).is_ok());
    assert!(altered(ADDED, "closed", &format!("{small}closed")).is_ok());
}

/// A rule that copies a value is judged by each value that it may copy.
#[test]
fn potentials_follow_copied_values() {
    let text = |weights: &str| {
        format!(
            "psvn-certificate 1\ndomains 3 3\nrule 2 : - - => x2 -\ngoal 0 -\nstart 2 0\n\
             claim bound 2 by list\npotential 0\n{weights}closed\nend\n"
        )
    };
    assert!(verdict(&text("weigh 1 : 0 1 2\n")).is_ok());
    let refused = verdict(&text("weigh 1 : 0 1 3\n")).unwrap_err();
    assert!(
        refused.contains("rule 1 may lower this potential by 3"),
        "{refused}"
    );
    // What is tested for isn't anything.
    let tested = text("weigh 1 : 0 1 3\n").replace(": - - =>", ": 1 - =>");
    assert!(verdict(&tested).is_ok());
}

#[test]
fn sums_that_no_rule_changes_prove_that_there_is_no_plan() {
    // Both lamps are switched together, from one that is on.
    let text = "psvn-certificate 1\ndomains 2 2\nrule 1 : 0 0 => 1 1\nrule 1 : 0 1 => 1 0\n\
                goal 1 1\nstart 0 1\nclaim none by sums 2\nweigh all : 0 1\nend\n";
    assert_eq!(verdict(text), Ok(CostClaim::NoPlan));
    let refused = |old, new| verdict(&text.replacen(old, new, 1)).unwrap_err();
    let changes = "line 7: rule 1 may change this sum";
    assert_eq!(refused("sums 2", "sums 3"), changes);
    assert_eq!(refused("sums 2", "sums 0"), changes);
    assert_eq!(refused("all : 0 1", "1 : 0 1"), changes);
    assert_eq!(
        refused("start 0 1", "start 0 0"),
        "line 7: a goal may have the sum of the start"
    );
    assert_eq!(
        refused("goal 1 1", "goal 1 -"),
        "line 7: a goal may have the sum of the start"
    );
}

#[test]
fn a_plan_and_a_bound_prove_a_least_cost() {
    let of = |text: &str| CostCertificate::read(text.as_bytes()).expect("readable");
    let both = format!("{LAMPS}claim plan 3\nmoves 2 1\n{BLIND}");
    let certificate = of(&both);
    let claims = [CostClaim::PlanCosts(3), CostClaim::CostsAtLeast(3)];
    assert_eq!(certificate.claims(0), claims);
    assert_eq!(certificate.least_cost(0), Some(3));
    assert_eq!(certificate.n_entries(), (3, 0));
    assert_eq!(certificate.check(&Limits::default()), Ok(()));
    // A bound that isn't met says nothing about the least cost.
    assert_eq!(of(&both.replace("bound 3", "bound 2")).least_cost(0), None);
    // Each part is checked, and a flaw names its claim.
    assert_eq!(
        verdict(&both.replace("plan 3", "plan 4")).unwrap_err(),
        "line 7: the plan costs 3, not 4"
    );
    assert_eq!(
        verdict(&both.replace("0 '00\n", "1 '00\n")).unwrap_err(),
        "line 9: the start isn't listed with g = 0"
    );
}

#[test]
fn flaws_of_games_are_named() {
    let refused = |old, new| altered(BLIND, old, new).unwrap_err();
    assert_eq!(
        refused("start 0 0", "start 0 2"),
        "line 6: the state doesn't fit the domains"
    );
    assert_eq!(
        refused("goal 1 1", "goal 1"),
        "line 5: a vector has 1 entries, and there are 2 variables"
    );
    assert_eq!(
        refused("=> 1 -", "=> 1 x3"),
        "line 3: the action at position 2 has an unknown that no precondition has"
    );
    assert_eq!(
        refused("=> 1 -", "=> 2 -"),
        "line 3: the action at position 1 may give a value outside the domain"
    );
}

#[test]
fn unreadable_texts_are_errors_with_their_line() {
    let refused = |old, new| altered(ADDED, old, new).unwrap_err();
    for (old, new, error) in [
        (
            "certificate 1",
            "certificate 2",
            "line 2: expected version 1",
        ),
        ("domains", "domain", "line 2: expected `domains`"),
        ("rule 1 :", "rule 1", "line 3: expected `:`"),
        ("rule 1", "rule", "line 3: expected one number before `:`"),
        (
            "rule 1",
            "rule 0000000001",
            "line 3: not a number up to 999999999: 0000000001",
        ),
        ("=> 1 -", "=> 1 x0", "line 3: expected a number from 1 on"),
        ("by list", "by heart", "line 7: unknown claim"),
        ("keep 1", "keep 3", "line 10: expected a number up to 2"),
        (
            "1 '0",
            "1 '0A",
            "line 12: not a word of digits and small letters",
        ),
        ("1 '0", "1 '", "line 12: expected 1 values"),
        ("closed", "close", "line 17: expected `closed`"),
        ("end", "end\nend", "line 19: something follows `end`"),
        (
            "end",
            "",
            "line 17: expected `end`, or a line that may stand here",
        ),
    ] {
        assert_eq!(refused(old, new), error, "{old} -> {new}");
    }
    let refused = |old, new| altered(POTENTIAL, old, new).unwrap_err();
    let stray = "line 8: expected `closed`";
    assert_eq!(refused("potential 0", "potential"), stray);
    assert_eq!(refused("potential 0", "potential 0 0"), stray);
    let error = "line 9: expected a number up to 2";
    assert_eq!(refused("weigh 1", "weigh 3"), error);
}

#[test]
fn each_start_has_its_own_claims() {
    let second = "start 1 0\nclaim bound 2 by list\nheuristic as before\nclosed\nend\n";
    let both = format!("{LAMPS}claim plan 3\nmoves 2 1\n{ADDED}").replace("end\n", second);
    let certificate = CostCertificate::read(both.as_bytes()).expect("readable");
    let starts: Vec<_> = certificate.starts().collect();
    assert_eq!(starts, [[0, 0], [1, 0]]);
    assert_eq!(certificate.least_cost(0), Some(3));
    assert_eq!(certificate.claims(1), [CostClaim::CostsAtLeast(2)]);
    assert_eq!(certificate.least_cost(1), None);
    // The tables are there once.
    assert_eq!(certificate.n_entries(), (0, 2));
    assert_eq!(certificate.check(&Limits::default()), Ok(()));
    // The estimate proves it alone.
    let refused = verdict(&both.replace("heuristic as before\n", "")).unwrap_err();
    assert_eq!(refused, "line 21: the start isn't listed with g = 0");
    let refused = verdict(&both.replace("start 1 0", "start 2 0")).unwrap_err();
    assert_eq!(refused, "line 20: the state doesn't fit the domains");
}
