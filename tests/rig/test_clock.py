"""Clocks: the wall's, and the one that tests move."""

import threading

import pytest

from rig.clock import ManualClock, SystemClock


@pytest.mark.parametrize("clock", [SystemClock(), SystemClock(speed=100.0), ManualClock()])
class TestAnyClock:
    def test_sleeping_moves_both_times_on_alike(self, clock):
        wall_s, start_s = clock.now_s(), clock.monotonic_s()
        clock.sleep(0.002)
        assert clock.monotonic_s() - start_s >= 0.002
        assert clock.now_s() - wall_s == pytest.approx(clock.monotonic_s() - start_s, abs=0.1)

    def test_waiting_for_a_set_event_takes_no_time(self, clock):
        event = threading.Event()
        event.set()
        assert clock.wait(event, 1000.0)
        assert clock.wait(event)

    def test_waiting_for_nothing_ends_with_the_time(self, clock):
        start_s = clock.monotonic_s()
        assert not clock.wait(threading.Event(), 0.002)
        assert clock.monotonic_s() - start_s >= 0.002

    def test_a_time_that_is_over_is_no_time(self, clock):
        clock.sleep(-1.0)
        assert not clock.wait(threading.Event(), -1.0)


def test_the_system_clock_tells_the_time_of_day():
    assert SystemClock().now_s() > 1_700_000_000


def test_a_clock_in_a_hurry_runs_ahead_of_the_wall():
    slow, fast = SystemClock(), SystemClock(speed=1e6)
    slow.sleep(0.002)
    assert fast.monotonic_s() > 100 * slow.monotonic_s()


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_a_clock_cannot_stand_still_or_run_backwards(speed):
    with pytest.raises(ValueError, match="speed"):
        SystemClock(speed)


def test_what_is_booked_happens_in_order_and_at_its_own_time():
    clock, seen = ManualClock(), []
    for delay_s in (3.0, 1.0, 2.0):
        clock.after(delay_s, lambda: seen.append(clock.monotonic_s()))
    clock.sleep(2.5)
    assert seen == [1.0, 2.0]
    assert clock.monotonic_s() == 2.5


def test_a_booked_action_may_book_another():
    clock, seen = ManualClock(), []
    clock.after(1.0, lambda: clock.after(1.0, lambda: seen.append(clock.monotonic_s())))
    clock.advance(5.0)
    assert seen == [2.0]


def test_waiting_stops_at_the_booking_that_sets_the_event():
    clock, event = ManualClock(), threading.Event()
    clock.after(2.0, event.set)
    clock.after(3.0, event.clear)
    assert clock.wait(event, 10.0)
    assert clock.monotonic_s() == 2.0
    clock.advance(2.0)
    clock.after(4.0, event.set)
    assert clock.wait(event)
    assert clock.monotonic_s() == 8.0


def test_waiting_for_what_nobody_will_do_is_an_error_and_no_endless_wait():
    with pytest.raises(RuntimeError, match="nobody"):
        ManualClock().wait(threading.Event())
