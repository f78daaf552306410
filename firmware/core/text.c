#include "text.h"

void put_char(struct writer *w, char c) {
    if (w->length < w->limit) {
        w->text[w->length++] = c;
    }
}

void put_word(struct writer *w, const IN_FLASH char *word) {
    if (w->length != 0) {
        put_char(w, ' ');
    }
    while (*word != 0) {
        put_char(w, *word++);
    }
}

char hex_digit(uint8_t value) {
    return (char)(value < 10 ? '0' + value : 'A' + value - 10);
}

void put_hex(struct writer *w, uint32_t value, uint8_t digits) {
    while (digits-- != 0) {
        put_char(w, hex_digit((uint8_t)((value >> (4 * digits)) & 15)));
    }
}

void put_hex_word(struct writer *w, uint32_t value, uint8_t digits) {
    put_char(w, ' ');
    put_hex(w, value, digits);
}

void put_dec_word(struct writer *w, uint16_t value) {
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

uint8_t hex_value(char c) {
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

bool take_hex(struct reader *r, uint8_t digits, uint32_t *value) {
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

bool take_dec(struct reader *r, uint16_t *value) {
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
