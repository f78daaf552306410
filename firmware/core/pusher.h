/* The pusher's mind: frames, sessions, states and motion, for any C compiler.
 *
 * State and inputs in, outputs out. Nothing here touches a register, the clock or the heap; the
 * chip (avr/) and the host (host/) call it alike. The contract is protocol.md.
 */
#ifndef PUSHER_H
#define PUSHER_H

#include <stdbool.h>
#include <stdint.h>

#ifndef PUSHER_REST_US
#define PUSHER_REST_US 1200 /* where the arm sits against its stop */
#endif
#define PUSHER_AMP_MAX_US 400
#define PUSHER_SPEED_MAX_US_S 1500
#define PUSHER_TIME_MIN_MS 200
#define PUSHER_TIME_MAX_MS 5000
#define PUSHER_HOLD_MAX_MS 2000
#define PUSHER_PULSE_MIN_US 1000
#define PUSHER_PULSE_MAX_US 1700
#define PUSHER_SLEW_US 32 /* per frame of 20 ms */
#define PUSHER_LINK_MS 500
#define PUSHER_TOKEN_MS 10000
#define PUSHER_SETTLE_MS 600
#define PUSHER_REST_MS 200
#define PUSHER_FRAME_MS 20

#define PUSHER_BODY_MAX 57 /* kind..text */
#define PUSHER_EVENTS 8

#if PUSHER_REST_US + PUSHER_AMP_MAX_US > PUSHER_PULSE_MAX_US || PUSHER_REST_US < PUSHER_PULSE_MIN_US
#error "rest pulse, amplitude and output clamp do not fit together"
#endif

enum pusher_state {
    PUSHER_SAFE,
    PUSHER_ARMED,
    PUSHER_OUT,
    PUSHER_HOLD,
    PUSHER_BACK,
    PUSHER_ESTOP,
    PUSHER_FAULT,
    PUSHER_AWAY /* the arm may stand out, until a hand has put it home and somebody says so */
};

enum pusher_fault { FAULT_NONE, FAULT_MIDPUSH, FAULT_LINK, FAULT_SWITCH };

enum pusher_cause { CAUSE_POR, CAUSE_EXT, CAUSE_BOR, CAUSE_WDT, CAUSE_UNK };

/* The input bits, in the order of the wire; POWER, SEEN_OFF and AWAY are the core's own. */
enum {
    INPUT_SWITCH = 1 << 0,       /* arm switch on */
    INPUT_ESTOP_CLOSED = 1 << 1, /* E-stop loop closed: good */
    INPUT_SEEN_OFF = 1 << 2,
    INPUT_POWER = 1 << 3,
    INPUT_BEAM_0 = 1 << 4,
    INPUT_BEAM_1 = 1 << 5,
    INPUT_AWAY = 1 << 6
};

enum pusher_tale { TALE_NONE, TALE_BOOT, TALE_STATE, TALE_BEAM };

/* What was told of its own accord, put into words only when it is sent. */
struct pusher_event {
    uint8_t tale;
    uint8_t number;
    uint8_t first, second; /* cause and away; state and fault; beam and level */
    uint16_t pos_us;
    uint32_t time; /* ms of a state, us of a beam */
};

struct pusher {
    /* Set from interrupts, cleared by the main line. */
    volatile uint8_t stop_asked;
    volatile uint8_t status_asked;
    volatile uint8_t inputs;
    uint8_t sure[2]; /* debounce: how many samples in a row spoke against the believed reading */

    uint8_t state;
    uint8_t fault;
    bool seen_off;
    bool away; /* a stroke was cut short, and no hand has put the arm home since */
    uint32_t ms;
    uint16_t silent_ms;
    uint16_t state_ms;
    uint8_t frame_ms;
    uint16_t boot_id;

    uint16_t token;
    uint16_t random;
    uint16_t out_ms, hold_ms, back_ms;
    uint16_t from_half_us; /* where the present motion starts or ends, away from rest */
    uint16_t pos_half_us;  /* asked of the servo, away from rest */
    uint16_t pulse_half_us;

    uint8_t receiving; /* enum receiving in frame.c */
    uint8_t length;
    uint8_t digits;
    uint16_t crc, crc_given;
    bool crc_readable;
    char body[PUSHER_BODY_MAX];

    uint8_t session;  /* 0: none is open */
    uint8_t sequence; /* of the last command executed */
    uint16_t last_crc;
    uint8_t reply_length;
    char reply[PUSHER_BODY_MAX];

    uint16_t good, crc_errors, oversize, sequence_errors, dropped, strokes;
    uint8_t naks_left;

    uint8_t event_next; /* number of the next event */
    uint8_t state_slot, beam_slot;
    struct pusher_event states[PUSHER_EVENTS]; /* so that no chatter of a beam drives them out */
    struct pusher_event beams[PUSHER_EVENTS];

    uint8_t beams_left;             /* edges that may be told now */
    uint8_t beams_told, beams_late; /* levels told last; which beams have one that waits, */
    uint8_t late_levels;            /* its levels */
    uint32_t late_us[2];            /* and times */

    volatile uint8_t tx_in, tx_out;
    volatile char tx[256]; /* filled before tx_in moves, so that the interrupt sees whole bytes */
};

/* Begin after a reset. `away`: what `pusher_away` was before it. Leaves a BOOT event to send. */
void pusher_init(struct pusher *p, uint8_t cause, bool away, uint16_t boot_id);

/* Take a byte in the receive interrupt. True: it was a real-time byte and is used up; if
 * `p->stop_asked` is then set, the caller cuts the power before anything else. */
bool pusher_realtime(struct pusher *p, uint8_t byte);

/* Take any other byte, on the main line. */
void pusher_receive(struct pusher *p, uint8_t byte);

/* Debounce the raw inputs, once a millisecond, in the timer interrupt. True: cut the power now. */
bool pusher_sample(struct pusher *p, uint8_t raw);

/* Advance one millisecond on the main line, after its sample. Returns the servo pulse in half
 * microseconds, 0 = power off. */
uint16_t pusher_advance(struct pusher *p);

/* Sample and advance in one. */
uint16_t pusher_tick(struct pusher *p, uint8_t raw);

/* Report an edge of a light beam. `us`: of a 32-bit clock. Of a beam that chatters not every edge is
 * told, but always the one that it ends with. */
void pusher_beam(struct pusher *p, uint8_t which, bool broken, uint32_t us);

/* Whether the arm may stand out if the power goes now: a stroke is on its way, or one was cut short
 * and no hand has put the arm home. This has to survive every reset and loss of power. */
bool pusher_away(const struct pusher *p);

/* The servo pulse now, in half microseconds; 0 = power off. */
uint16_t pusher_pulse(const struct pusher *p);

/* The next byte to send, or -1. Safe in the transmit interrupt. */
int16_t pusher_next(struct pusher *p);

/* A token and the random number after it: never 0, and never the one `before`. */
uint16_t pusher_token(uint16_t random, uint16_t ms, uint16_t before);

/* Part of `amplitude` that a minimum-jerk motion has come after `t_ms` of `total_ms`. */
uint16_t pusher_way(uint16_t amplitude, uint16_t t_ms, uint16_t total_ms);

#endif
