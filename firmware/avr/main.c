/* The ATmega328P under the core: serial port, clock, servo, inputs, watchdog.
 *
 * The only file that touches registers. Interrupts may cut the servo's power, and only the main
 * line gives it. Everything else is decided in core/.
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "../core/pusher.h"

/* D2, D3 beams; D4 arm switch, on = low; D5 E-stop, closed = low; D7 power gate; D9 servo;
 * D13 LED. */
#define BEAMS (_BV(PD2) | _BV(PD3))
#define SWITCH_PIN PD4
#define ESTOP_PIN PD5
#define GATE PD7
#define SERVO PB1
#define LED PB5

#define AWAY_MARK 0xA55A
#define AWAY_CELLS 32
#define CELL_HOME 0xFF
#define CELL_AWAY 0
#define RX_SIZE 64
#define BEAM_SIZE 8

struct edge {
    uint8_t which;
    bool broken;
    uint32_t us;
};

static struct pusher pusher;

/* Survives a reset, not a loss of power; for that there is the EEPROM. */
static uint16_t away_mark __attribute__((section(".noinit")));
static uint8_t reset_cause __attribute__((section(".noinit")));

/* Every stroke writes another cell twice, once as it begins and once as the arm is home, so that
 * each is worn by every 32nd stroke. Both writes happen while the arm is home: one that a loss of
 * power cuts short may leave anything. A cell that is not erased says that the arm may be away. */
struct kept {
    uint16_t boots;
    uint8_t away[AWAY_CELLS];
};

static struct kept EEMEM kept;
static uint8_t cell;
static bool away_written;

static volatile uint8_t rx[RX_SIZE];
static volatile uint8_t rx_in, rx_out;
static volatile uint8_t ticks;
static volatile uint32_t turned_us; /* at the last turn of Timer1, each 20 ms */
static volatile struct edge edges[BEAM_SIZE];
static volatile uint8_t edges_in, edges_out;
static volatile uint8_t edges_now; /* in this millisecond */

/* Before anything else: the watchdog may still be running from the reset that it made. */
__attribute__((naked, used, section(".init3"))) static void keep_reset_cause(void) {
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

/* No power, and the servo's pin floats: the pull-down holds it low. */
static inline void cut_power(void) {
    PORTD &= (uint8_t)~_BV(GATE);
    DDRD &= (uint8_t)~_BV(GATE);
    DDRB &= (uint8_t)~_BV(SERVO);
}

/* ---- interrupts ------------------------------------------------------------------------- */

ISR(USART_RX_vect) {
    uint8_t broken = UCSR0A & _BV(FE0);
    uint8_t byte = UDR0;
    if (broken) {
        byte = 0; /* a frame holds no such byte: it is spoilt, and answered so */
    }
    if (pusher_realtime(&pusher, byte)) {
        if (pusher.stop_asked) {
            cut_power();
        }
        return;
    }
    uint8_t next = (uint8_t)((rx_in + 1) % RX_SIZE);
    if (next != rx_out) {
        rx[rx_in] = byte;
        rx_in = next;
    }
}

ISR(USART_UDRE_vect) {
    int16_t byte = pusher_next(&pusher);
    if (byte < 0) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = (uint8_t)byte;
    }
}

static inline uint8_t read_inputs(void) {
    uint8_t pins = PIND;
    uint8_t inputs = 0;
    inputs |= pins & _BV(SWITCH_PIN) ? 0 : INPUT_SWITCH;
    inputs |= pins & _BV(ESTOP_PIN) ? 0 : INPUT_ESTOP_CLOSED;
    inputs |= pins & _BV(PD2) ? 0 : INPUT_BEAM_0; /* open collector: a broken beam pulls low */
    inputs |= pins & _BV(PD3) ? 0 : INPUT_BEAM_1;
    return inputs;
}

ISR(TIMER0_COMPA_vect) {
    if (pusher_sample(&pusher, read_inputs())) {
        cut_power();
    }
    ticks++;
}

ISR(TIMER1_OVF_vect) { turned_us += 20000; }

/* A beam whose edges come faster than they can be told is not listened to for the rest of the
 * millisecond: it must not keep the processor from anything else. */
static inline void keep_edge(uint8_t which, uint8_t pin) {
    uint16_t count = TCNT1;
    uint32_t us = turned_us + count / 2;
    if ((TIFR1 & _BV(TOV1)) && count < 20000) {
        us += 20000; /* it has turned over, and its interrupt waits behind this one */
    }
    uint8_t next = (uint8_t)((edges_in + 1) % BEAM_SIZE);
    if (next != edges_out && edges_now < BEAM_SIZE) {
        edges_now++;
        edges[edges_in].which = which;
        edges[edges_in].broken = !(PIND & _BV(pin));
        edges[edges_in].us = us;
        edges_in = next;
    } else {
        EIMSK &= (uint8_t)~_BV(which);
    }
}

ISR(INT0_vect) { keep_edge(0, PD2); }
ISR(INT1_vect) { keep_edge(1, PD3); }

/* ---- main line -------------------------------------------------------------------------- */

/* Give the servo its pulse, or take its power. */
static void drive_servo(uint16_t half_us) {
    if (half_us == 0) {
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { cut_power(); }
        PORTB &= (uint8_t)~_BV(LED);
        return;
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        OCR1A = half_us - 1;
        /* Join the pulses between two of them, so that none is torn. */
        if (!pusher.stop_asked && !(DDRB & _BV(SERVO)) && TCNT1 > 4000) {
            DDRD |= _BV(GATE);
            PORTD |= _BV(GATE);
            DDRB |= _BV(SERVO);
        }
    }
    PORTB |= _BV(LED);
}

/* Whether any cell says that the arm may be away; if so, `cell` is the first that does. */
static bool find_away(void) {
    for (uint8_t i = 0; i < AWAY_CELLS; i++) {
        if (eeprom_read_byte(&kept.away[i]) != CELL_HOME) {
            cell = i;
            return true;
        }
    }
    return false;
}

/* Whether the arm may be away since before this start. */
static bool was_away(uint16_t boots) {
    cell = (uint8_t)(boots % AWAY_CELLS);
    away_written = find_away();
    return away_written || away_mark == AWAY_MARK;
}

/* Keep both flags true to the state, without ever waiting for the EEPROM. On a board that had
 * another program before, many cells may say away: one HOMED clears all of them, a write at a
 * time, and is done long before a stroke can begin. */
static void keep_away(void) {
    bool away = pusher_away(&pusher);
    away_mark = away ? AWAY_MARK : 0;
    if (away == away_written || !eeprom_is_ready()) {
        return;
    }
    if (away) {
        cell = (uint8_t)((cell + 1) % AWAY_CELLS);
        eeprom_write_byte(&kept.away[cell], CELL_AWAY);
        away_written = true;
    } else if (find_away()) {
        eeprom_write_byte(&kept.away[cell], CELL_HOME);
    } else {
        away_written = false;
    }
}

static uint8_t cause(void) {
    if (reset_cause & _BV(WDRF)) {
        return CAUSE_WDT;
    }
    if (reset_cause & _BV(PORF)) {
        return CAUSE_POR;
    }
    if (reset_cause & _BV(BORF)) {
        return CAUSE_BOR;
    }
    return reset_cause & _BV(EXTRF) ? CAUSE_EXT : CAUSE_UNK;
}

static void start_pins(void) {
    PORTD = BEAMS | _BV(SWITCH_PIN) | _BV(ESTOP_PIN); /* pull-ups; the gate stays an input */
    DDRB = _BV(LED);
    EICRA = _BV(ISC00) | _BV(ISC10); /* every edge of the beams */
    EIFR = _BV(INTF0) | _BV(INTF1);
    EIMSK = _BV(INT0) | _BV(INT1);
}

static void start_timers(void) {
    /* Timer1: mode 14, prescaler 8, 20 ms; the servo's pin obeys its DDR bit alone. */
    ICR1 = 39999;
    OCR1A = 2 * PUSHER_REST_US - 1;
    TCCR1A = _BV(COM1A1) | _BV(WGM11);
    TCCR1B = _BV(WGM13) | _BV(WGM12) | _BV(CS11);
    TIMSK1 = _BV(TOIE1);
    /* Timer0: 1 kHz. */
    OCR0A = 249;
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    TIMSK0 = _BV(OCIE0A);
}

static void start_serial(void) {
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = 16; /* 115200 with U2X, 2.1 % fast */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static bool take(volatile uint8_t *waiting) {
    bool any = false;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        if (*waiting != 0) {
            --*waiting;
            any = true;
        }
    }
    return any;
}

static void tell_edge(void) {
    volatile struct edge *edge = &edges[edges_out];
    pusher_beam(&pusher, edge->which, edge->broken, edge->us);
    edges_out = (uint8_t)((edges_out + 1) % BEAM_SIZE);
}

/* Listen to the beams again, and to what has become of one that was not listened to. */
static void watch_beams(void) {
    edges_now = 0;
    for (uint8_t which = 0; which < 2; which++) {
        if (!(EIMSK & _BV(which))) {
            ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
                EIFR = _BV(which);
                EIMSK |= _BV(which);
                keep_edge(which, which == 0 ? PD2 : PD3);
            }
        }
    }
}

/* Sleep until the next interrupt, at most to the next millisecond. The last look and the sleep are
 * one: an interrupt in between would wait behind both. */
static void rest(void) {
    cli();
    if (ticks == 0 && rx_out == rx_in && edges_out == edges_in) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

int main(void) {
    uint16_t boots = (uint16_t)(eeprom_read_word(&kept.boots) + 1);
    bool away = was_away(boots);
    eeprom_update_word(&kept.boots, boots);
    pusher_init(&pusher, cause(), away, boots);
    start_pins();
    start_timers();
    start_serial();
    wdt_enable(WDTO_120MS);
    sei();
    for (;;) {
        wdt_reset();
        if (rx_out != rx_in) {
            uint8_t byte = rx[rx_out];
            rx_out = (uint8_t)((rx_out + 1) % RX_SIZE);
            pusher_receive(&pusher, byte);
        }
        if (edges_out != edges_in) {
            tell_edge();
        }
        if (take(&ticks)) {
            drive_servo(pusher_advance(&pusher));
            keep_away();
            watch_beams();
        }
        if (pusher.tx_out != pusher.tx_in) {
            UCSR0B |= _BV(UDRIE0);
        }
        rest();
    }
}
