"""How often something may be asked for: buckets, of one who asks, or one for each address."""

from __future__ import annotations

import ipaddress
import time
from contextlib import suppress

from starlette.types import Scope

MOST_ADDRESSES = 4096  # of which something is remembered
PREFIX = 64  # bits of an IPv6 address that belong to one household


class Bucket:
    """At most `rate` things a second on average, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left, self._then = burst, time.monotonic()

    def take(self) -> bool:
        """Return whether one more is within the rate."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + self.rate * (now - self._then))
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for each address: nobody's requests use up what others may ask for.

    Beyond MOST_ADDRESSES, the one that asked longest ago is forgotten.
    """

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._of: dict[str, Bucket] = {}  # who asked last is last

    def __len__(self) -> int:
        return len(self._of)

    def take(self, address: str) -> bool:
        """Return whether one more from an address is within the rate."""
        bucket = self._of.pop(address, None) or Bucket(self.rate, self.burst)
        self._of[address] = bucket
        if len(self._of) > MOST_ADDRESSES:
            del self._of[next(iter(self._of))]
        return bucket.take()


def address_of(scope: Scope) -> str:
    """Return the address that asks, the same for all among which one client can choose.

    These are the machine's own, 127.0.0.0/8 and ::1, and an IPv6 network of PREFIX bits.
    """
    name = str((scope.get("client") or ("",))[0])
    with suppress(ValueError):
        found = ipaddress.ip_address(name)
        if isinstance(found, ipaddress.IPv6Address):
            found = found.ipv4_mapped or found
        if found.is_loopback:
            return "localhost"
        if isinstance(found, ipaddress.IPv6Address):
            bits = int(found) >> (found.max_prefixlen - PREFIX)
            return f"{bits:x}/{PREFIX}"
        return str(found)
    return name
