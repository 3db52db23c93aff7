/* Read a state map, whichever language wrote it: `map FILE`. Prints the number of states and the
 * sum of their values. */
#include "game.c"

int main(int argc, char **argv)
{
    state_map_t *map = NULL;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    uint64_t sum = 0;
    if (file != NULL) {
        map = read_state_map(file);
        fclose(file);
    }
    if (map == NULL) {
        fprintf(stderr, "usage: map FILE\n");
        return 2;
    }
    for (uint64_t i = 0; i < map->n_entries; ++i) {
        sum += (uint64_t) psvn_entry(map, i)->value;
    }
    printf("%llu states, sum %llu\n", (unsigned long long) map->n_entries,
           (unsigned long long) sum);
    destroy_state_map(map);
    return 0;
}
