/* Try state maps, abstractions and histories: `parts FOLDER STATE`. Files are written to the
 * folder: `map` and `abstraction` stay there. */
#include "game.c"

#define CHECK_PART(condition)                                                      \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

/* Put the states around a state into a map, so many of them, with numbers as values. */
static void fill(state_map_t *map, const state_t *start, uint64_t most)
{
    CHECK_PART(state_map_add(map, start, 0));
    for (uint64_t i = 0; i < map->n_entries && map->n_entries < most; ++i) {
        const state_t state = psvn_entry(map, i)->state;
        ruleid_iterator_t iter;
        int rule;
        init_fwd_iter(&iter, &state);
        while ((rule = next_ruleid(&iter)) >= 0) {
            state_t child;
            apply_fwd_rule(rule, &state, &child);
            if (state_map_get(map, &child) == NULL) {
                CHECK_PART(state_map_add(map, &child, (int) map->n_entries));
            }
        }
    }
}

static void try_maps(const char *path, const state_t *start)
{
    state_map_t *map = new_state_map();
    state_map_t *again;
    const int *first;
    FILE *file;
    CHECK_PART(map != NULL && state_map_get(map, start) == NULL);
    CHECK_PART(state_map_add(map, start, 7));
    first = state_map_get(map, start);
    CHECK_PART(first != NULL && *first == 7);
    fill(map, start, 5000);
    /* Replaced, and in the same place still. */
    CHECK_PART(state_map_get(map, start) == first && *first == 0);
    file = fopen(path, "wb+");
    CHECK_PART(file != NULL && write_state_map(file, map));
    rewind(file);
    again = read_state_map(file);
    CHECK_PART(again != NULL && again->n_entries == map->n_entries);
    for (uint64_t i = 0; i < map->n_entries; ++i) {
        const int *value = state_map_get(again, &psvn_entry(map, i)->state);
        CHECK_PART(value != NULL && *value == (int) i);
    }
    /* A file that has ended, and a title of another game, are refused. */
    CHECK_PART(read_state_map(file) == NULL);
    rewind(file);
    CHECK_PART(fputc('P', file) == 'P');
    rewind(file);
    CHECK_PART(read_state_map(file) == NULL);
    rewind(file);
    CHECK_PART(fputc('p', file) == 'p');
    fclose(file);
    printf("%llu states\n", (unsigned long long) map->n_entries);
    destroy_state_map(again);
    destroy_state_map(map);
    destroy_state_map(NULL);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK_PART(file != NULL && fputs(text, file) >= 0);
    fclose(file);
}

/* All values of all domains become the first one; the last variable is projected away. */
static void try_abstractions(const char *path, const state_t *start)
{
    FILE *file;
    abstraction_t *abstraction;
    state_t image;
    CHECK_PART(read_abstraction_from_file("/nowhere/at/all") == NULL);
    write_file(path, "abstraction { projection { K P");
    CHECK_PART(read_abstraction_from_file(path) == NULL);
    write_file(path, "abstraction { no_such_domain { } }");
    CHECK_PART(read_abstraction_from_file(path) == NULL);
    write_file(path, "# nothing\nABSTRACTION{}");
    abstraction = read_abstraction_from_file(path);
    CHECK_PART(abstraction != NULL);
    abstract_state(abstraction, start, &image);
    CHECK_PART(compare_states(start, &image) == 0);
    destroy_abstraction(abstraction);
    file = fopen(path, "w");
    CHECK_PART(file != NULL);
    fprintf(file, "; values\nabstraction {\n");
    for (int domain = 0; domain < PSVN_NUM_DOMAINS; ++domain) {
        fprintf(file, "%s{", psvn_domain_names[domain]);
        for (int value = 0; value < psvn_domain_sizes[domain]; ++value) {
            fprintf(file, " %s", psvn_domain_values[domain][0]);
        }
        fprintf(file, " }\n");
    }
    fprintf(file, "projection {");
    for (int i = 0; i < NUMVARS; ++i) {
        fprintf(file, " %s", i + 1 < NUMVARS ? "K" : "p");
    }
    fprintf(file, " } }\n");
    fclose(file);
    abstraction = read_abstraction_from_file(path);
    CHECK_PART(abstraction != NULL);
    abstract_state(abstraction, start, &image);
    for (int i = 0; i < NUMVARS; ++i) {
        CHECK_PART(image.vars[i] == 0);
    }
    print_abstraction(abstraction);
    destroy_abstraction(abstraction);
}

/* Walk, and forget the path wherever a rule isn't valid. */
static void try_histories(const state_t *start)
{
    state_t state = *start;
    int history = init_history;
    uint64_t random = 12345;
    int n_invalid = 0;
    for (int step = 0; step < 2000; ++step) {
        int rules[max_fwd_children + 1];
        int n = 0;
        ruleid_iterator_t iter;
        int rule;
        state_t child;
        init_fwd_iter(&iter, &state);
        while ((rule = next_ruleid(&iter)) >= 0) {
            rules[n++] = rule;
        }
        if (n == 0) {
            break;
        }
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        rule = rules[(random >> 33) % (uint64_t) n];
        n_invalid += !fwd_rule_valid_for_history(history, rule);
        history = next_fwd_history(history, rule);
        CHECK_PART(history >= 0);
        apply_fwd_rule(rule, &state, &child);
        state = child;
    }
    printf("%s\n", n_invalid > 0 ? "some steps are invalid" : "all steps are valid");
#ifdef HAVE_BWD_MOVES
    for (int rule = 0; rule < num_bwd_rules; ++rule) {
        CHECK_PART(next_bwd_history(init_history, rule) >= 0);
        (void) bwd_rule_valid_for_history(init_history, rule);
    }
#endif
}

int main(int argc, char **argv)
{
    char path[4096];
    state_t start;
    if (argc != 3 || strlen(argv[1]) > 4000 || read_state(argv[2], &start) < 0) {
        fprintf(stderr, "usage: parts FOLDER STATE\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/map", argv[1]);
    try_maps(path, &start);
    snprintf(path, sizeof path, "%s/abstraction", argv[1]);
    try_abstractions(path, &start);
    try_histories(&start);
    return 0;
}
