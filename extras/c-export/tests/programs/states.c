/* Say all that there is to say about the states on standard input, one a line, and about the goals:
 * `states [most goals]`. On the way, all functions that say the same in two ways are compared. */
#include "game.c"

#define CHECK(condition)                                                           \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

/* Text, raw form, copies and hashes give the same state again. */
static void check_forms(const state_t *state)
{
    char text[1 << 16];
    char shorter[1 << 16];
    state_t other;
    ssize_t length = sprint_state(text, sizeof text, state);
    FILE *file;
    CHECK(length > 0 && strlen(text) == (size_t) length);
    CHECK(sprint_state(shorter, (size_t) length, state) == -1);
    CHECK(sprint_state(shorter, (size_t) length + 1, state) == length);
    CHECK(read_state(text, &other) == length && compare_states(state, &other) == 0);
    CHECK(hash_state(state) == hash_state(&other));
    /* A blank behind it may be there; a part of it is no state. */
    text[length] = ' ';
    text[length + 1] = '\0';
    CHECK(read_state(text, &other) == length);
    CHECK(read_state("", &other) == -1);
    file = tmpfile();
    CHECK(file != NULL);
    CHECK(dump_state(file, state) == 1);
    rewind(file);
    memset(&other, 0, sizeof other);
    CHECK(load_state(file, &other) == 1 && compare_states(state, &other) == 0);
    CHECK(load_state(file, &other) == 0);
    fclose(file);
    memset(&other, 0, sizeof other);
    copy_state(&other, state);
    CHECK(compare_states(&other, state) == 0);
}

static void show_child(char direction, int rule, int cost, const char *label, const state_t *child)
{
    printf("%c %d %d %s ", direction, rule, cost, label);
    CHECK(print_state(stdout, child) > 0);
    printf("\n");
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    long most_goals = argc > 1 ? atol(argv[1]) : 1000;
    printf("%d forward rules, costs %d to %d\n", num_fwd_rules, cost_of_cheapest_fwd_rule,
           cost_of_costliest_fwd_rule);
#ifdef HAVE_BWD_MOVES
    printf("%d backward rules, costs %d to %d\n", num_bwd_rules, cost_of_cheapest_bwd_rule,
           cost_of_costliest_bwd_rule);
#endif
    while (fgets(line, sizeof line, stdin) != NULL) {
        state_t state;
        state_t child;
        ruleid_iterator_t iter;
        int rule;
        int n = 0;
        CHECK(read_state(line, &state) > 0);
        check_forms(&state);
        printf("s %d ", is_goal(&state));
        print_state(stdout, &state);
        printf("\n");
        init_fwd_iter(&iter, &state);
        while ((rule = next_ruleid(&iter)) >= 0) {
            state_t itself = state;
            apply_fwd_rule(rule, &state, &child);
            apply_fwd_rule(rule, &itself, &itself);
            CHECK(compare_states(&itself, &child) == 0);
            show_child('f', rule, get_fwd_rule_cost(rule), get_fwd_rule_label(rule), &child);
            ++n;
        }
        CHECK(next_ruleid(&iter) == -1);
        CHECK(n <= max_fwd_children);
#ifdef HAVE_BWD_MOVES
        n = 0;
        init_bwd_iter(&iter, &state);
        while ((rule = next_ruleid(&iter)) >= 0) {
            apply_bwd_rule(rule, &state, &child);
            show_child('b', rule, get_bwd_rule_cost(rule), get_bwd_rule_label(rule), &child);
            ++n;
        }
        CHECK(n <= max_bwd_children);
#endif
    }
#ifdef PSVN_NUM_GOALS
    {
        state_t goal;
        int goal_num;
        int is_there = 1;
        first_goal_state(&goal, &goal_num);
        for (long i = 0; i < most_goals && is_there; ++i) {
            CHECK(is_goal(&goal));
            printf("g ");
            print_state(stdout, &goal);
            printf("\n");
            is_there = next_goal_state(&goal, &goal_num);
        }
    }
#endif
    (void) most_goals;
    return 0;
}
