"""A match of hidden information as a controller of Dresden sends it, byte by byte.

In both forms of GDL-II, with our role `white` and the answers of a player that makes its first
legal move. The controller puts no `Host` into the head, and spells all but the match in upper case.
"""

from __future__ import annotations

HEAD = (
    b"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\n"
    b"Receiver: 127.0.0.1\r\nContent-type: text/acl\r\nContent-length: "
)

START = (
    HEAD + b"1315\r\n\r\n"
    b"(START D.Match.7 WHITE ((ROLE WHITE) (ROLE BLACK) (ROLE RANDOM) (INIT (AT WHITE 0)) "
    b"(INIT (AT BLACK 0)) (INIT (ROLLS WHITE)) (DIE 1) (DIE 2) (DIE 3) (OTHER WHITE BLACK) "
    b"(OTHER BLACK WHITE) (<= (LEGAL RANDOM (ROLL ?A ?B)) (TRUE (ROLLS ?P)) (DIE ?A) (DIE ?B)) "
    b"(<= (LEGAL RANDOM NOOP) (TRUE (MOVES ?P))) (<= (LEGAL ?P (RUN ?A)) (TRUE (MOVES ?P)) "
    b"(TRUE (DICE ?A ?B))) (<= (LEGAL ?P (RUN ?B)) (TRUE (MOVES ?P)) (TRUE (DICE ?A ?B))) (<= "
    b"(LEGAL ?P NOOP) (TRUE (ROLLS ?Q)) (OTHER ?P ?R)) (<= (LEGAL ?P NOOP) (TRUE (MOVES ?Q)) "
    b"(OTHER ?Q ?P)) (<= (NEXT (DICE ?A ?B)) (DOES RANDOM (ROLL ?A ?B))) (<= (NEXT (MOVES ?P)) "
    b"(TRUE (ROLLS ?P))) (<= (NEXT (ROLLS ?Q)) (TRUE (MOVES ?P)) (OTHER ?P ?Q)) (<= (NEXT (AT "
    b"?P ?M)) (DOES ?P (RUN ?D)) (TRUE (AT ?P ?N)) (PLUS ?N ?D ?M)) (<= (NEXT (AT ?P ?N)) "
    b"(TRUE (AT ?P ?N)) (DOES ?P NOOP)) (<= (SEES ?P (ROLLED ?A ?B)) (DOES RANDOM (ROLL ?A "
    b"?B)) (OTHER ?P ?Q)) (<= (SEES ?Q (RAN ?P ?D)) (DOES ?P (RUN ?D)) (OTHER ?P ?Q)) (<= "
    b"TERMINAL (TRUE (AT ?P 6))) (<= (GOAL ?P 100) (TRUE (AT ?P 6))) (<= (GOAL ?P 0) (OTHER ?P "
    b"?Q) (TRUE (AT ?Q 6))) (GOAL RANDOM 0) (PLUS 0 1 1) (PLUS 0 2 2) (PLUS 0 3 3) (PLUS 1 1 "
    b"2) (PLUS 1 2 3) (PLUS 1 3 4) (PLUS 2 1 3) (PLUS 2 2 4) (PLUS 2 3 5) (PLUS 3 1 4) (PLUS 3 "
    b"2 5) (PLUS 3 3 6) (PLUS 4 1 5) (PLUS 4 2 6) (PLUS 4 3 6) (PLUS 5 1 6) (PLUS 5 2 6) (PLUS "
    b"5 3 6) ) 9 5)"
)

OLDER = (
    # What white saw stands in the place of the moves.
    (HEAD + b"20\r\n\r\n(PLAY D.Match.7 NIL)", "NOOP"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 ((ROLLED 3 3)))", "(RUN 3)"),
    (HEAD + b"19\r\n\r\n(PLAY D.Match.7 ())", "NOOP"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 ((ROLLED 1 2)))", "NOOP"),
    (HEAD + b"32\r\n\r\n(PLAY D.Match.7 ((RAN BLACK 2)))", "NOOP"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 ((ROLLED 2 1)))", "(RUN 1)"),
    (HEAD + b"19\r\n\r\n(PLAY D.Match.7 ())", "NOOP"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 ((ROLLED 3 1)))", "NOOP"),
    (HEAD + b"32\r\n\r\n(PLAY D.Match.7 ((RAN BLACK 1)))", "NOOP"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 ((ROLLED 1 3)))", "(RUN 1)"),
    (HEAD + b"19\r\n\r\n(PLAY D.Match.7 ())", "NOOP"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 ((ROLLED 1 3)))", "NOOP"),
    (HEAD + b"32\r\n\r\n(STOP D.Match.7 ((RAN BLACK 3)))", "done"),
)

LATER = (
    # The turn, the move that was made for white, what white saw.
    (HEAD + b"26\r\n\r\n(PLAY D.Match.7 0 NIL NIL)", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 1 NOOP ((ROLLED 3 3)))", "(RUN 3)"),
    (HEAD + b"29\r\n\r\n(PLAY D.Match.7 2 (RUN 3) ())", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 3 NOOP ((ROLLED 1 2)))", "NOOP"),
    (HEAD + b"39\r\n\r\n(PLAY D.Match.7 4 NOOP ((RAN BLACK 2)))", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 5 NOOP ((ROLLED 2 1)))", "(RUN 1)"),
    (HEAD + b"29\r\n\r\n(PLAY D.Match.7 6 (RUN 1) ())", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 7 NOOP ((ROLLED 3 1)))", "NOOP"),
    (HEAD + b"39\r\n\r\n(PLAY D.Match.7 8 NOOP ((RAN BLACK 1)))", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 9 NOOP ((ROLLED 1 3)))", "(RUN 1)"),
    (HEAD + b"30\r\n\r\n(PLAY D.Match.7 10 (RUN 1) ())", "NOOP"),
    (HEAD + b"39\r\n\r\n(PLAY D.Match.7 11 NOOP ((ROLLED 1 3)))", "NOOP"),
    (HEAD + b"40\r\n\r\n(STOP D.Match.7 12 NOOP ((RAN BLACK 3)))", "done"),
)

LATER_WITH_NIL = (
    # Likewise, with another word for an empty list.
    (HEAD + b"26\r\n\r\n(PLAY D.Match.7 0 NIL NIL)", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 1 NOOP ((ROLLED 3 3)))", "(RUN 3)"),
    (HEAD + b"30\r\n\r\n(PLAY D.Match.7 2 (RUN 3) NIL)", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 3 NOOP ((ROLLED 1 2)))", "NOOP"),
    (HEAD + b"39\r\n\r\n(PLAY D.Match.7 4 NOOP ((RAN BLACK 2)))", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 5 NOOP ((ROLLED 2 1)))", "(RUN 1)"),
    (HEAD + b"30\r\n\r\n(PLAY D.Match.7 6 (RUN 1) NIL)", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 7 NOOP ((ROLLED 3 1)))", "NOOP"),
    (HEAD + b"39\r\n\r\n(PLAY D.Match.7 8 NOOP ((RAN BLACK 1)))", "NOOP"),
    (HEAD + b"38\r\n\r\n(PLAY D.Match.7 9 NOOP ((ROLLED 1 3)))", "(RUN 1)"),
    (HEAD + b"31\r\n\r\n(PLAY D.Match.7 10 (RUN 1) NIL)", "NOOP"),
    (HEAD + b"39\r\n\r\n(PLAY D.Match.7 11 NOOP ((ROLLED 1 3)))", "NOOP"),
    (HEAD + b"40\r\n\r\n(STOP D.Match.7 12 NOOP ((RAN BLACK 3)))", "done"),
)
