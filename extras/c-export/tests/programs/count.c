/* Count the tree of rule sequences by depth: `count DEPTH STATE`.
 *
 * Each sequence that the history allows is a node of its own. */
#include "game.c"

static uint64_t n_nodes[256];

static void count(const state_t *state, int history, int depth, int most)
{
    ruleid_iterator_t iter;
    int rule;
    ++n_nodes[depth];
    if (depth == most) {
        return;
    }
    init_fwd_iter(&iter, state);
    while ((rule = next_ruleid(&iter)) >= 0) {
        if (!fwd_rule_valid_for_history(history, rule)) {
            continue;
        }
        if (depth + 1 == most) {
            /* Nobody looks at the states of the last depth. */
            ++n_nodes[most];
        } else {
            state_t child;
            apply_fwd_rule(rule, state, &child);
            count(&child, next_fwd_history(history, rule), depth + 1, most);
        }
    }
}

int main(int argc, char **argv)
{
    state_t start;
    int most = argc == 3 ? atoi(argv[1]) : -1;
    if (most < 0 || most > 255 || read_state(argv[2], &start) < 0) {
        fprintf(stderr, "usage: count DEPTH STATE\n");
        return 2;
    }
    memset(n_nodes, 0, sizeof n_nodes);
    count(&start, init_history, 0, most);
    for (int depth = 0; depth <= most; ++depth) {
        printf("%d %llu\n", depth, (unsigned long long) n_nodes[depth]);
    }
    return 0;
}
