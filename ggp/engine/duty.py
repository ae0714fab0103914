"""The duty of an engine process, and since when: the difference of thinking and hanging.

>>> duty = Duty()
>>> duty.asked(Follow(7, 0, (), is_last=False))  # from now on it owes to take that up
>>> duty.heard(Begun(7))  # now it makes the steps
>>> duty.is_at_rules
True
>>> duty.heard(Done(7))  # now it owes nothing
>>> duty.since
inf
"""

from __future__ import annotations

import math
import time

from ggp.engine.wire import Begin, Begun, Command, Done, Failed, Follow, MovedReply

Progress = Begun | MovedReply | Done | Failed
"""The events that come when one part of a command is done, whatever the player does meanwhile."""


class Duty:
    """The next thing that a process owes: to take up a command, make its steps, return in time.

    Attributes:
        since: The moment since which it owes something; one to come while it may still search,
            infinity while it owes nothing. Commands that are not taken up do not move it.
        is_at_rules: Whether it reads the rules or makes steps.
        slowest_seconds: The longest time that it has kept anybody waiting, START left out.
    """

    def __init__(self) -> None:
        self.since = math.inf
        self.is_at_rules = False
        self.slowest_seconds = 0.0
        self._request = 0
        self._may_search_until = -math.inf
        self._is_beginning = False

    def asked(self, command: Command) -> None:
        """A command has been sent."""
        self._request = command.request
        self._is_beginning = isinstance(command, Begin)
        self._may_search_until = -math.inf if isinstance(command, Follow) else command.moment
        self.since = min(self.since, time.monotonic())

    def heard(self, event: Progress) -> None:
        """A part is done."""
        now = time.monotonic()
        if not (self.is_at_rules and self._is_beginning):
            self.slowest_seconds = max(self.slowest_seconds, now - self.since)
        self.is_at_rules = isinstance(event, Begun)
        is_newest = event.request == self._request
        match event:
            case MovedReply() if is_newest:
                self.since = max(now, self._may_search_until)
            case Done() | Failed() if is_newest:
                self.since = math.inf
            case _:
                self.since = now
