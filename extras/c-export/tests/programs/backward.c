/* Count the tree of backward rules from the first goal state: `backward DEPTH`. */
#include "game.c"

static uint64_t n_before[256];

static void count_back(const state_t *state, int history, int depth, int most)
{
    ruleid_iterator_t iter;
    int rule;
    ++n_before[depth];
    if (depth == most) {
        return;
    }
    init_bwd_iter(&iter, state);
    while ((rule = next_ruleid(&iter)) >= 0) {
        if (bwd_rule_valid_for_history(history, rule)) {
            state_t before;
            apply_bwd_rule(rule, state, &before);
            count_back(&before, next_bwd_history(history, rule), depth + 1, most);
        }
    }
}

int main(int argc, char **argv)
{
    state_t goal;
    int goal_num;
    int most = argc == 2 ? atoi(argv[1]) : -1;
    if (most < 0 || most > 255) {
        fprintf(stderr, "usage: backward DEPTH\n");
        return 2;
    }
    memset(n_before, 0, sizeof n_before);
    first_goal_state(&goal, &goal_num);
    count_back(&goal, init_history, 0, most);
    for (int depth = 0; depth <= most; ++depth) {
        printf("%d %llu\n", depth, (unsigned long long) n_before[depth]);
    }
    return 0;
}
