"""The tool `book_flight` of the example `flights`: two forms, and everything a user may do with them."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, ErrorData
from pydantic import ValidationError

from clients import Connected, Options, Test, failure, text
from forms import check_form, choices

WANTED = {"destination": "OSL"}
DECLINE = ElicitResult(action="decline")
CANCEL = ElicitResult(action="cancel")


def accept(**content: Any) -> ElicitResult:
    return ElicitResult(action="accept", content=content)


PICK = accept(flight_id="AL136-04", seat="window")
CONFIRM = accept(confirmed=True)

BOOKING: list[tuple[str, Test, Options]] = []
Judge = Callable[[Awaitable[Any], list[Any], Connected], Awaitable[None]]


def book(name: str, *answers: Any) -> Callable[[Judge], Judge]:
    """Calls the tool once; the user gives these answers in turn, and is asked for no more and no fewer."""

    def register(judge: Judge) -> Judge:
        forms: list[Any] = []

        async def answer(params: Any) -> Any:
            forms.append(params)
            assert len(forms) <= len(answers), f"asked once more: {params.message}"
            given = answers[len(forms) - 1]
            return given() if callable(given) else given

        async def body(c: Connected) -> None:
            # One test runs in every era.
            forms.clear()
            await judge(c.client.call_tool("book_flight", WANTED), forms, c)
            assert len(forms) == len(answers), forms
            for form in forms:
                sent = form.model_dump(by_alias=True, exclude_unset=True)
                check_form(c.era.revision, sent)
            # Whatever became of the call, the connection works.
            assert "book_flight" in [tool.name for tool in (await c.client.list_tools()).tools]

        body.__name__ = f"booking: {name}"
        BOOKING.append(("flights", body, Options(answer=answer)))
        return judge

    return register


async def needs_a_client_with_forms(c: Connected) -> None:
    listed = "book_flight" in [tool.name for tool in (await c.client.list_tools()).tools]
    if c.era.revision == "2026-07-28":
        # A modern list is the same for all clients.
        assert listed
        try:
            await c.client.call_tool("book_flight", WANTED)
        except MCPError as error:
            assert error.error.code == -32021, error.error
        else:
            raise AssertionError("the call succeeded")
    else:
        assert not listed
        words = failure(await c.client.call_tool("book_flight", WANTED))
        assert "`book_flight` needs a client that supports form elicitation" in words, words


BOOKING.append(("flights", needs_a_client_with_forms, Options()))


@book("picked and confirmed", PICK, CONFIRM)
async def picked(call: Awaitable[Any], forms: list[Any], c: Connected) -> None:
    booked = text(await call)
    assert booked.startswith("Booked Alpenlinie, BER to OSL on 2026-12-04, "), booked
    assert booked.endswith(", a window seat. The ticket is AL136-04/48."), booked
    found = json.loads(text(await c.client.call_tool("search_flights", WANTED)))["flights"]
    assert [flight["seats"] for flight in found if flight["id"] == "AL136-04"] == [47]

    picking, confirming = [form.requested_schema for form in forms]
    assert forms[0].message == "Which flight to OSL?"
    assert list(picking["properties"]) == ["flight_id", "seat"]
    assert picking["required"] == ["flight_id"]
    offered = choices(picking["properties"]["flight_id"])
    assert [value for value, _ in offered] == [flight["id"] for flight in found]
    assert all(" to OSL on 2026-12-0" in title for _, title in offered), offered
    seat = picking["properties"]["seat"]
    assert choices(seat) == [("window", "Window"), ("aisle", "Aisle"), ("none", "No preference")]
    assert seat["default"] == "none"
    assert forms[1].message.startswith("Book Alpenlinie, BER to OSL on 2026-12-04, ")
    assert list(confirming["properties"]) == ["confirmed"]
    assert confirming["properties"]["confirmed"]["type"] == "boolean"


# This client never fills defaults in: it shows them to its callback and sends what that gives.
@book("a default left to the server", accept(flight_id="AL136-04"), CONFIRM)
async def default(call: Awaitable[Any], _: list[Any], __: Connected) -> None:
    assert ", any seat. " in text(await call)


AGAINST = "The user decided against AL136-04. Nothing is booked."
CLOSED = "The user closed the form. Nothing is booked"
for name, given, words in [
    ("no flight wanted", [DECLINE], "The user wants none of these flights. Nothing is booked."),
    ("the first form closed", [CANCEL], CLOSED),
    ("the confirmation declined", [PICK, DECLINE], AGAINST),
    ("the confirmation closed", [PICK, CANCEL], CLOSED),
    ("not confirmed", [PICK, accept(confirmed=False)], AGAINST),
]:

    @book(name, *given)
    async def ended(call: Awaitable[Any], _: list[Any], __: Connected, words: str = words) -> None:
        assert text(await call).startswith(words)


for name, wrong, reason in [
    ("another flight", accept(flight_id="FJ171-04"), '(Flight|`flight_id`): got "FJ171-04"'),
    ("no flight", accept(seat="aisle"), "(Flight|`flight_id`): missing"),
    ("a number for a flight", accept(flight_id=108), "(Flight|`flight_id`): .*108"),
    ("another seat", accept(flight_id="AL136-04", seat="wing"), '(Seat|`seat`): .*"wing"'),
    # A field left empty.
    ("null for a flight", accept(flight_id=None), "(Flight|`flight_id`): .*null"),
]:

    @book(f"{name}: asked again", wrong, PICK, CONFIRM)
    async def again(call: Awaitable[Any], forms: list[Any], _: Connected, reason: str = reason) -> None:
        assert text(await call).startswith("Booked ")
        first, again, _confirm = forms
        assert again.message.startswith(f"{first.message}\n\nThe last answer did not fit:\n"), again.message
        assert re.search(reason, again.message), again.message
        assert again.requested_schema == first.requested_schema

    @book(f"{name}: asked again once", wrong, wrong)
    async def given_up(call: Awaitable[Any], _: list[Any], __: Connected, reason: str = reason) -> None:
        words = failure(await call)
        assert "the answer does not fit" in words and re.search(reason, words), words


# The forms of two calls do not get mixed up, whichever is answered first.
async def the_last_seat_goes_once(c: Connected) -> None:
    calls = [c.client.call_tool("book_flight", WANTED) for _ in range(2)]
    booked, refused = sorted(await asyncio.gather(*calls), key=lambda result: result.is_error)
    assert text(booked).endswith(", an aisle seat. The ticket is AL122-04/1."), booked
    assert failure(refused) == "`AL122-04` is sold out"


async def last_seat(params: Any) -> ElicitResult:
    picking = "seat" in params.requested_schema["properties"]
    return accept(flight_id="AL122-04", seat="aisle") if picking else CONFIRM


BOOKING.append(("flights", the_last_seat_goes_once, Options(answer=last_seat)))


# Content that no form can have never comes as far as the connection.
async def refuses_an_object_as_it_is_made(_: Connected) -> None:
    try:
        accept(flight_id={"id": "AL136-04"})
    except ValidationError:
        return
    raise AssertionError("this client became able to send it: try it as an answer")


BOOKING.append(("flights", refuses_an_object_as_it_is_made, Options()))


# What a callback can give instead of an answer is an error.
def refuses() -> ErrorData:
    return ErrorData(code=-32000, message="the window is gone")


@book("a client that breaks", refuses)
async def breaks(call: Awaitable[Any], _: list[Any], c: Connected) -> None:
    if c.era.revision == "2026-07-28":
        try:
            await call
        except MCPError as error:
            assert error.error.message == "the window is gone", error.error
        else:
            raise AssertionError("the call succeeded")
    else:
        assert "the client refused: the window is gone" in failure(await call)
