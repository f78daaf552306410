"""Headers of every answer: what a browser may load, store and pass on."""

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "media-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)

SECURITY = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def stream_headers(kind: str = "text/event-stream; charset=utf-8") -> list[tuple[bytes, bytes]]:
    """The same headers for answers that Flask does not see."""
    named = {"Content-Type": kind, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return [
        (name.lower().encode(), value.encode()) for name, value in {**named, **SECURITY}.items()
    ]
