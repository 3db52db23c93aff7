/// All goal states: those of each condition one after the other, the last free variable varying
/// fastest. One that satisfies several conditions comes once for each.
#[derive(Clone, Debug)]
pub struct GoalStates {
    next: State,
    goal: usize,
}

/// All goal states.
pub fn goal_states() -> GoalStates {
    let vars = [0; NUM_VARIABLES];
    let mut states = GoalStates {
        next: State { vars },
        goal: 0,
    };
    states.bind();
    states
}

impl GoalStates {
    /// Set what the condition says of a state whose free variables are set.
    fn bind(&mut self) {
        let Some(goal) = GOALS.get(self.goal) else {
            return;
        };
        for (variable, entry) in goal.iter().enumerate() {
            self.next.vars[variable] = match usize::try_from(-1 - entry) {
                Ok(source) => self.next.vars[source],
                Err(_) => *entry as Value,
            };
        }
    }

    /// Go on to the next state of the condition, or to the first one of the next condition.
    fn step(&mut self) {
        for variable in (0..NUM_VARIABLES).rev() {
            if GOALS[self.goal][variable] != -1 - variable as i64 {
                continue;
            }
            if (self.next.vars[variable] as usize) + 1 < DOMAIN_VALUES[DOMAIN_OF[variable]].len() {
                self.next.vars[variable] += 1;
                self.bind();
                return;
            }
            self.next.vars[variable] = 0;
        }
        self.goal += 1;
        self.next.vars = [0; NUM_VARIABLES];
        self.bind();
    }
}

impl Iterator for GoalStates {
    type Item = State;

    fn next(&mut self) -> Option<State> {
        GOALS.get(self.goal)?;
        let state = self.next;
        self.step();
        Some(state)
    }
}
