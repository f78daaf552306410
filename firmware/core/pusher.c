#include "pusher.h"

#include <string.h>

#ifdef __FLASH /* avr-gcc: constants that stay in flash */
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif

enum receiving { OUTSIDE, IN_BODY, IN_CRC };

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
    BUSY = 11
};

enum verb { HELLO, LIM, HB, CNT, EV, ARM, PUSH, ABORT, DISARM, STOP, CLEAR, VERBS };

static const IN_FLASH char VERB_NAMES[VERBS + 1][7] = {
    "HELLO", "LIM", "HB", "CNT", "EV", "ARM", "PUSH", "ABORT", "DISARM", "STOP", "CLEAR", "-"};
static const IN_FLASH char STATE_NAMES[][6] = {"SAFE", "ARMED", "OUT",  "HOLD",
                                               "BACK", "ESTOP", "FAULT"};
static const IN_FLASH char FAULT_NAMES[][8] = {"NONE", "MIDPUSH", "LINK", "SWITCH"};
static const IN_FLASH char CAUSE_NAMES[][4] = {"POR", "EXT", "BOR", "WDT", "UNK"};
static const IN_FLASH char OK_WORD[] = "OK";
static const IN_FLASH char ER_WORD[] = "ER";
static const IN_FLASH char PUSHER_WORD[] = "PUSHER";
static const IN_FLASH char VERSION[] = "1.0";
static const IN_FLASH char CAPABILITIES[] = "S1B2E1F0";
static const IN_FLASH char NAK_CRC[] = "CRC";
static const IN_FLASH char NAK_LEN[] = "LEN";
static const IN_FLASH char NAK_CHR[] = "CHR";
static const IN_FLASH char NAK_SES[] = "SES";
static const IN_FLASH char NAK_SEQ[] = "SEQ";
static const IN_FLASH char BOOT_WORD[] = "BOOT";
static const IN_FLASH char ST_WORD[] = "ST";
static const IN_FLASH char BEAM_WORD[] = "BEAM";

#define PROTOCOL 1
#define NAK_BURST 20
#define NAK_EVERY_MS 64
#define DEBOUNCE 3

/* ---- text ------------------------------------------------------------------------------- */

/* Where words are written to; never past its limit. */
struct writer {
    char *text;
    uint8_t length, limit;
};

static void put_char(struct writer *w, char c) {
    if (w->length < w->limit) {
        w->text[w->length++] = c;
    }
}

/* A word, with a space before it unless it is the first. */
static void put_word(struct writer *w, const IN_FLASH char *word) {
    if (w->length != 0) {
        put_char(w, ' ');
    }
    while (*word != 0) {
        put_char(w, *word++);
    }
}

static char hex_digit(uint8_t value) {
    return (char)(value < 10 ? '0' + value : 'A' + value - 10);
}

static void put_hex(struct writer *w, uint32_t value, uint8_t digits) {
    while (digits-- != 0) {
        put_char(w, hex_digit((uint8_t)((value >> (4 * digits)) & 15)));
    }
}

static void put_hex_word(struct writer *w, uint32_t value, uint8_t digits) {
    put_char(w, ' ');
    put_hex(w, value, digits);
}

static void put_dec_word(struct writer *w, uint16_t value) {
    char digits[5];
    uint8_t n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put_char(w, ' ');
    while (n != 0) {
        put_char(w, digits[--n]);
    }
}

/* What is left of a command to read. */
struct reader {
    const char *text;
    uint8_t length;
};

/* Value of an upper-case hex digit, or 255. */
static uint8_t hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return (uint8_t)(c - '0');
    }
    return c >= 'A' && c <= 'F' ? (uint8_t)(c - 'A' + 10) : 255;
}

static bool take_space(struct reader *r) {
    if (r->length == 0 || *r->text != ' ') {
        return false;
    }
    r->text++;
    r->length--;
    return true;
}

/* One space and exactly `digits` upper-case hex digits. */
static bool take_hex(struct reader *r, uint8_t digits, uint32_t *value) {
    if (!take_space(r) || r->length < digits) {
        return false;
    }
    *value = 0;
    for (uint8_t i = 0; i < digits; i++) {
        uint8_t digit = hex_value(r->text[i]);
        if (digit == 255) {
            return false;
        }
        *value = *value << 4 | digit;
    }
    r->text += digits;
    r->length = (uint8_t)(r->length - digits);
    return true;
}

/* One space and a number from 0 to 65535 without leading zeros. */
static bool take_dec(struct reader *r, uint16_t *value) {
    uint32_t number = 0;
    uint8_t digits = 0;
    if (!take_space(r)) {
        return false;
    }
    while (r->length != 0 && *r->text >= '0' && *r->text <= '9') {
        if (digits == 5 || (digits != 0 && number == 0)) {
            return false;
        }
        number = number * 10 + (uint32_t)(*r->text - '0');
        digits++;
        r->text++;
        r->length--;
    }
    *value = (uint16_t)number;
    return digits != 0 && number <= 65535;
}

static void count(uint16_t *counter) {
    if (*counter != 65535) {
        ++*counter;
    }
}

/* ---- frames out ------------------------------------------------------------------------- */

static uint16_t crc_step(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)(byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++) {
        crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

/* Send a frame whole, or count it as dropped. */
static void send(struct pusher *p, const char *body, uint8_t length) {
    uint8_t used = (uint8_t)(p->tx_in - p->tx_out);
    uint8_t at = p->tx_in;
    uint16_t crc = 0xFFFF;
    if (used + length + 7 > 255) {
        count(&p->dropped);
        return;
    }
    p->tx[at++] = '$';
    for (uint8_t i = 0; i < length; i++) {
        p->tx[at++] = body[i];
        crc = crc_step(crc, (uint8_t)body[i]);
    }
    p->tx[at++] = '*';
    for (uint8_t shift = 16; shift != 0; shift = (uint8_t)(shift - 4)) {
        p->tx[at++] = hex_digit((uint8_t)((crc >> (shift - 4)) & 15));
    }
    p->tx[at++] = '\n';
    p->tx_in = at;
}

int16_t pusher_next(struct pusher *p) {
    if (p->tx_out == p->tx_in) {
        return -1;
    }
    return (uint8_t)p->tx[p->tx_out++];
}

static void put_head(struct writer *w, char kind, uint8_t session, uint8_t number) {
    put_char(w, kind);
    put_hex(w, session, 1);
    put_hex(w, number, 2);
}

static uint8_t after(uint8_t sequence) {
    return sequence == 255 ? 1 : (uint8_t)(sequence + 1);
}

static bool may_complain(struct pusher *p) {
    if (p->naks_left == 0) {
        return false;
    }
    p->naks_left--;
    return true;
}

static void nak(struct pusher *p, const IN_FLASH char *why) {
    char body[8];
    struct writer w = {body, 0, sizeof body};
    if (!may_complain(p)) {
        return;
    }
    put_head(&w, 'N', p->session, p->session == 0 ? 0 : after(p->sequence));
    put_word(&w, why);
    send(p, body, w.length);
}

/* ---- events ----------------------------------------------------------------------------- */

static struct writer begin_event(struct pusher *p) {
    struct writer w = {p->events[p->event_next % PUSHER_EVENTS], 0, PUSHER_EVENT_MAX};
    memset(w.text, 0, PUSHER_EVENT_MAX);
    return w;
}

static void put_event(struct pusher *p, struct writer *w, uint8_t number) {
    const char *text = p->events[number % PUSHER_EVENTS];
    put_char(w, ' ');
    for (uint8_t i = 0; i < PUSHER_EVENT_MAX && text[i] != 0; i++) {
        put_char(w, text[i]);
    }
}

static void end_event(struct pusher *p) {
    char body[5 + PUSHER_EVENT_MAX];
    struct writer w = {body, 0, sizeof body};
    put_head(&w, 'E', p->session, p->event_next);
    put_event(p, &w, p->event_next);
    p->event_next++;
    if (p->events_kept < PUSHER_EVENTS) {
        p->events_kept++;
    }
    send(p, body, w.length);
}

static void tell_state(struct pusher *p) {
    struct writer w = begin_event(p);
    put_word(&w, ST_WORD);
    put_word(&w, STATE_NAMES[p->state]);
    put_word(&w, FAULT_NAMES[p->fault]);
    put_dec_word(&w, p->pos_half_us / 2);
    put_hex_word(&w, p->ms, 8);
    end_event(p);
}

void pusher_beam(struct pusher *p, uint8_t which, bool broken, uint32_t us) {
    struct writer w = begin_event(p);
    put_word(&w, BEAM_WORD);
    put_dec_word(&w, which);
    put_dec_word(&w, broken);
    put_hex_word(&w, us, 8);
    end_event(p);
}

/* ---- motion ----------------------------------------------------------------------------- */

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

bool pusher_moving(const struct pusher *p) {
    return p->state >= PUSHER_OUT && p->state <= PUSHER_BACK;
}

static bool powered(const struct pusher *p) {
    return p->state == PUSHER_ARMED || pusher_moving(p);
}

uint16_t pusher_pulse(const struct pusher *p) {
    return powered(p) ? p->pulse_half_us : 0;
}

static bool switch_on(const struct pusher *p) {
    return (p->inputs & INPUT_SWITCH) != 0;
}

static bool estop_closed(const struct pusher *p) {
    return (p->inputs & INPUT_ESTOP_CLOSED) != 0;
}

static void enter(struct pusher *p, uint8_t state) {
    p->state = state;
    p->state_ms = 0;
    if (state == PUSHER_SAFE) {
        p->pos_half_us = 0;
    }
    if (state == PUSHER_ESTOP || state == PUSHER_FAULT) {
        p->seen_off = !switch_on(p);
    }
    tell_state(p);
}

/* Back smoothly from where it is. */
static void go_back(struct pusher *p) {
    p->from_half_us = p->pos_half_us;
    enter(p, PUSHER_BACK);
}

/* Give up what is going on: DISARM, and a new session. */
static void give_up(struct pusher *p) {
    if (p->state == PUSHER_ARMED) {
        enter(p, PUSHER_SAFE);
    } else if (p->state == PUSHER_OUT || p->state == PUSHER_HOLD) {
        go_back(p);
    }
}

static void latch_estop(struct pusher *p) {
    p->stop_asked = 0;
    if (p->state != PUSHER_ESTOP) {
        p->fault = FAULT_NONE;
        enter(p, PUSHER_ESTOP);
    }
}

/* What the servo shall do in this frame, behind a clamp and a slew limit of its own. */
static void move_servo(struct pusher *p) {
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
    uint16_t pulse = (uint16_t)(2 * PUSHER_REST_US + wanted);
    uint16_t low = (uint16_t)(p->pulse_half_us - 2 * PUSHER_SLEW_US);
    uint16_t high = (uint16_t)(p->pulse_half_us + 2 * PUSHER_SLEW_US);
    low = low < 2 * PUSHER_PULSE_MIN_US ? 2 * PUSHER_PULSE_MIN_US : low;
    high = high > 2 * PUSHER_PULSE_MAX_US ? 2 * PUSHER_PULSE_MAX_US : high;
    p->pulse_half_us = pulse < low ? low : pulse > high ? high : pulse;
}

/* ---- commands --------------------------------------------------------------------------- */

static uint8_t inputs_told(const struct pusher *p) {
    return (uint8_t)(p->inputs | (p->seen_off ? INPUT_SEEN_OFF : 0) |
                     (powered(p) ? INPUT_POWER : 0));
}

static void new_token(struct pusher *p) {
    uint16_t before = p->token;
    do { /* xorshift, stirred by the moment */
        p->random ^= (uint16_t)p->ms;
        p->random ^= (uint16_t)(p->random << 7);
        p->random ^= (uint16_t)(p->random >> 9);
        p->random ^= (uint16_t)(p->random << 8);
        if (p->random == 0) {
            p->random = 0x5929;
        }
        p->token = p->random;
    } while (p->token == before);
}

static uint8_t arm(struct pusher *p) {
    if (p->state != PUSHER_SAFE) {
        return STATE;
    }
    if (!estop_closed(p)) {
        return ESTOP_OPEN;
    }
    if (!switch_on(p) || !p->seen_off) {
        return SWITCH;
    }
    new_token(p);
    p->seen_off = false;
    p->fault = FAULT_NONE;
    p->frame_ms = 0;
    p->pulse_half_us = 2 * PUSHER_REST_US;
    enter(p, PUSHER_ARMED);
    return DONE;
}

static bool time_in_limits(uint16_t amp_us, uint16_t t_ms) {
    return t_ms >= PUSHER_TIME_MIN_MS && t_ms <= PUSHER_TIME_MAX_MS &&
           1875UL * amp_us <= (uint32_t)PUSHER_SPEED_MAX_US_S * t_ms;
}

static uint8_t push(struct pusher *p, struct reader *r) {
    uint32_t token;
    uint16_t amp_us, out_ms, hold_ms, back_ms;
    if (!take_hex(r, 4, &token) || !take_dec(r, &amp_us) || !take_dec(r, &out_ms) ||
        !take_dec(r, &hold_ms) || !take_dec(r, &back_ms) || r->length != 0) {
        return SYNTAX;
    }
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
    if (amp_us < 1 || amp_us > PUSHER_AMP_MAX_US || hold_ms > PUSHER_HOLD_MAX_MS ||
        !time_in_limits(amp_us, out_ms) || !time_in_limits(amp_us, back_ms)) {
        return LIMIT;
    }
    p->from_half_us = (uint16_t)(2 * amp_us);
    p->out_ms = out_ms;
    p->hold_ms = hold_ms;
    p->back_ms = back_ms;
    count(&p->strokes);
    enter(p, PUSHER_OUT);
    return DONE;
}

static uint8_t clear(struct pusher *p) {
    if (p->state != PUSHER_ESTOP && p->state != PUSHER_FAULT) {
        return STATE;
    }
    if (!estop_closed(p)) {
        return ESTOP_OPEN;
    }
    if (switch_on(p)) {
        return SWITCH;
    }
    p->fault = FAULT_NONE;
    enter(p, PUSHER_SAFE);
    return DONE;
}

static bool event_is_kept(const struct pusher *p, uint8_t number) {
    uint8_t age = (uint8_t)(p->event_next - number);
    return age >= 1 && age <= p->events_kept;
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
        return event_is_kept(p, *number) ? DONE : LIMIT;
    }
    if (r->length != 0) {
        return SYNTAX;
    }
    switch (verb) {
    case ARM:
        return arm(p);
    case CLEAR:
        return clear(p);
    case STOP:
        latch_estop(p);
        return DONE;
    case ABORT:
    case DISARM:
        give_up(p);
        return DONE;
    default:
        return DONE;
    }
}

/* The facts that follow `OK <verb>`. */
static void put_facts(const struct pusher *p, struct writer *w, uint8_t verb) {
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
    case ARM:
        put_hex_word(w, p->token, 4);
        put_dec_word(w, PUSHER_TOKEN_MS);
        break;
    case PUSH:
        put_dec_word(w, p->strokes);
        break;
    default: /* ABORT, DISARM, STOP, CLEAR */
        put_word(w, STATE_NAMES[p->state]);
        break;
    }
}

static void put_refusal(const struct pusher *p, struct writer *w, uint8_t verb, uint8_t refusal) {
    put_char(w, ' ');
    put_char(w, ER_WORD[0]);
    put_char(w, ER_WORD[1]);
    put_word(w, VERB_NAMES[verb]);
    put_dec_word(w, refusal);
    put_word(w, STATE_NAMES[p->state]);
}

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

/* ---- sessions --------------------------------------------------------------------------- */

/* A refusal that uses up no sequence and is not stored. */
static void refuse(struct pusher *p, uint8_t verb, uint8_t refusal) {
    char body[PUSHER_BODY_MAX];
    struct writer w = {body, 0, sizeof body};
    for (uint8_t i = 1; i < 4; i++) {
        body[i] = p->body[i];
    }
    body[0] = 'R';
    w.length = 4;
    put_refusal(p, &w, verb, refusal);
    send(p, body, w.length);
}

static void feed(struct pusher *p) {
    count(&p->good);
    p->silent_ms = 0;
}

static void repeat(struct pusher *p) {
    feed(p);
    send(p, p->reply, p->reply_length);
}

static void answer(struct pusher *p, uint8_t session, uint8_t sequence, uint8_t verb,
                   uint8_t refusal, uint8_t number) {
    struct writer w = {p->reply, 0, PUSHER_BODY_MAX};
    put_head(&w, 'R', session, sequence);
    if (refusal != DONE) {
        put_refusal(p, &w, verb, refusal);
    } else {
        put_word(&w, OK_WORD);
        put_word(&w, VERB_NAMES[verb]);
        if (verb == EV) {
            put_hex_word(&w, number, 2);
            put_event(p, &w, number);
        } else {
            put_facts(p, &w, verb);
        }
    }
    p->reply_length = w.length;
    p->sequence = sequence;
    p->last_crc = p->crc;
    send(p, p->reply, p->reply_length);
}

static void wrong_sequence(struct pusher *p, const IN_FLASH char *why) {
    count(&p->sequence_errors);
    nak(p, why);
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
        give_up(p);
        answer(p, session, 0, HELLO, DONE, 0);
    }
}

/* A frame whose CRC is right. */
static void obey(struct pusher *p) {
    uint8_t session = hex_value(p->body[1]);
    uint8_t high = hex_value(p->body[2]), low = hex_value(p->body[3]);
    if (p->body[0] != 'C') {
        return;
    }
    if (p->length < 5 || session == 255 || high == 255 || low == 255 || p->body[4] != ' ') {
        count(&p->crc_errors);
        nak(p, NAK_CHR);
        return;
    }
    uint8_t sequence = (uint8_t)(high << 4 | low);
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

/* ---- frames in -------------------------------------------------------------------------- */

bool pusher_realtime(struct pusher *p, uint8_t byte) {
    if (byte == '!') {
        p->stop_asked = 1;
    } else if (byte == '?') {
        p->status_asked = 1;
    } else {
        return false;
    }
    return true;
}

/* What the real-time bytes asked for since. */
static void hear_requests(struct pusher *p) {
    if (p->stop_asked != 0) {
        latch_estop(p);
    }
    if (p->status_asked != 0) {
        p->status_asked = 0;
        if (may_complain(p)) {
            tell_state(p);
        }
    }
}

static void spoil(struct pusher *p, uint16_t *counter, const IN_FLASH char *why) {
    p->receiving = OUTSIDE;
    count(counter);
    nak(p, why);
}

static void end_frame(struct pusher *p) {
    bool whole = p->receiving == IN_CRC && p->digits == 4 && p->crc_readable;
    if (!whole || p->crc != p->crc_given) {
        spoil(p, &p->crc_errors, NAK_CRC);
        return;
    }
    p->receiving = OUTSIDE;
    hear_requests(p);
    obey(p);
}

void pusher_receive(struct pusher *p, uint8_t byte) {
    if (byte == '\r') {
        return;
    }
    if (byte == '$') {
        p->receiving = IN_BODY;
        p->length = p->digits = 0;
        p->crc = 0xFFFF;
        p->crc_given = 0;
        p->crc_readable = true;
    } else if (p->receiving == OUTSIDE) {
        return;
    } else if (byte == '\n') {
        end_frame(p);
    } else if (byte < 0x20 || byte > 0x7E) {
        spoil(p, &p->crc_errors, NAK_CHR);
    } else if (p->receiving == IN_BODY && byte == '*') {
        p->receiving = IN_CRC;
    } else if (p->receiving == IN_BODY) {
        if (p->length == PUSHER_BODY_MAX) {
            spoil(p, &p->oversize, NAK_LEN);
            return;
        }
        p->body[p->length++] = (char)byte;
        p->crc = crc_step(p->crc, byte);
    } else if (p->digits == 4) {
        spoil(p, &p->oversize, NAK_LEN);
    } else {
        uint8_t digit = hex_value((char)byte);
        p->crc_readable = p->crc_readable && digit != 255;
        p->crc_given = (uint16_t)(p->crc_given << 4 | (digit & 15));
        p->digits++;
    }
}

/* ---- time ------------------------------------------------------------------------------- */

void pusher_init(struct pusher *p, uint8_t cause, bool midpush, uint16_t boot_id) {
    memset(p, 0, sizeof *p);
    p->inputs = INPUT_SWITCH; /* every input starts in its unsafe reading */
    p->state = midpush ? PUSHER_FAULT : PUSHER_SAFE;
    p->fault = midpush ? FAULT_MIDPUSH : FAULT_NONE;
    p->boot_id = boot_id;
    p->random = boot_id;
    p->naks_left = NAK_BURST;
    struct writer w = begin_event(p);
    put_word(&w, BOOT_WORD);
    put_word(&w, CAUSE_NAMES[cause]);
    put_dec_word(&w, midpush);
    put_dec_word(&w, PROTOCOL);
    put_hex_word(&w, boot_id, 4);
    end_event(p);
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
        } else if (pusher_moving(p)) {
            p->fault = FAULT_SWITCH;
            enter(p, PUSHER_FAULT);
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

/* What a state does when its time is over. */
static void expire(struct pusher *p) {
    switch (p->state) {
    case PUSHER_ARMED:
        if (p->state_ms >= PUSHER_TOKEN_MS) {
            enter(p, PUSHER_SAFE);
        }
        break;
    case PUSHER_OUT:
        if (p->state_ms >= p->out_ms) {
            p->pos_half_us = p->from_half_us;
            enter(p, PUSHER_HOLD);
        }
        break;
    case PUSHER_HOLD:
        if (p->state_ms >= p->hold_ms) {
            go_back(p);
        }
        break;
    case PUSHER_BACK:
        if (p->state_ms >= p->back_ms + PUSHER_REST_MS) {
            enter(p, p->fault == FAULT_NONE ? PUSHER_SAFE : PUSHER_FAULT);
        }
        break;
    default:
        break;
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
    hear_requests(p);
    watch(p);
    expire(p);
    if (powered(p) && ++p->frame_ms >= PUSHER_FRAME_MS) {
        p->frame_ms = 0;
        move_servo(p);
    }
    return pusher_pulse(p);
}

uint16_t pusher_tick(struct pusher *p, uint8_t raw) {
    (void)pusher_sample(p, raw);
    return pusher_advance(p);
}
