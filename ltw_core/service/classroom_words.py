"""Codes, nicknames and recovery phrases of classes: random, from letters and words that are hard to mistake."""

import hashlib
import secrets
from collections.abc import Collection


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # none that is easily taken for another
CODE_LENGTH, PHRASE_LENGTH = 6, 7
FIRST = _words(
    "amber ample brave breezy bright brisk calm candid clever copper coral cosy crisp curious daring dapper "
    "eager early fair famous fine fleet frank fresh gentle glad golden grand happy hardy honest humble jolly "
    "keen kind lively loyal lucky mellow merry mighty mild misty neat nimble noble olive patient plucky polite "
    "prompt proud quick quiet rapid ready rosy rustic shiny silent silver steady sunny swift tidy tiny upbeat "
    "velvet violet vivid warm wise witty young"
)
SECOND = _words(
    "acorn alder badger beaver birch bison brook canary cedar comet cricket curlew dahlia daisy dolphin eagle "
    "elm falcon fern finch fjord fox gecko harbour hazel heron holly ibis iris island jay juniper kestrel koala "
    "lark lemur lily lotus lynx magpie maple marten meadow meteor moose newt orchid osprey otter owl panda "
    "parrot pebble pelican pine plover poppy puffin quail rabbit raven robin salmon seal sparrow squirrel stork "
    "swallow thistle tulip turtle walnut willow wren"
)


def new_code() -> str:
    """A class's code: thirty to the power of six, 729 million."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """A code as somebody typed it, in the form in which it is kept; "" where it cannot be one."""
    letters = "".join(letter for letter in str(text)[:40].upper() if letter.isalnum())
    return letters if len(letters) == CODE_LENGTH and set(letters) <= set(LETTERS) else ""


def spaced(code: str) -> str:
    """A code as it is read out: ABC 234."""
    return f"{code[:3]} {code[3:]}"


def new_nickname(taken: Collection[str]) -> str:
    """Two words that nobody of a class is called by yet."""
    free = [name for one in FIRST for other in SECOND if (name := f"{one} {other}".title()) not in taken]
    return secrets.choice(free)


def new_phrase() -> str:
    """Words that let a teacher in: 7 different ones of 148, 50 bits."""
    return " ".join(secrets.SystemRandom().sample(FIRST + SECOND, PHRASE_LENGTH))


def digest_of_phrase(phrase: str, code: str) -> bytes:
    """What is kept of it: scrypt (RFC 7914), some 16 MB and a twentieth of a second, salted with the class's code."""
    words = " ".join(str(phrase)[:200].lower().split())
    return hashlib.scrypt(words.encode(), salt=f"ltw {code}".encode(), n=2**14, r=8, p=1, dklen=32)


def digest(token: str) -> str:
    """What is kept of a token of 128 random bits."""
    return hashlib.sha256(f"ltw class {token}".encode()).hexdigest()[:32]
