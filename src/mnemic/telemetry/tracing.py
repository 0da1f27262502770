"""Traces by OpenTelemetry, where its variables are set and its SDK is installed."""

import logging
import os
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from mnemic.records.memory import JobStatus, Stage
from mnemic.telemetry.observer import Doing
from mnemic.telemetry.request_ids import current_request
from mnemic.version import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter

_LOG: Final = logging.getLogger("mnemic.telemetry.tracing")
_WANTED_BY: Final = (
    "OTEL_TRACES_EXPORTER",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
)
_NOT_INSTALLED: Final = (
    "%s is set, but OpenTelemetry is not installed, so no traces are sent: "
    "pip install 'mnemic[otel]'"
)
_UNKNOWN: Final = "OTEL_TRACES_EXPORTER=%s is not known here: use otlp, console or none"
_SPAN_NAMES: Final[Mapping[Doing, str]] = {
    "recall": "recall",
    "stage": "recall {}",
    "statement": "store {}",
    "job": "job {}",
}


class Spans:
    """Makes spans of what a memory does. No value ever stands in one: only names and numbers."""

    follows = True

    def __init__(self, provider: "TracerProvider") -> None:
        from opentelemetry import trace  # noqa: PLC0415  only where traces are wanted
        from opentelemetry.trace.propagation import tracecontext  # noqa: PLC0415  as above

        self._provider = provider
        self._trace: Any = trace
        self._tracer: Any = provider.get_tracer("mnemic", __version__)
        self._propagator: Any = tracecontext.TraceContextTextMapPropagator()

    @contextmanager
    def doing(self, kind: Doing, name: str) -> Generator[None]:
        """Make a span of what is done inside. A statement belongs to something that is done: those
        with which a worker looks for jobs are no trace of their own.
        """
        if kind == "statement" and not self._trace.get_current_span().is_recording():
            yield
            return
        said = {"db.operation.name": name} if kind == "statement" else {}
        if kind == "job":
            said = {"mnemic.request_id": current_request()}
        with self._span(_SPAN_NAMES[kind].format(name), said):
            yield

    def recalled(self, stages: Sequence[Stage], seconds: float) -> None:
        """Its stages were told while they lasted."""

    def worked(self, kind: str, outcome: JobStatus, seconds: float) -> None:
        """Tell nothing: the span of the job is over."""

    @contextmanager
    def request(self, method: str, headers: Iterable[tuple[bytes, bytes]]) -> Generator["Answered"]:
        """Make a span of a request; it belongs to the trace that the client names, if any."""
        sent = {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
        parent = self._propagator.extract(sent)
        with self._span(method, {}, kind=self._trace.SpanKind.SERVER, context=parent) as span:
            yield Answered(span, self._trace)

    def close(self) -> None:
        """Send what is pending."""
        self._provider.shutdown()

    @contextmanager
    def _span(self, name: str, said: Mapping[str, Any], **how: Any) -> Generator[Any]:
        # The message of an error may quote a memory, so the SDK is not to write it down.
        known = {key: value for key, value in said.items() if value is not None}
        with self._tracer.start_as_current_span(
            name, attributes=known, record_exception=False, set_status_on_exception=False, **how
        ) as span:
            try:
                yield span
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(self._trace.StatusCode.ERROR)
                raise


class Answered:
    """The span of a request, to be told how it went."""

    def __init__(self, span: Any, trace: Any) -> None:
        self._span = span
        self._trace = trace

    def tell(self, method: str, route: str, status: int, **said: str | None) -> None:
        """Say which route answered, how, and to whom."""
        self._span.update_name(f"{method} {route}")
        self._span.set_attributes(
            {
                "http.request.method": method,
                "http.route": route,
                "http.response.status_code": status,
                **{f"mnemic.{name}": value for name, value in said.items() if value is not None},
            }
        )
        if status >= 500:
            self._span.set_status(self._trace.StatusCode.ERROR)


def start_tracing(
    environment: Mapping[str, str] = os.environ, *, exporter: "SpanExporter | None" = None
) -> Spans | None:
    """Return what makes spans, where the variables of OpenTelemetry ask for it; whoever called
    this closes it. Without them nothing is imported. `exporter` takes the place of theirs.
    """
    asked = next((name for name in _WANTED_BY if environment.get(name)), None)
    if asked is None or environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    chosen = environment.get("OTEL_TRACES_EXPORTER") or "otlp"
    if chosen == "none":
        return None
    try:
        provider = _provider(chosen, environment, exporter)
    except ModuleNotFoundError:
        _LOG.warning(_NOT_INSTALLED, asked)
        return None
    return None if provider is None else Spans(provider)


def _provider(
    chosen: str, environment: Mapping[str, str], exporter: "SpanExporter | None"
) -> "TracerProvider | None":
    # All of these are optional, and slow.
    from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
    from opentelemetry.sdk.trace import TracerProvider, export  # noqa: PLC0415

    if exporter is None and chosen == "console":
        exporter = export.ConsoleSpanExporter(out=sys.stderr)
    elif exporter is None and chosen == "otlp":
        from opentelemetry.exporter.otlp.proto.http import trace_exporter  # noqa: PLC0415

        exporter = trace_exporter.OTLPSpanExporter()
    if exporter is None:
        _LOG.warning(_UNKNOWN, chosen)
        return None
    said = {"service.version": __version__}
    named = "service.name=" in environment.get("OTEL_RESOURCE_ATTRIBUTES", "")
    if not named and not environment.get("OTEL_SERVICE_NAME"):
        said["service.name"] = "mnemic"
    provider = TracerProvider(resource=Resource.create(said))
    provider.add_span_processor(export.BatchSpanProcessor(exporter))
    return provider
