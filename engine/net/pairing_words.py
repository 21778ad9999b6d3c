"""Words that two people can compare across a room: a byte is one of 256 short nouns, no two of which begin alike."""

from __future__ import annotations

from typing import Final

_LIST: Final = """
    acorn album alpine amber anchor angle ankle apple apron arrow artist atlas autumn award bacon badge baker bamboo
    banjo barn basil beach beetle bench berry birch bison blanket bloom boat border bottle branch bread bridge broom
    bucket bugle butter cabin cactus camel candle carpet castle cedar cellar cereal cheese circus clay cliff clover
    cocoa coffee comet copper coral cotton cricket crown daisy dance dawn delta desert diamond dinner dolphin donkey
    dragon drum duck dune eagle easel echo elbow ember engine falcon feather fence ferry fiddle field finch flag flute
    forest fossil fox frog fruit galaxy garden ginger giraffe glove goat gold grape green guitar hamlet helmet heron
    hill hive honey horse hotel igloo island ivory jacket jaguar jelly jewel jigsaw jungle kennel kettle kitten kiwi
    koala ladder lagoon lamp lantern lark lemon lentil library lilac lion lizard lobster lotus lynx magnet mango maple
    marble meadow melon meteor mint mirror mitten moon moss motor museum napkin needle nest noodle nutmeg oak oasis
    ocean olive onion orbit orchid otter owl oyster paddle panda paper parrot pasta peach pebble pencil pepper piano
    picnic pigeon pillow pine planet plum pond poppy potato prism puffin pumpkin puzzle quail quilt rabbit radish
    raven reef ribbon river robin rocket rope rose ruby saddle salmon sand scarf seal shadow shell silver skate snow
    socket sofa spoon spruce squash stone sugar summit sunset swan table tango teapot tent tiger timber toast tomato
    torch tower train tulip tundra turtle twig unicorn valley velvet violin volcano wagon walnut water whale willow
    window wizard wolf yellow yogurt zebra
"""

WORDS: Final = tuple(_LIST.split())


IDENTITY_WORDS: Final = 8
"""64 bits of an id: to have the words of a certain PC, another one would try 2 ** 64 certificates. Words of a pair of
PCs would have to be twice as many, since who stands in between may choose two certificates that go together."""


def identity_words(node: str) -> tuple[str, ...]:
    """By which the owner of a PC tells, at any time, that another PC knows it and nobody else under its name: each PC
    shows them of itself and of all others. `node`: its id, in hexadecimal digits."""
    return words_of(bytes.fromhex(node)[:IDENTITY_WORDS])


def words_of(data: bytes) -> tuple[str, ...]:
    """One word for each byte."""
    return tuple(WORDS[byte] for byte in data)
