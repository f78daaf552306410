/* What the pusher tells of its own accord; the last eight states and the last eight edges of beams
 * are kept for EV. */
#include <stddef.h>

#include "inside.h"

#define TEXT_MAX 32

const IN_FLASH char STATE_NAMES[][6] = {"SAFE", "ARMED", "OUT", "HOLD", "BACK", "ESTOP", "FAULT", "AWAY"};
const IN_FLASH char FAULT_NAMES[][8] = {"NONE", "MIDPUSH", "LINK", "SWITCH"};
static const IN_FLASH char CAUSE_NAMES[][4] = {"POR", "EXT", "BOR", "WDT", "UNK"};
static const IN_FLASH char BOOT_WORD[] = "BOOT";
static const IN_FLASH char ST_WORD[] = "ST";
static const IN_FLASH char BEAM_WORD[] = "BEAM";

void event_put(const struct pusher *p, struct writer *w, const struct pusher_event *event) {
    switch (event->tale) {
    case TALE_BOOT:
        put_word(w, BOOT_WORD);
        put_word(w, CAUSE_NAMES[event->first]);
        put_dec_word(w, event->second);
        put_dec_word(w, PROTOCOL);
        put_hex_word(w, p->boot_id, 4);
        break;
    case TALE_STATE:
        put_word(w, ST_WORD);
        put_word(w, STATE_NAMES[event->first]);
        put_word(w, FAULT_NAMES[event->second]);
        put_dec_word(w, event->pos_us);
        put_hex_word(w, event->time, 8);
        break;
    default:
        put_word(w, BEAM_WORD);
        put_dec_word(w, event->first);
        put_dec_word(w, event->second);
        put_hex_word(w, event->time, 8);
        break;
    }
}

static const struct pusher_event *find(const struct pusher_event *events, uint8_t number) {
    for (uint8_t i = 0; i < PUSHER_EVENTS; i++) {
        if (events[i].tale != TALE_NONE && events[i].number == number) {
            return &events[i];
        }
    }
    return NULL;
}

/* The event of that number, or NULL if it is not kept any more. */
const struct pusher_event *event_kept(const struct pusher *p, uint8_t number) {
    const struct pusher_event *state = find(p->states, number);
    return state != NULL ? state : find(p->beams, number);
}

static void tell(struct pusher *p, struct pusher_event event) {
    char body[5 + TEXT_MAX];
    struct writer w = {body, 0, sizeof body};
    const struct pusher_event *same = find(p->states, p->event_next);
    if (same != NULL) { /* of 256 events ago: its number has another meaning now */
        p->states[same - p->states].tale = TALE_NONE;
    }
    event.number = p->event_next++;
    event.pos_us = p->pos_half_us / 2;
    frame_head(&w, 'E', p->session, event.number);
    event_put(p, &w, &event);
    if (event.tale == TALE_BEAM) {
        p->beams[p->beam_slot++ % PUSHER_EVENTS] = event;
    } else {
        p->states[p->state_slot++ % PUSHER_EVENTS] = event;
    }
    frame_send(p, body, w.length);
}

void event_boot(struct pusher *p, uint8_t cause) {
    tell(p, (struct pusher_event){.tale = TALE_BOOT, .first = cause, .second = p->away});
}

void event_state(struct pusher *p) {
    tell(p, (struct pusher_event){
                .tale = TALE_STATE, .first = p->state, .second = p->fault, .time = p->ms});
}

/* ---- light beams ------------------------------------------------------------------------ */

static bool may_tell_beam(const struct pusher *p) {
    return p->beams_left != 0 && frame_has_room(p);
}

static void tell_beam(struct pusher *p, uint8_t which, bool broken, uint32_t us) {
    uint8_t bit = (uint8_t)(1 << which);
    p->beams_left--;
    p->beams_told = (uint8_t)(broken ? p->beams_told | bit : p->beams_told & ~bit);
    tell(p, (struct pusher_event){
                .tale = TALE_BEAM, .first = which, .second = broken, .time = us});
}

void pusher_beam(struct pusher *p, uint8_t which, bool broken, uint32_t us) {
    uint8_t bit = (uint8_t)(1 << which);
    if ((p->beams_late & bit) == 0 && may_tell_beam(p)) {
        tell_beam(p, which, broken, us);
        return;
    }
    p->beams_late |= bit;
    p->late_levels = (uint8_t)(broken ? p->late_levels | bit : p->late_levels & ~bit);
    p->late_us[which] = us;
}

/* Tell where a beam that chattered has got to, once there is room for it. */
void event_late_beams(struct pusher *p) {
    if (p->ms % BEAM_EVERY_MS == 0 && p->beams_left < BEAM_BURST) {
        p->beams_left++;
    }
    for (uint8_t which = 0; which < 2; which++) {
        uint8_t bit = (uint8_t)(1 << which);
        if ((p->beams_late & bit) == 0 || !may_tell_beam(p)) {
            continue;
        }
        p->beams_late &= (uint8_t)~bit;
        if (((p->beams_told ^ p->late_levels) & bit) != 0) {
            tell_beam(p, which, (p->late_levels & bit) != 0, p->late_us[which]);
        }
    }
}
