/* What the files of the core know of each other, and nobody else. */
#ifndef INSIDE_H
#define INSIDE_H

#include "pusher.h"
#include "text.h"

#define PROTOCOL 1
#define NAK_BURST 20
#define NAK_EVERY_MS 64
#define BEAM_BURST 8
#define BEAM_EVERY_MS 16
#define FRAME_MAX (PUSHER_BODY_MAX + 7)
#define TX_KEPT (FRAME_MAX + 2 * 44) /* room for a reply and two states, whatever else is said */

enum refusal {
    DONE = 0,
    SYNTAX = 1,
    REUSED = 3,
    STATE = 4,
    TOKEN = 5,
    LIMIT = 6,
    SWITCH = 7,
    ESTOP_OPEN = 8,
    NO_SESSION = 9,
    UNKNOWN = 10,
    BUSY = 11,
    ARM_AWAY = 12
};

struct stroke {
    uint16_t amp_us, out_ms, hold_ms, back_ms;
};

static inline void count(uint16_t *counter) {
    if (*counter != 65535) {
        ++*counter;
    }
}

static inline bool switch_on(const struct pusher *p) {
    return (p->inputs & INPUT_SWITCH) != 0;
}

static inline bool estop_closed(const struct pusher *p) {
    return (p->inputs & INPUT_ESTOP_CLOSED) != 0;
}

static inline bool moving(const struct pusher *p) {
    return p->state >= PUSHER_OUT && p->state <= PUSHER_BACK;
}

static inline bool powered(const struct pusher *p) {
    return p->state == PUSHER_ARMED || moving(p);
}

static inline uint8_t after(uint8_t sequence) {
    return sequence == 255 ? 1 : (uint8_t)(sequence + 1);
}

/* frame.c */
void frame_send(struct pusher *p, const char *body, uint8_t length);
void frame_head(struct writer *w, char kind, uint8_t session, uint8_t number);
void frame_nak(struct pusher *p, const IN_FLASH char *why);
bool frame_may_complain(struct pusher *p);
bool frame_has_room(const struct pusher *p);

/* event.c */
extern const IN_FLASH char STATE_NAMES[][6];
extern const IN_FLASH char FAULT_NAMES[][8];
void event_boot(struct pusher *p, uint8_t cause);
void event_state(struct pusher *p);
void event_late_beams(struct pusher *p);
const struct pusher_event *event_kept(const struct pusher *p, uint8_t number);
void event_put(const struct pusher *p, struct writer *w, const struct pusher_event *event);

/* motion.c */
void motion_step(struct pusher *p);

/* state.c: each asks for one thing and gives DONE or a refusal */
uint8_t state_arm(struct pusher *p);
uint8_t state_push(struct pusher *p, uint16_t token, const struct stroke *stroke);
uint8_t state_clear(struct pusher *p);
uint8_t state_homed(struct pusher *p);
void state_give_up(struct pusher *p);
void state_stop(struct pusher *p);
void state_hear_requests(struct pusher *p);

/* session.c */
void session_obey(struct pusher *p);

#endif
