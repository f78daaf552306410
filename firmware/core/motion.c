/* How the arm moves: a minimum-jerk way out and back, one step for each frame of the servo. */
#include "inside.h"

/* 10x^3 - 15x^4 + 6x^5 at x = i/64, in 1/32768. A polynomial in this arithmetic is not monotone. */
static const IN_FLASH uint16_t MIN_JERK[65] = {
    0, 1, 10, 31, 73, 139, 233, 361, 526, 730,
    975, 1264, 1598, 1977, 2403, 2875, 3392, 3954, 4561, 5209,
    5898, 6626, 7391, 8189, 9018, 9875, 10758, 11662, 12584, 13521,
    14469, 15425, 16384, 17343, 18299, 19247, 20184, 21106, 22010, 22893,
    23750, 24579, 25377, 26142, 26870, 27559, 28207, 28814, 29376, 29893,
    30365, 30791, 31170, 31504, 31793, 32038, 32242, 32407, 32535, 32629,
    32695, 32737, 32758, 32767, 32768
};

uint16_t pusher_way(uint16_t amplitude, uint16_t t_ms, uint16_t total_ms) {
    if (t_ms >= total_ms) {
        return amplitude;
    }
    uint16_t place = (uint16_t)(((uint32_t)t_ms << 14) / total_ms); /* 64 pieces of 256 */
    uint8_t piece = (uint8_t)(place >> 8);
    uint16_t low = MIN_JERK[piece];
    uint16_t step = (uint16_t)(MIN_JERK[piece + 1] - low);
    uint16_t share = (uint16_t)(low + (((uint32_t)step * (place & 255)) >> 8));
    return (uint16_t)(((uint32_t)amplitude * share + 16384) >> 15);
}

static uint16_t within(uint16_t low, uint16_t value, uint16_t high) {
    if (value < low) {
        return low;
    }
    return value > high ? high : value;
}

/* What the servo shall do in this frame, behind a clamp and a slew limit of its own. */
void motion_step(struct pusher *p) {
    uint16_t wanted = 0;
    if (p->state == PUSHER_OUT) {
        wanted = pusher_way(p->from_half_us, p->state_ms, p->out_ms);
    } else if (p->state == PUSHER_HOLD) {
        wanted = p->from_half_us;
    } else if (p->state == PUSHER_BACK) {
        wanted = (uint16_t)(p->from_half_us -
                            pusher_way(p->from_half_us, p->state_ms, p->back_ms));
    }
    p->pos_half_us = wanted;
    const uint16_t slew = 2 * PUSHER_SLEW_US, was = p->pulse_half_us;
    uint16_t pulse = (uint16_t)(2 * PUSHER_REST_US + wanted);
    pulse = within((uint16_t)(was - slew), pulse, (uint16_t)(was + slew));
    p->pulse_half_us = within(2 * PUSHER_PULSE_MIN_US, pulse, 2 * PUSHER_PULSE_MAX_US);
}

uint16_t pusher_pulse(const struct pusher *p) {
    return powered(p) ? p->pulse_half_us : 0;
}
