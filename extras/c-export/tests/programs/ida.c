/* IDA*: `ida STATE [RADIUS]`. Prints each bound with the nodes whose estimated cost is within it,
 * and at the end the cost of a cheapest way, or `unsolvable`.
 *
 * The history prunes, since IDA* follows paths. Without a radius the estimate is 0. With one, all
 * states from which a goal can be reached at that cost or less are found beforehand by the backward
 * rules, and kept in a state map: of those the cost is known, and of others it is more. */
#include "game.c"

#ifdef HAVE_BWD_MOVES
static state_map_t *known;
#endif
static int radius;

static int ida_estimate(const state_t *state)
{
#ifdef HAVE_BWD_MOVES
    if (known != NULL) {
        const int *cost = state_map_get(known, state);
        return cost != NULL ? *cost : radius + 1;
    }
#endif
    (void) state;
    return 0;
}

#ifdef HAVE_BWD_MOVES
/* Find what each state around the goals costs. Going over all of them until nothing changes finds
 * it whatever rules cost. Return 0 if there is no memory. */
static int surround_goals(void)
{
    int changes = 1;
    known = new_state_map();
    if (known == NULL) {
        return 0;
    }
#ifdef PSVN_NUM_GOALS
    state_t goal;
    int goal_num;
    first_goal_state(&goal, &goal_num);
    do {
        if (!state_map_add(known, &goal, 0)) {
            return 0;
        }
    } while (next_goal_state(&goal, &goal_num));
#endif
    while (changes) {
        changes = 0;
        for (uint64_t i = 0; i < known->n_entries; ++i) {
            const state_t state = psvn_entry(known, i)->state;
            const int cost = psvn_entry(known, i)->value;
            ruleid_iterator_t iter;
            int rule;
            init_bwd_iter(&iter, &state);
            while ((rule = next_ruleid(&iter)) >= 0) {
                state_t before;
                const int *found;
                int total = cost + get_bwd_rule_cost(rule);
                apply_bwd_rule(rule, &state, &before);
                found = state_map_get(known, &before);
                if (total <= radius && (found == NULL || *found > total)) {
                    changes = 1;
                    if (!state_map_add(known, &before, total)) {
                        return 0;
                    }
                }
            }
        }
    }
    return 1;
}
#endif

static uint64_t n_generated;
static int next_bound;

/* Return 1 if a goal is reached. */
static int search(const state_t *state, int history, int cost, int bound)
{
    ruleid_iterator_t iter;
    int rule;
    ++n_generated;
    if (is_goal(state)) {
        return 1;
    }
    init_fwd_iter(&iter, state);
    while ((rule = next_ruleid(&iter)) >= 0) {
        state_t child;
        int child_cost = cost + get_fwd_rule_cost(rule);
        int total;
        if (!fwd_rule_valid_for_history(history, rule)) {
            continue;
        }
        apply_fwd_rule(rule, state, &child);
        total = child_cost + ida_estimate(&child);
        if (total > bound) {
            if (total < next_bound) {
                next_bound = total;
            }
        } else if (search(&child, next_fwd_history(history, rule), child_cost, bound)) {
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    state_t start;
    int found = 0;
    if (argc < 2 || argc > 3 || read_state(argv[1], &start) < 0) {
        fprintf(stderr, "usage: ida STATE [RADIUS]\n");
        return 2;
    }
    if (argc == 3) {
        radius = atoi(argv[2]);
#ifdef HAVE_BWD_MOVES
        if (!surround_goals()) {
            fprintf(stderr, "no memory\n");
            return 1;
        }
#endif
    }
    next_bound = ida_estimate(&start);
    while (!found && next_bound < INT_MAX) {
        int bound = next_bound;
        next_bound = INT_MAX;
        n_generated = 0;
        found = search(&start, init_history, 0, bound);
        if (found) {
            printf("cost %d\n", bound);
        } else {
            printf("bound %d nodes %llu\n", bound, (unsigned long long) n_generated);
        }
    }
    if (!found) {
        printf("unsolvable\n");
    }
#ifdef HAVE_BWD_MOVES
    destroy_state_map(known);
    known = NULL;
#endif
    return 0;
}
