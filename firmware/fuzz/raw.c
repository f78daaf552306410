/* Any bytes at all on the line, with hands that move now and then. */
#include "world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct world w;
    world_init(&w, size & 1);
    w.raw = INPUT_ESTOP_CLOSED;
    world_run(&w, 5);
    for (size_t i = 0; i < size; i += 16) {
        w.raw = (uint8_t)(INPUT_ESTOP_CLOSED | (i / 16 & 1));
        world_put(&w, data + i, size - i < 16 ? size - i : 16);
        world_run(&w, 4);
    }
    return 0;
}
