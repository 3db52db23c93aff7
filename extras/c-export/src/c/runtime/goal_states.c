/* Set the variables of a state that a goal condition fixes. Its free variables are set already. */
static inline void psvn_bind_goal(state_t *state, int goal)
{
    for (int i = 0; i < NUMVARS; ++i) {
        int32_t entry = psvn_goals[goal][i];
        state->vars[i] = entry >= 0 ? (psvn_value_t) entry : state->vars[-1 - entry];
    }
}

/* Set the first goal state. The number says which condition is listed; leave it to
 * next_goal_state. */
static inline void first_goal_state(state_t *state, int *goal_num)
{
    *goal_num = 0;
    memset(state->vars, 0, sizeof state->vars);
    psvn_bind_goal(state, 0);
}

/* Set the goal state after this one, or return 0 if it was the last. The states of each condition
 * come one after the other, the last free variable varying fastest; one that satisfies several
 * conditions comes once for each. */
static inline int next_goal_state(state_t *state, int *goal_num)
{
    for (int i = NUMVARS - 1; i >= 0; --i) {
        if (psvn_goals[*goal_num][i] != -1 - i) {
            continue;
        }
        if (state->vars[i] + 1 < psvn_domain_sizes[psvn_domain_of[i]]) {
            ++state->vars[i];
            psvn_bind_goal(state, *goal_num);
            return 1;
        }
        state->vars[i] = 0;
    }
    if (*goal_num + 1 >= PSVN_NUM_GOALS) {
        return 0;
    }
    ++*goal_num;
    memset(state->vars, 0, sizeof state->vars);
    psvn_bind_goal(state, *goal_num);
    return 1;
}

