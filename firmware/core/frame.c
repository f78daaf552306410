/* Bytes in, frames out, and the other way round; section 1 of protocol.md. */
#include "inside.h"

enum receiving { OUTSIDE, IN_BODY, IN_CRC };

static const IN_FLASH char NAK_CRC[] = "CRC";
static const IN_FLASH char NAK_LEN[] = "LEN";
static const IN_FLASH char NAK_CHR[] = "CHR";

static uint16_t crc_step(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)(byte << 8);
    for (uint8_t bit = 0; bit < 8; bit++) {
        crc = (uint16_t)(crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1);
    }
    return crc;
}

/* ---- out -------------------------------------------------------------------------------- */

/* Send a frame whole, or count it as dropped. */
void frame_send(struct pusher *p, const char *body, uint8_t length) {
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

void frame_head(struct writer *w, char kind, uint8_t session, uint8_t number) {
    put_char(w, kind);
    put_hex(w, session, 1);
    put_hex(w, number, 2);
}

/* Whether something may be said that nobody waits for, and room is left for what people do. */
bool frame_has_room(const struct pusher *p) {
    return (uint8_t)(p->tx_in - p->tx_out) + FRAME_MAX + TX_KEPT <= 255;
}

/* So that a flood is not answered by a flood. */
bool frame_may_complain(struct pusher *p) {
    if (p->naks_left == 0 || !frame_has_room(p)) {
        return false;
    }
    p->naks_left--;
    return true;
}

void frame_nak(struct pusher *p, const IN_FLASH char *why) {
    char body[8];
    struct writer w = {body, 0, sizeof body};
    if (!frame_may_complain(p)) {
        return;
    }
    frame_head(&w, 'N', p->session, p->session == 0 ? 0 : after(p->sequence));
    put_word(&w, why);
    frame_send(p, body, w.length);
}

/* ---- in --------------------------------------------------------------------------------- */

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

static void spoil(struct pusher *p, uint16_t *counter, const IN_FLASH char *why) {
    p->receiving = OUTSIDE;
    count(counter);
    frame_nak(p, why);
}

static bool head_is_readable(const struct pusher *p) {
    return p->length >= 5 && hex_value(p->body[1]) != 255 && hex_value(p->body[2]) != 255 &&
           hex_value(p->body[3]) != 255 && p->body[4] == ' ';
}

static void end_frame(struct pusher *p) {
    bool whole = p->receiving == IN_CRC && p->digits == 4 && p->crc_readable;
    if (!whole || p->crc != p->crc_given) {
        spoil(p, &p->crc_errors, NAK_CRC);
        return;
    }
    p->receiving = OUTSIDE;
    if (p->length == 0 || p->body[0] != 'C') {
        return;
    }
    if (!head_is_readable(p)) {
        spoil(p, &p->crc_errors, NAK_CHR);
        return;
    }
    state_hear_requests(p);
    session_obey(p);
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
