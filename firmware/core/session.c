/* One command after another: who may speak, what was said already, what is answered; sections 2
 * and 3 of protocol.md. */
#include <stddef.h>

#include "inside.h"

enum verb { HELLO, LIM, HB, CNT, EV, ARM, PUSH, ABORT, DISARM, STOP, CLEAR, HOMED, VERBS };

static const IN_FLASH char VERB_NAMES[VERBS + 1][7] = {
    "HELLO", "LIM",    "HB",   "CNT",   "EV",    "ARM", "PUSH",
    "ABORT", "DISARM", "STOP", "CLEAR", "HOMED", "-"};
static const IN_FLASH char OK_WORD[] = "OK";
static const IN_FLASH char ER_WORD[] = "ER";
static const IN_FLASH char PUSHER_WORD[] = "PUSHER";
static const IN_FLASH char VERSION[] = "1.1";
static const IN_FLASH char CAPABILITIES[] = "S1B2E1F0";
static const IN_FLASH char NAK_SES[] = "SES";
static const IN_FLASH char NAK_SEQ[] = "SEQ";

/* ---- commands --------------------------------------------------------------------------- */

/* Which command it is; `r` is moved behind the verb. */
static uint8_t take_verb(struct reader *r) {
    uint8_t length = 0;
    while (length < r->length && r->text[length] != ' ') {
        length++;
    }
    for (uint8_t verb = 0; verb < VERBS; verb++) {
        uint8_t i = 0;
        while (i < length && VERB_NAMES[verb][i] == r->text[i]) {
            i++; /* a name ends with 0, which no text holds */
        }
        if (i == length && VERB_NAMES[verb][i] == 0) {
            r->text += length;
            r->length = (uint8_t)(r->length - length);
            return verb;
        }
    }
    return VERBS;
}

static uint8_t push(struct pusher *p, struct reader *r) {
    uint32_t token;
    struct stroke s;
    if (!take_hex(r, 4, &token) || !take_dec(r, &s.amp_us) || !take_dec(r, &s.out_ms) ||
        !take_dec(r, &s.hold_ms) || !take_dec(r, &s.back_ms) || r->length != 0) {
        return SYNTAX;
    }
    return state_push(p, (uint16_t)token, &s);
}

/* Do what a command asks; `r` stands behind its verb. `number` is the event that EV asks for. */
static uint8_t act(struct pusher *p, uint8_t verb, struct reader *r, uint8_t *number) {
    uint32_t value;
    if (verb == VERBS) {
        return UNKNOWN;
    }
    if (verb == PUSH) {
        return push(p, r);
    }
    if (verb == EV) {
        if (!take_hex(r, 2, &value) || r->length != 0) {
            return SYNTAX;
        }
        *number = (uint8_t)value;
        return event_kept(p, *number) != NULL ? DONE : LIMIT;
    }
    if (r->length != 0) {
        return SYNTAX;
    }
    switch (verb) {
    case ARM:
        return state_arm(p);
    case CLEAR:
        return state_clear(p);
    case HOMED:
        return state_homed(p);
    case STOP:
        state_stop(p);
        return DONE;
    case ABORT:
    case DISARM:
        state_give_up(p);
        return DONE;
    default:
        return DONE;
    }
}

/* ---- replies ---------------------------------------------------------------------------- */

static uint8_t inputs_told(const struct pusher *p) {
    return (uint8_t)(p->inputs | (p->seen_off ? INPUT_SEEN_OFF : 0) |
                     (powered(p) ? INPUT_POWER : 0) | (pusher_away(p) ? INPUT_AWAY : 0));
}

/* The facts that follow `OK <verb>`. */
static void put_facts(const struct pusher *p, struct writer *w, uint8_t verb, uint8_t number) {
    static const IN_FLASH uint16_t limits[] = {
        PUSHER_REST_US,     PUSHER_AMP_MAX_US, PUSHER_SPEED_MAX_US_S, PUSHER_TIME_MIN_MS,
        PUSHER_TIME_MAX_MS, PUSHER_LINK_MS,    PUSHER_TOKEN_MS};
    const uint16_t counters[] = {p->good,    p->crc_errors, p->oversize, p->sequence_errors,
                                 p->dropped, p->strokes};
    switch (verb) {
    case HELLO:
        put_word(w, PUSHER_WORD);
        put_dec_word(w, PROTOCOL);
        put_word(w, VERSION);
        put_hex_word(w, p->boot_id, 4);
        put_word(w, CAPABILITIES);
        put_word(w, STATE_NAMES[p->state]);
        break;
    case LIM:
        for (uint8_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            put_dec_word(w, limits[i]);
        }
        break;
    case HB:
        put_word(w, STATE_NAMES[p->state]);
        put_dec_word(w, p->pos_half_us / 2);
        put_dec_word(w, pusher_pulse(p) / 2);
        put_hex_word(w, inputs_told(p), 2);
        put_word(w, FAULT_NAMES[p->fault]);
        put_hex_word(w, p->ms, 8);
        break;
    case CNT:
        for (uint8_t i = 0; i < sizeof counters / sizeof *counters; i++) {
            put_dec_word(w, counters[i]);
        }
        put_hex_word(w, p->boot_id, 4);
        break;
    case EV:
        put_hex_word(w, number, 2);
        event_put(p, w, event_kept(p, number));
        break;
    case ARM:
        put_hex_word(w, p->token, 4);
        put_dec_word(w, PUSHER_TOKEN_MS);
        break;
    case PUSH:
        put_dec_word(w, p->strokes);
        break;
    default: /* ABORT, DISARM, STOP, CLEAR, HOMED */
        put_word(w, STATE_NAMES[p->state]);
        break;
    }
}

static void put_refusal(const struct pusher *p, struct writer *w, uint8_t verb, uint8_t refusal) {
    put_word(w, ER_WORD);
    put_word(w, VERB_NAMES[verb]);
    put_dec_word(w, refusal);
    put_word(w, STATE_NAMES[p->state]);
}

/* A refusal that uses up no sequence and is not stored. */
static void refuse(struct pusher *p, uint8_t verb, uint8_t refusal) {
    char body[PUSHER_BODY_MAX];
    struct writer w = {body, 0, sizeof body};
    put_char(&w, 'R');
    for (uint8_t i = 1; i < 4; i++) {
        put_char(&w, p->body[i]);
    }
    put_refusal(p, &w, verb, refusal);
    frame_send(p, body, w.length);
}

/* ---- sessions --------------------------------------------------------------------------- */

static void feed(struct pusher *p) {
    count(&p->good);
    p->silent_ms = 0;
}

static void repeat(struct pusher *p) {
    feed(p);
    frame_send(p, p->reply, p->reply_length);
}

static void answer(struct pusher *p, uint8_t session, uint8_t sequence, uint8_t verb,
                   uint8_t refusal, uint8_t number) {
    struct writer w = {p->reply, 0, PUSHER_BODY_MAX};
    frame_head(&w, 'R', session, sequence);
    if (refusal != DONE) {
        put_refusal(p, &w, verb, refusal);
    } else {
        put_word(&w, OK_WORD);
        put_word(&w, VERB_NAMES[verb]);
        put_facts(p, &w, verb, number);
    }
    p->reply_length = w.length;
    p->sequence = sequence;
    p->last_crc = p->crc;
    frame_send(p, p->reply, p->reply_length);
}

static void wrong_sequence(struct pusher *p, const IN_FLASH char *why) {
    count(&p->sequence_errors);
    frame_nak(p, why);
}

static void greet(struct pusher *p, uint8_t session, uint8_t sequence, struct reader *r) {
    uint16_t protocol;
    uint32_t nonce;
    if (session == 0) {
        refuse(p, HELLO, SYNTAX);
    } else if (session == p->session) {
        if (sequence == 0 && p->sequence == 0 && p->crc == p->last_crc) {
            repeat(p);
        } else {
            refuse(p, HELLO, REUSED);
        }
    } else if (sequence != 0) {
        wrong_sequence(p, NAK_SEQ);
    } else if (!take_dec(r, &protocol) || !take_hex(r, 8, &nonce) || r->length != 0) {
        refuse(p, HELLO, SYNTAX);
    } else if (protocol != PROTOCOL) {
        refuse(p, HELLO, LIMIT);
    } else {
        feed(p);
        p->session = session;
        p->random ^= (uint16_t)(nonce ^ nonce >> 16);
        state_give_up(p);
        answer(p, session, 0, HELLO, DONE, 0);
    }
}

/* A command whose CRC and head are right. */
void session_obey(struct pusher *p) {
    uint8_t session = hex_value(p->body[1]);
    uint8_t sequence = (uint8_t)(hex_value(p->body[2]) << 4 | hex_value(p->body[3]));
    uint8_t number = 0;
    struct reader r = {p->body + 5, (uint8_t)(p->length - 5)};
    uint8_t verb = take_verb(&r);
    if (verb == HELLO) {
        greet(p, session, sequence, &r);
    } else if (session == 0 && p->session == 0) {
        refuse(p, verb, NO_SESSION);
    } else if (session != p->session) {
        wrong_sequence(p, NAK_SES);
    } else if (sequence == p->sequence) {
        if (p->crc == p->last_crc) {
            repeat(p);
        } else {
            refuse(p, verb, REUSED);
        }
    } else if (sequence != after(p->sequence)) {
        wrong_sequence(p, NAK_SEQ);
    } else {
        feed(p);
        uint8_t refusal = act(p, verb, &r, &number);
        answer(p, session, sequence, verb, refusal, number);
    }
}
