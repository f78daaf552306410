"""What not everybody may read: files of their owner alone, and the secrets of a round under a key.

A journal contains ballots before they are shown, and exports contain what people did and said:
only their owner can read such a file, from its first byte on. Windows has no such modes; there the
user's folder keeps others out.

While a round with hands runs, what the journal keeps secret of it is under a key besides, so that
its owner sees no hand there either. The program has the key in memory, and so have the phones that
sit at the table; the journal has it when the round is over. The cipher is ChaCha20-Poly1305 of the
package `cryptography`, which is an extra: without it no journal is kept under a key.
"""

import contextlib
import hashlib
import json
import logging
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

_FILE, _FOLDER = 0o600, 0o700
_NONCE_BYTES = 12
"""As the cipher takes them. They are drawn, not counted: a write that failed may have left the same
event of another content on the disk."""
_BLOCK = 256
"""Secrets are filled up to a multiple of so many bytes: the length of one would say what it is, as
cards of two digits are longer than those of one."""
_FIELDS = frozenset({"round_key", "box"})
UNDER_KEY = '{"round_key":'
"""So the text of secrets under a key begins, and hardly another."""


def make_folder(path: Path) -> None:
    """Make a folder and its missing parents; an existing one stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(mode=_FOLDER, exist_ok=True)
        sync_folder(path.parent)


def make_file(path: Path) -> None:
    """Make an empty file if there is none; remove other people's permissions from one that exists.

    Raises:
        OSError: it cannot be made, or opened for writing.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, _FILE)
    try:
        if os.name == "posix" and os.fstat(file).st_mode & 0o077:
            with contextlib.suppress(PermissionError):  # somebody else's, lent to us
                os.fchmod(file, _FILE)
    finally:
        os.close(file)


def write(path: Path, data: bytes) -> None:
    """Write the whole file or nothing, and make its folder if it is missing.

    Raises:
        OSError: it cannot be written; the old contents are still there.
    """
    if path.exists() and not path.is_file():  # a pipe or a terminal, which keeps nothing
        path.write_bytes(data)
        return
    make_folder(path.parent)
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut, if the system can promise that."""
    with contextlib.suppress(OSError):
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class WrongKey(Exception):
    """What was kept under a key cannot be read with this one."""


@cache
def has_cipher() -> bool:
    """Whether the cipher works here: the package may be missing, or a library under it too old."""
    try:
        RoundKey("00" * 32).sealed(0, "", "{}")
    except Exception as error:
        log.info("there is no cipher for hands: %s", error)
        return False
    return True


@dataclass(frozen=True, slots=True)
class RoundKey:
    """A key, 64 digits 0-9 and a-f.

    >>> key = RoundKey("7f" * 32)
    >>> key.opened(3, "HandDealt", key.sealed(3, "HandDealt", '{"cards":[4]}'))
    '{"cards":[4]}'
    """

    value: str = field(repr=False)

    @property
    def name(self) -> str:
        """What everybody may call it by: a hash of it."""
        told = hashlib.sha256(f"domino-rig-round-key/1 {self.value}".encode())
        return told.hexdigest()[:32]

    @property
    def plain(self) -> dict[str, str]:
        """What a phone is given to keep."""
        return {"name": self.name, "value": self.value}

    def sealed(self, v: int, kind: str, secret: str) -> str:
        """What an event has to keep secret, under this key, as JSON.

        Args:
            v: the number of the event.
            kind: its type; what is sealed fits no other event.
            secret: JSON.
        """
        text = secret.encode()
        filled = text.ljust(-(-len(text) // _BLOCK) * _BLOCK)
        nonce = os.urandom(_NONCE_BYTES)
        box = nonce + self._cipher().encrypt(nonce, filled, _of(v, kind))
        return json.dumps(
            {"round_key": self.name, "box": b64encode(box).decode()}, separators=(",", ":")
        )

    def opened(self, v: int, kind: str, sealed: str) -> str:
        """What `sealed` was given; raises `WrongKey`."""
        from cryptography.exceptions import InvalidTag

        try:
            box = b64decode(json.loads(sealed)["box"], validate=True)
            nonce, rest = box[:_NONCE_BYTES], box[_NONCE_BYTES:]
            text: bytes = self._cipher().decrypt(nonce, rest, _of(v, kind))
        except (InvalidTag, KeyError, TypeError, ValueError) as error:
            raise WrongKey(f"event {v} cannot be opened with this key") from error
        return text.rstrip(b" ").decode()

    def _cipher(self) -> Any:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        return ChaCha20Poly1305(bytes.fromhex(self.value))


def key_name(secret: str | None) -> str:
    """The name of the key under which the secrets of an event are, "" where they are in the clear.

    >>> key_name('{"cards":[4]}')
    ''
    """
    if secret is None or not secret.startswith(UNDER_KEY):
        return ""
    fields = json.loads(secret)
    return str(fields["round_key"]) if fields.keys() == _FIELDS else ""


def _of(v: int, kind: str) -> bytes:
    """What a sealed text belongs to."""
    return f"{v} {kind}".encode()
