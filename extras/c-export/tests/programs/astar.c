/* A* with the estimate 0: `astar STATE`. Prints the cost of a cheapest way, or `unsolvable`, and the
 * number of states that cost less to reach.
 *
 * It merges paths that lead to one state, so the history must not prune here. */
#include "game.c"

/* A heap of states by their costs. */
typedef struct {
    state_t state;
    int cost;
} astar_node_t;

static astar_node_t *heap;
static size_t n_heap;
static size_t heap_room;

static int push(const state_t *state, int cost)
{
    size_t place = n_heap;
    if (n_heap == heap_room) {
        size_t room = heap_room == 0 ? 1024 : 2 * heap_room;
        astar_node_t *larger = (astar_node_t *) realloc(heap, room * sizeof *heap);
        if (larger == NULL) {
            return 0;
        }
        heap = larger;
        heap_room = room;
    }
    ++n_heap;
    while (place > 0 && heap[(place - 1) / 2].cost > cost) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place].state = *state;
    heap[place].cost = cost;
    return 1;
}

static astar_node_t pop(void)
{
    const astar_node_t first = heap[0];
    const astar_node_t last = heap[--n_heap];
    size_t place = 0;
    while (2 * place + 1 < n_heap) {
        size_t child = 2 * place + 1;
        if (child + 1 < n_heap && heap[child + 1].cost < heap[child].cost) {
            ++child;
        }
        if (heap[child].cost >= last.cost) {
            break;
        }
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = last;
    return first;
}

int main(int argc, char **argv)
{
    state_t start;
    state_map_t *costs;
    uint64_t n_cheaper = 0;
    int found = -1;
    if (argc != 2 || read_state(argv[1], &start) < 0) {
        fprintf(stderr, "usage: astar STATE\n");
        return 2;
    }
    costs = new_state_map();
    if (costs == NULL || !state_map_add(costs, &start, 0) || !push(&start, 0)) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    while (n_heap > 0) {
        const astar_node_t node = pop();
        ruleid_iterator_t iter;
        int rule;
        if (node.cost > *state_map_get(costs, &node.state)) {
            continue;
        }
        if (is_goal(&node.state)) {
            found = node.cost;
            break;
        }
        init_fwd_iter(&iter, &node.state);
        while ((rule = next_ruleid(&iter)) >= 0) {
            state_t child;
            const int *before;
            int cost = node.cost + get_fwd_rule_cost(rule);
            apply_fwd_rule(rule, &node.state, &child);
            before = state_map_get(costs, &child);
            if (before != NULL && *before <= cost) {
                continue;
            }
            if (!state_map_add(costs, &child, cost) || !push(&child, cost)) {
                fprintf(stderr, "no memory\n");
                return 1;
            }
        }
    }
    for (uint64_t i = 0; i < costs->n_entries; ++i) {
        n_cheaper += found < 0 || psvn_entry(costs, i)->value < found;
    }
    if (found < 0) {
        printf("unsolvable, %llu states\n", (unsigned long long) n_cheaper);
    } else {
        printf("cost %d, %llu states cost less\n", found, (unsigned long long) n_cheaper);
    }
    destroy_state_map(costs);
    free(heap);
    heap = NULL;
    n_heap = heap_room = 0;
    return 0;
}
