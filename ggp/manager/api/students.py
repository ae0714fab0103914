"""/students: the table that lecturers look at."""

from __future__ import annotations

from aiohttp import web

from ggp.manager.api.account_parts import StudentAnswer
from ggp.manager.api.route import Route
from ggp.manager.domain.rights import Right
from ggp.manager.domain.students import students_csv, students_of
from ggp.manager.web.app_keys import DATABASE
from ggp.manager.web.csv_answers import CSV, csv_answer


async def list_students(request: web.Request) -> list[StudentAnswer]:
    """Students with their players: a row for each player, and for each student without one."""
    found = await students_of(request.app[DATABASE])
    return [StudentAnswer.model_validate(row) for row in found]


async def show_students_csv(request: web.Request) -> web.Response:
    """The same as CSV."""
    return csv_answer(students_csv(await students_of(request.app[DATABASE])), "students")


ROUTES = (
    Route("GET", "/students", list_students, "Students and players.", right=Right.TEACH),
    Route(
        "GET",
        "/students.csv",
        show_students_csv,
        "The same as CSV.",
        media=CSV,
        right=Right.TEACH,
    ),
)
