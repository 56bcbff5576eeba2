"""What a browser may make of an answer, whatever the route: nothing but show it, and in no other site's frame."""

from gnomon.report.policy import PAGE_POLICY

GUARDS = (
    (b"content-security-policy", f"{PAGE_POLICY}; frame-ancestors 'none'".encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
)
