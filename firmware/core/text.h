/* Words and numbers, written and read by the rules of the wire. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __FLASH /* avr-gcc: constants that stay in flash */
#define IN_FLASH __flash
#else
#define IN_FLASH
#endif

/* Where words are written to; never past its limit. */
struct writer {
    char *text;
    uint8_t length, limit;
};

void put_char(struct writer *w, char c);

/* A word, with a space before it unless it is the first. */
void put_word(struct writer *w, const IN_FLASH char *word);

void put_hex(struct writer *w, uint32_t value, uint8_t digits);

/* The same with a space before it. */
void put_hex_word(struct writer *w, uint32_t value, uint8_t digits);
void put_dec_word(struct writer *w, uint16_t value);

char hex_digit(uint8_t value);

/* Value of an upper-case hex digit, or 255. */
uint8_t hex_value(char c);

/* What is left of a command to read. */
struct reader {
    const char *text;
    uint8_t length;
};

/* One space and exactly `digits` upper-case hex digits. */
bool take_hex(struct reader *r, uint8_t digits, uint32_t *value);

/* One space and a number from 0 to 65535 without leading zeros. */
bool take_dec(struct reader *r, uint16_t *value);

#endif
