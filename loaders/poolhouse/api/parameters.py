"""Methods whose parameters are those of a request, so that each is declared once."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Concatenate, ParamSpec, TypeVar

_Parameters = ParamSpec("_Parameters")
_Request = TypeVar("_Request")
_Self = TypeVar("_Self")
_Result = TypeVar("_Result")


def parameters_of(
    request: Callable[_Parameters, _Request],
) -> Callable[
    [Callable[[_Self, _Request], _Result]], Callable[Concatenate[_Self, _Parameters], _Result]
]:
    """Give a method the parameters of a class of requests, of which it gets an instance."""

    def with_parameters(
        method: Callable[[_Self, _Request], _Result],
    ) -> Callable[Concatenate[_Self, _Parameters], _Result]:
        @wraps(method)
        def asked(
            self: _Self, /, *arguments: _Parameters.args, **named: _Parameters.kwargs
        ) -> _Result:
            return method(self, request(*arguments, **named))

        own = signature(method)
        receiver = Parameter("self", Parameter.POSITIONAL_ONLY)
        asked.__signature__ = own.replace(  # type: ignore[attr-defined]
            parameters=[receiver, *signature(request).parameters.values()]
        )
        return asked

    return with_parameters
