/* The states, and what leads from one to the next; section 4 of protocol.md. */
#include <string.h>

#include "inside.h"

#define DEBOUNCE 3

static void enter(struct pusher *p, uint8_t state) {
    if (moving(p) && (state == PUSHER_ESTOP || state == PUSHER_AWAY)) {
        p->away = true; /* the power goes, and the arm stays where it is */
    }
    p->state = state;
    p->state_ms = 0;
    if (state == PUSHER_SAFE) {
        p->pos_half_us = 0;
    }
    if (state >= PUSHER_ESTOP) {
        p->seen_off = !switch_on(p);
    }
    event_state(p);
}

/* Back smoothly from where it is. */
static void go_back(struct pusher *p) {
    p->from_half_us = p->pos_half_us;
    enter(p, PUSHER_BACK);
}

/* ---- what a host asks ------------------------------------------------------------------- */

/* Give up what is going on: DISARM, and a new session. */
void state_give_up(struct pusher *p) {
    if (p->state == PUSHER_ARMED) {
        enter(p, PUSHER_SAFE);
    } else if (p->state == PUSHER_OUT || p->state == PUSHER_HOLD) {
        go_back(p);
    }
}

void state_stop(struct pusher *p) {
    p->stop_asked = 0;
    if (p->state != PUSHER_ESTOP) {
        p->fault = FAULT_NONE;
        enter(p, PUSHER_ESTOP);
    }
}

/* What the real-time bytes and the stop button asked for since. */
void state_hear_requests(struct pusher *p) {
    if (p->stop_asked != 0) {
        state_stop(p);
    }
    if (p->status_asked != 0) {
        p->status_asked = 0;
        if (frame_may_complain(p)) {
            event_state(p);
        }
    }
}

static uint16_t xorshift(uint16_t x) {
    x ^= (uint16_t)(x << 7);
    x ^= (uint16_t)(x >> 9);
    return (uint16_t)(x ^ x << 8);
}

/* Stirred by the moment, once: an xorshift gives every other number but 0 before one comes again,
 * so that a second round never gives what the first did. */
uint16_t pusher_token(uint16_t random, uint16_t ms, uint16_t before) {
    random ^= ms;
    uint16_t token = xorshift(random != 0 ? random : 0x5929);
    return token != before ? token : xorshift(token);
}

uint8_t state_arm(struct pusher *p) {
    if (p->state == PUSHER_AWAY) {
        return ARM_AWAY;
    }
    if (p->state != PUSHER_SAFE) {
        return STATE;
    }
    if (!estop_closed(p)) {
        return ESTOP_OPEN;
    }
    if (!switch_on(p) || !p->seen_off) {
        return SWITCH;
    }
    p->token = p->random = pusher_token(p->random, (uint16_t)p->ms, p->token);
    p->seen_off = false;
    p->fault = FAULT_NONE;
    p->frame_ms = 0;
    p->pulse_half_us = 2 * PUSHER_REST_US;
    enter(p, PUSHER_ARMED);
    return DONE;
}

static bool time_in_limits(uint16_t amp_us, uint16_t t_ms) {
    return t_ms >= PUSHER_TIME_MIN_MS && t_ms <= PUSHER_TIME_MAX_MS &&
           1875UL * amp_us <= 1UL * PUSHER_SPEED_MAX_US_S * t_ms;
}

static bool in_limits(const struct stroke *s) {
    return s->amp_us >= 1 && s->amp_us <= PUSHER_AMP_MAX_US && s->hold_ms <= PUSHER_HOLD_MAX_MS &&
           time_in_limits(s->amp_us, s->out_ms) && time_in_limits(s->amp_us, s->back_ms);
}

uint8_t state_push(struct pusher *p, uint16_t token, const struct stroke *stroke) {
    if (p->state != PUSHER_ARMED) {
        return STATE;
    }
    if (!estop_closed(p)) {
        return ESTOP_OPEN;
    }
    if (!switch_on(p)) {
        return SWITCH;
    }
    if (p->state_ms < PUSHER_SETTLE_MS) {
        return BUSY;
    }
    if (token != p->token) {
        return TOKEN;
    }
    if (!in_limits(stroke)) {
        return LIMIT;
    }
    p->from_half_us = (uint16_t)(2 * stroke->amp_us);
    p->out_ms = stroke->out_ms;
    p->hold_ms = stroke->hold_ms;
    p->back_ms = stroke->back_ms;
    count(&p->strokes);
    enter(p, PUSHER_OUT);
    return DONE;
}

/* Leave a latch, with the hands that this takes. */
static uint8_t leave(struct pusher *p, uint8_t to) {
    if (!estop_closed(p)) {
        return ESTOP_OPEN;
    }
    if (switch_on(p)) {
        return SWITCH;
    }
    p->fault = FAULT_NONE;
    enter(p, to);
    return DONE;
}

uint8_t state_clear(struct pusher *p) {
    if (p->state != PUSHER_ESTOP && p->state != PUSHER_FAULT) {
        return STATE;
    }
    return leave(p, p->away ? PUSHER_AWAY : PUSHER_SAFE);
}

/* A hand has put the arm home: nothing else ends that it may stand out. */
uint8_t state_homed(struct pusher *p) {
    if (p->state != PUSHER_AWAY) {
        return STATE;
    }
    uint8_t refusal = leave(p, PUSHER_SAFE);
    p->away = refusal != DONE;
    return refusal;
}

/* ---- what time and hands do ------------------------------------------------------------- */

void pusher_init(struct pusher *p, uint8_t cause, bool away, uint16_t boot_id) {
    memset(p, 0, sizeof *p);
    p->inputs = INPUT_SWITCH; /* every input starts in its unsafe reading */
    p->away = away;
    p->state = away ? PUSHER_AWAY : PUSHER_SAFE;
    p->fault = away ? FAULT_MIDPUSH : FAULT_NONE;
    p->boot_id = boot_id;
    p->random = boot_id;
    p->naks_left = NAK_BURST;
    p->beams_left = BEAM_BURST;
    event_boot(p, cause);
}

bool pusher_away(const struct pusher *p) {
    return moving(p) || p->away;
}

bool pusher_sample(struct pusher *p, uint8_t raw) {
    uint8_t now = p->inputs;
    for (uint8_t i = 0; i < 2; i++) {
        uint8_t bit = (uint8_t)(1 << i);
        if (((now ^ raw) & bit) == 0) {
            p->sure[i] = 0;
        } else if (++p->sure[i] == DEBOUNCE) {
            p->sure[i] = 0;
            now ^= bit;
        }
    }
    bool opened = (p->inputs & ~now & INPUT_ESTOP_CLOSED) != 0;
    const uint8_t beams = INPUT_BEAM_0 | INPUT_BEAM_1;
    p->inputs = (uint8_t)((now & ~beams) | (raw & beams));
    if (opened) {
        p->stop_asked = 1;
    }
    return opened;
}

/* What the arm switch and the silence of the host do by themselves. */
static void watch(struct pusher *p) {
    if (!switch_on(p)) {
        p->seen_off = true;
        if (p->state == PUSHER_ARMED) {
            enter(p, PUSHER_SAFE);
        } else if (moving(p)) {
            p->fault = FAULT_SWITCH;
            enter(p, PUSHER_AWAY);
        }
    }
    if (p->silent_ms >= PUSHER_LINK_MS) {
        if (p->state == PUSHER_ARMED) {
            p->fault = FAULT_LINK;
            enter(p, PUSHER_SAFE);
        } else if (p->state == PUSHER_OUT || p->state == PUSHER_HOLD) {
            p->fault = FAULT_LINK;
            go_back(p);
        }
    }
}

/* What a state does when its time is over; a hold of 0 ms is over as it begins. */
static void expire(struct pusher *p) {
    if (p->state == PUSHER_ARMED && p->state_ms >= PUSHER_TOKEN_MS) {
        enter(p, PUSHER_SAFE);
    }
    if (p->state == PUSHER_OUT && p->state_ms >= p->out_ms) {
        p->pos_half_us = p->from_half_us;
        enter(p, PUSHER_HOLD);
    }
    if (p->state == PUSHER_HOLD && p->state_ms >= p->hold_ms) {
        go_back(p);
    }
    if (p->state == PUSHER_BACK && p->state_ms >= p->back_ms + PUSHER_REST_MS) {
        enter(p, p->fault == FAULT_NONE ? PUSHER_SAFE : PUSHER_FAULT);
    }
}

uint16_t pusher_advance(struct pusher *p) {
    p->ms++;
    if (p->silent_ms < PUSHER_LINK_MS) {
        p->silent_ms++;
    }
    if (p->state_ms < 65535) {
        p->state_ms++;
    }
    if (p->ms % NAK_EVERY_MS == 0 && p->naks_left < NAK_BURST) {
        p->naks_left++;
    }
    state_hear_requests(p);
    watch(p);
    expire(p);
    event_late_beams(p);
    if (powered(p) && ++p->frame_ms >= PUSHER_FRAME_MS) {
        p->frame_ms = 0;
        motion_step(p);
    }
    return pusher_pulse(p);
}

uint16_t pusher_tick(struct pusher *p, uint8_t raw) {
    (void)pusher_sample(p, raw);
    return pusher_advance(p);
}
