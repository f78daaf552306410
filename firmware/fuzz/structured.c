/* A host who knows all that a host can know, and uses it in any order: frames with the right
 * checksum, mostly the right session, sequence and token; time; hands; noise. */
#include <stdio.h>
#include <string.h>

#include "world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *data;
    size_t size;
};

static uint8_t take(struct input *in) {
    if (in->size == 0) {
        return 0;
    }
    in->size--;
    return *in->data++;
}

static uint16_t take_word(struct input *in) { return (uint16_t)(take(in) << 8 | take(in)); }

static char last[80];

static void send(struct world *w, char kind, uint8_t session, uint8_t sequence, const char *text) {
    char body[72];
    int length = snprintf(body, sizeof body, "%c%X%02X %s", kind, session & 15u, sequence, text);
    snprintf(last, sizeof last, "$%s*%04X\n", body, world_crc(body, (size_t)length));
    world_put(w, (const uint8_t *)last, strlen(last));
}

static void say(struct world *w, struct input *in, const char *text) {
    const struct pusher *p = &w->pusher;
    uint8_t sequence = p->sequence == 255 ? 1 : (uint8_t)(p->sequence + 1);
    uint8_t how = take(in);
    uint8_t other = how >= 252 ? take(in) : 0;
    send(w, how == 255 ? "CREN"[other % 4] : 'C', how == 254 ? other : p->session,
         how == 253 ? other : how == 252 ? p->sequence : sequence, text);
}

static void push(struct world *w, struct input *in, bool legal) {
    char text[48];
    uint16_t amp = take_word(in), out = take_word(in), hold = take_word(in), back = take_word(in);
    uint16_t token = take(in) == 255 ? take_word(in) : w->pusher.token;
    if (legal) {
        amp = (uint16_t)(1 + amp % 400);
        out = (uint16_t)(amp * 5u / 4 + 200 + out % 700);
        hold %= 900;
        back = (uint16_t)(amp * 5u / 4 + 200 + back % 700);
    }
    snprintf(text, sizeof text, "PUSH %04X %u %u %u %u", token, amp, out, hold, back);
    say(w, in, text);
}

static void live(struct world *w, uint32_t ms) {
    while (ms > 0) {
        uint32_t part = ms < 300 ? ms : 300;
        uint8_t next = w->pusher.sequence == 255 ? 1 : (uint8_t)(w->pusher.sequence + 1);
        send(w, 'C', w->pusher.session, next, "HB");
        world_run(w, part);
        ms -= part;
    }
}

static void act(struct world *w, struct input *in) {
    static const char *const plain[] = {"ARM",    "CLEAR", "ABORT", "DISARM", "STOP", "HB",
                                        "LIM",    "CNT",   "FOO",   "HB X",   "EV",   "PUSH",
                                        "ARM ARM", "HOMED", "HOMED"};
    char text[32];
    uint8_t byte;
    switch (take(in) % 17) {
    case 0:
        world_run(w, take(in));
        break;
    case 1:
        live(w, 4u * take(in));
        break;
    case 2:
        w->raw = take(in) & 0x33;
        break;
    case 3: /* a hand at the switch, and time to settle */
        w->raw = INPUT_ESTOP_CLOSED;
        world_run(w, 4);
        w->raw |= INPUT_SWITCH;
        world_run(w, 4);
        say(w, in, "ARM");
        live(w, 610);
        break;
    case 4:
    case 5:
        push(w, in, true);
        break;
    case 6:
        push(w, in, false);
        break;
    case 7:
        byte = take(in);
        snprintf(text, sizeof text, "HELLO %u %08X", byte < 250 ? 1u : byte - 250u, byte);
        byte = take(in);
        send(w, 'C', byte < 250 ? (uint8_t)(w->pusher.session % 15 + 1) : byte,
             take(in) < 250 ? 0 : 1, text);
        break;
    case 8:
        snprintf(text, sizeof text, "EV %02X", (uint8_t)(w->pusher.event_next - take(in) % 12));
        say(w, in, text);
        break;
    case 9:
        world_put(w, (const uint8_t *)last, strlen(last));
        break;
    case 10: {
        size_t at = take(in) % (strlen(last) + 1);
        if (last[at] != 0) {
            last[at] = (char)(last[at] ^ 1 << take(in) % 8);
        }
        world_put(w, (const uint8_t *)last, strlen(last));
        break;
    }
    case 11:
        byte = take(in);
        world_put(w, &byte, 1);
        break;
    case 12:
        world_put(w, (const uint8_t *)(take(in) < 128 ? "!" : "?"), 1);
        break;
    case 13:
        pusher_beam(&w->pusher, take(in) & 1, take(in) & 1, take_word(in) * 65537u);
        break;
    case 14:
        world_run(w, 40u * take(in));
        break;
    case 15:
        world_reset(w);
        break;
    default:
        say(w, in, plain[take(in) % (sizeof plain / sizeof *plain)]);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct world w;
    struct input in = {data, size};
    world_init(&w, take(&in) == 255);
    w.raw = INPUT_ESTOP_CLOSED;
    last[0] = 0;
    world_run(&w, 5);
    while (in.size != 0) {
        act(&w, &in);
    }
    return 0;
}
