/* What the pusher tells of its own accord, and the last eight of these kept for EV. */
#include "inside.h"

#define TEXT_MAX 32

const IN_FLASH char STATE_NAMES[][6] = {"SAFE", "ARMED", "OUT", "HOLD", "BACK", "ESTOP", "FAULT"};
const IN_FLASH char FAULT_NAMES[][8] = {"NONE", "MIDPUSH", "LINK", "SWITCH"};
static const IN_FLASH char CAUSE_NAMES[][4] = {"POR", "EXT", "BOR", "WDT", "UNK"};
static const IN_FLASH char BOOT_WORD[] = "BOOT";
static const IN_FLASH char ST_WORD[] = "ST";
static const IN_FLASH char BEAM_WORD[] = "BEAM";

void event_put(const struct pusher *p, struct writer *w, uint8_t number) {
    const struct pusher_event *event = &p->events[number % PUSHER_EVENTS];
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

static void tell(struct pusher *p, uint8_t tale, uint8_t first, uint8_t second, uint32_t time) {
    char body[5 + TEXT_MAX];
    struct writer w = {body, 0, sizeof body};
    struct pusher_event *event = &p->events[p->event_next % PUSHER_EVENTS];
    event->tale = tale;
    event->first = first;
    event->second = second;
    event->pos_us = p->pos_half_us / 2;
    event->time = time;
    frame_head(&w, 'E', p->session, p->event_next);
    event_put(p, &w, p->event_next);
    p->event_next++;
    if (p->events_kept < PUSHER_EVENTS) {
        p->events_kept++;
    }
    frame_send(p, body, w.length);
}

void event_boot(struct pusher *p, uint8_t cause, bool midpush) {
    tell(p, TALE_BOOT, cause, midpush, 0);
}

void event_state(struct pusher *p) {
    tell(p, TALE_STATE, p->state, p->fault, p->ms);
}

void pusher_beam(struct pusher *p, uint8_t which, bool broken, uint32_t us) {
    tell(p, TALE_BEAM, which, broken, us);
}

bool event_is_kept(const struct pusher *p, uint8_t number) {
    uint8_t age = (uint8_t)(p->event_next - number);
    return age >= 1 && age <= p->events_kept;
}
