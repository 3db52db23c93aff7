/* All programs in one, so that a game is compiled once: the name of one, and its arguments. */
#define main main_of_count
#include "count.c"
#undef main
#define main main_of_ida
#include "ida.c"
#undef main
#define main main_of_astar
#include "astar.c"
#undef main
#define main main_of_states
#include "states.c"
#undef main
#define main main_of_parts
#include "parts.c"
#undef main
#define main main_of_map
#include "map.c"
#undef main
#ifdef HAVE_BWD_MOVES
#define main main_of_backward
#include "backward.c"
#undef main
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "count") == 0) {
        return main_of_count(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "ida") == 0) {
        return main_of_ida(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "astar") == 0) {
        return main_of_astar(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "states") == 0) {
        return main_of_states(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "parts") == 0) {
        return main_of_parts(argc - 1, argv + 1);
    }
    if (argc > 1 && strcmp(argv[1], "map") == 0) {
        return main_of_map(argc - 1, argv + 1);
    }
#ifdef HAVE_BWD_MOVES
    if (argc > 1 && strcmp(argv[1], "backward") == 0) {
        return main_of_backward(argc - 1, argv + 1);
    }
#endif
    fprintf(stderr, "usage: all count|ida|astar|states|parts|map|backward ..\n");
    return 2;
}
