"""Random playouts per second of other programs on one core, measured once.

Sancho and ggplib are GGP players. RBG is compiled to C++ from a language of its own. OpenSpiel's
games are hand-written C++, here driven from C++. All were built and measured on one machine with 2
cores of a Cascade Lake at 2.5 GHz. The other figures of a table come from another machine, so read
the ratios as orders of magnitude. connectFour is 8 x 6, hex 9 x 9.
"""

from __future__ import annotations

PEERS = ("Sancho", "ggplib", "RBG", "OpenSpiel")

PLAYOUTS_PER_SECOND: dict[str, dict[str, float]] = {
    "ticTacToe": {"Sancho": 70e3, "ggplib": 180e3, "RBG": 1.16e6, "OpenSpiel": 552e3},
    "connectFour": {"Sancho": 43e3, "ggplib": 61e3, "RBG": 453e3, "OpenSpiel": 100e3},
    "breakthrough": {"Sancho": 14e3, "ggplib": 16.8e3, "RBG": 20.8e3, "OpenSpiel": 12.7e3},
    "knightThrough": {"Sancho": 21.6e3, "ggplib": 28.3e3, "RBG": 42.5e3},
    "reversi": {"Sancho": 828, "ggplib": 917, "RBG": 9.4e3, "OpenSpiel": 3.8e3},
    "pentago": {"Sancho": 6.8e3, "ggplib": 11.9e3, "RBG": 41.7e3, "OpenSpiel": 82e3},
    "hex": {"Sancho": 509, "ggplib": 1.0e3, "RBG": 20.8e3, "OpenSpiel": 11.1e3},
    "amazons_8x8": {"Sancho": 961, "ggplib": 4.8e3, "RBG": 27.5e3},
    "checkers": {"Sancho": 2.5e3, "ggplib": 4.7e3},
    "skirmish": {"Sancho": 484, "ggplib": 1.4e3},
    "speedChess": {"Sancho": 1.8e3},
}
