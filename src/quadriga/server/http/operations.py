"""Operations: requests whose parameters are checked, and described in OpenAPI, by the types of their handler.

The parameters of a handler after the request are those of the path and of the query. They have types of msgspec, as
bodies and answers have, so one library checks and describes all of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, get_type_hints

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from quadriga.server.http.gate import Access, check_access
from quadriga.server.protocol import openapi
from quadriga.server.protocol.errors import RoomError

P = ParamSpec("P")
Handler = Callable[P, Awaitable[Response]]


class Operations:
    """The operations of a module: routes, and their descriptions by path and method.

    `get` and `post` say who may use them: see `gate`.
    """

    def __init__(self, get: Access = "look", post: Access = "play") -> None:
        self._access = {"GET": get, "POST": post}
        self.routes: list[Route] = []
        self.described: openapi.Paths = {}

    def get(
        self, path: str, responses: openapi.Responses, access: Access | None = None
    ) -> Callable[[Handler[P]], Handler[P]]:
        """Declare a handler for GET."""
        return self._declare("GET", path, responses, None, access)

    def post(
        self, path: str, responses: openapi.Responses, body: type[msgspec.Struct], access: Access | None = None
    ) -> Callable[[Handler[P]], Handler[P]]:
        """Declare a handler for POST. The handler decodes the body itself, after it has authorized the client."""
        return self._declare("POST", path, responses, body, access)

    def _declare(
        self,
        method: str,
        path: str,
        responses: openapi.Responses,
        body: type[msgspec.Struct] | None,
        access: Access | None,
    ) -> Callable[[Handler[P]], Handler[P]]:
        def declare(handler: Handler[P]) -> Handler[P]:
            parameters = _parameters(handler)
            self.routes.append(
                Route(path, _endpoint(handler, parameters, access or self._access[method]), methods=[method])
            )
            found = openapi.operation(handler, method, path, parameters, responses, body)
            self.described.setdefault(path, {})[method.lower()] = found
            return handler

        return declare


def _parameters(handler: Handler[P]) -> type[msgspec.Struct]:
    """Return the parameters of a handler after the request, as the fields of a type."""
    hints = get_type_hints(handler, include_extras=True)
    fields: list[Any] = []
    for each in list(inspect.signature(handler).parameters.values())[1:]:
        has_default = each.default is not inspect.Parameter.empty
        fields.append((each.name, hints[each.name], *([each.default] if has_default else [])))
    return msgspec.defstruct(handler.__name__, fields, kw_only=True)


def _endpoint(
    handler: Callable[..., Awaitable[Response]], kind: type[msgspec.Struct], access: Access
) -> Handler[[Request]]:
    """Return the function that Starlette calls: it checks the parameters and passes them to the handler."""
    names = kind.__struct_fields__
    decoder = msgspec.json.Decoder(kind, strict=False)

    async def endpoint(request: Request) -> Response:
        if access != "free":
            await check_access(request, access)
        if not names:
            return await handler(request)
        given = {**request.query_params, **request.path_params}
        try:
            found = decoder.decode(msgspec.json.encode(given))
        except msgspec.ValidationError as fault:
            raise RoomError("wire.field", 422, reason=str(fault)) from None
        return await handler(request, **{name: getattr(found, name) for name in names})

    return endpoint
