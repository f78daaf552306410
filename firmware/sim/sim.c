/* The chip's own image in lockstep under simavr, for tests only: Python says when time passes.
 *
 * Links libsimavr, which is GPL-3: this library is built where the tests run, never shipped, and
 * nothing in the program knows of it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#define MHZ 16
#define KEPT 8192
#define PAINT 0xC5
#define SRAM_SIZE 2048
#define EEPROM_SIZE 1024
#define UNUSED_FLASH 0x7000

/* Addresses in data space of the ATmega328P. */
enum { MCUSR = 0x54, DDRB = 0x24, DDRD = 0x2A, PORTD = 0x2B, OCR1A = 0x88, SRAM = 0x100 };

struct pulse {
    uint64_t cycle;
    uint16_t half_us;
};

struct sim {
    avr_t *avr;
    uint8_t in[KEPT], out[KEPT];
    uint32_t in_length, in_at, out_length;
    int listening;
    int power;
    uint64_t power_changed;
    uint64_t deaf_since, deafest;
    struct pulse pulses[KEPT];
    uint32_t pulse_count;
};

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct sim *s = param;
    (void)irq;
    if (s->out_length < KEPT) {
        s->out[s->out_length++] = (uint8_t)value;
    }
}

static void on_ready(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)value;
    ((struct sim *)param)->listening = 1;
}

static void on_full(struct avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    (void)value;
    ((struct sim *)param)->listening = 0;
}

/* simavr 1.6 has the falling edge wrong: the width is read from the register at the rise. */
static void on_servo(struct avr_irq_t *irq, uint32_t value, void *param) {
    struct sim *s = param;
    const uint8_t *data = s->avr->data;
    (void)irq;
    if (value && (data[DDRB] & 2) && s->pulse_count < KEPT) {
        uint16_t top = (uint16_t)(data[OCR1A] | data[OCR1A + 1] << 8);
        s->pulses[s->pulse_count++] = (struct pulse){s->avr->cycle, (uint16_t)(top + 1)};
    }
}

/* What simavr would print of its own. */
static void on_log(avr_t *avr, const int level, const char *format, va_list words) {
    (void)avr;
    (void)level;
    (void)format;
    (void)words;
}

/* A sleeping chip takes no time of this computer's. */
static void on_sleep(avr_t *avr, avr_cycle_count_t cycles) {
    (void)avr;
    (void)cycles;
}

/* A chip that gets its power. `eeprom`: what it holds. */
struct sim *sim_open(const char *elf, uint8_t *eeprom) {
    elf_firmware_t image;
    avr_global_logger_set(on_log);
    memset(&image, 0, sizeof image);
    if (elf_read_firmware(elf, &image) != 0) {
        return NULL;
    }
    struct sim *s = calloc(1, sizeof *s);
    avr_t *avr = s == NULL ? NULL : avr_make_mcu_by_name("atmega328p");
    if (avr == NULL) {
        free(s);
        return NULL;
    }
    s->avr = avr;
    avr_init(avr);
    avr->frequency = MHZ * 1000000UL;
    avr->log = LOG_NONE;
    avr->sleep = on_sleep;
    image.frequency = MHZ * 1000000UL;
    avr_load_firmware(avr, &image);
    memset(avr->data + SRAM, PAINT, SRAM_SIZE); /* as undefined as at power-on, and countable */
    avr_eeprom_desc_t kept = {.ee = eeprom, .offset = 0, .size = EEPROM_SIZE};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &kept);
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POOL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uint32_t uart = AVR_IOCTL_UART_GETIRQ('0');
    avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUTPUT), on_byte, s);
    avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUT_XON), on_ready, s);
    avr_irq_register_notify(avr_io_getirq(avr, uart, UART_IRQ_OUT_XOFF), on_full, s);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 1), on_servo, s);
    return s;
}

void sim_close(struct sim *s) {
    avr_terminate(s->avr);
    free(s);
}

/* What the hands and beams put on port D: all pins at once, a later call replaces the mask. */
void sim_pins(struct sim *s, uint8_t mask, uint8_t value) {
    avr_ioport_external_t pins = {.name = 'D', .mask = mask, .value = value};
    avr_ioctl(s->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &pins);
    if (s->avr->state == cpu_Sleeping) {
        s->avr->state = cpu_Running; /* simavr would sleep on to its next timer */
    }
    for (int bit = 0; bit < 8; bit++) {
        if (mask & 1 << bit) {
            avr_raise_irq(avr_io_getirq(s->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), bit),
                          value >> bit & 1);
        }
    }
}

void sim_put(struct sim *s, const uint8_t *bytes, uint32_t length) {
    memmove(s->in, s->in + s->in_at, s->in_length - s->in_at);
    s->in_length -= s->in_at;
    s->in_at = 0;
    if (length > KEPT - s->in_length) {
        length = KEPT - s->in_length;
    }
    memcpy(s->in + s->in_length, bytes, length);
    s->in_length += length;
}

uint32_t sim_get(struct sim *s, uint8_t *bytes) {
    uint32_t length = s->out_length;
    memcpy(bytes, s->out, length);
    s->out_length = 0;
    return length;
}

static void step(struct sim *s) {
    const uint8_t *data = s->avr->data;
    while (s->listening && s->in_at < s->in_length) {
        avr_raise_irq(avr_io_getirq(s->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT),
                      s->in[s->in_at++]);
    }
    avr_run(s->avr);
    if (s->avr->sreg[S_I] || s->avr->state == cpu_Sleeping) {
        s->deaf_since = s->avr->cycle;
    } else if (s->avr->cycle - s->deaf_since > s->deafest) {
        s->deafest = s->avr->cycle - s->deaf_since;
    }
    int power = (data[DDRD] & data[PORTD] & 0x80) != 0;
    if (power != s->power) {
        s->power = power;
        s->power_changed = s->avr->cycle;
    }
}

static avr_cycle_count_t on_end(avr_t *avr, avr_cycle_count_t when, void *param) {
    (void)avr;
    (void)when;
    (void)param;
    return 0;
}

void sim_run(struct sim *s, uint32_t us) {
    uint64_t end = s->avr->cycle + (uint64_t)us * MHZ;
    avr_cycle_timer_register(s->avr, (avr_cycle_count_t)us * MHZ, on_end, s); /* no sleep beyond */
    while (s->avr->cycle < end) {
        step(s);
    }
}

/* As the reset pin, or DTR, does it: memory keeps its content. */
void sim_reset(struct sim *s) {
    avr_reset(s->avr);
    s->avr->data[MCUSR] = 2;
    s->listening = 0;
    s->in_length = s->in_at = 0;
}

/* The main line goes astray and stands still; interrupts go on. */
void sim_hang(struct sim *s) {
    s->avr->flash[UNUSED_FLASH] = 0xFF; /* a jump to itself */
    s->avr->flash[UNUSED_FLASH + 1] = 0xCF;
    s->avr->pc = UNUSED_FLASH;
    s->avr->state = cpu_Running;
}

void sim_eeprom(struct sim *s, uint8_t *into) {
    avr_eeprom_desc_t kept = {.ee = into, .offset = 0, .size = EEPROM_SIZE};
    avr_ioctl(s->avr, AVR_IOCTL_EEPROM_GET, &kept);
}

/* Bytes between the variables and the deepest stack so far: the longest stretch of paint. */
uint32_t sim_stack_left(const struct sim *s) {
    uint32_t run = 0, longest = 0;
    for (uint32_t i = 0; i < SRAM_SIZE; i++) {
        run = s->avr->data[SRAM + i] == PAINT ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* From now on: the longest stretch of cycles in which no interrupt would have been taken. */
void sim_listen(struct sim *s) { s->deafest = 0; }
uint64_t sim_deafest(const struct sim *s) { return s->deafest; }

uint64_t sim_cycle(const struct sim *s) { return s->avr->cycle; }
int sim_power(const struct sim *s) { return s->power; }
uint64_t sim_power_changed(const struct sim *s) { return s->power_changed; }
void sim_forget_pulses(struct sim *s) { s->pulse_count = 0; }
uint32_t sim_pulse_count(const struct sim *s) { return s->pulse_count; }
uint16_t sim_pulse(const struct sim *s, uint32_t i) { return s->pulses[i].half_us; }
uint64_t sim_pulse_cycle(const struct sim *s, uint32_t i) { return s->pulses[i].cycle; }
