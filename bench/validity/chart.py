"""A line chart as SVG text: readable on light and on dark pages, without a library."""

from collections.abc import Sequence
from html import escape
from math import log

from bench.validity.table import Curves

WIDTH, HEIGHT = 700, 340
LEFT, RIGHT, TOP, BOTTOM = 64, 200, 44, 44
COLORS = ("#0b7285", "#d9480f", "#7048e8", "#2b8a3e", "#c2255c")
ON_DARK = ("#3bc9db", "#ff922b", "#b197fc", "#69db7c", "#f783ac")
DASHES = ("", "7 4", "2 3", "9 3 2 3", "1 5")


def line_chart(
    title: str, x_label: str, curves: Curves, y_range: tuple[float, float], *, x_ticks: Sequence[float],
    log_x: bool = False, level: float = 0.95,
) -> str:  # fmt: skip
    """Lines differ in colour and dash. A thin line marks the level that was promised."""
    bottom, top = y_range

    def across(x: float) -> float:
        first, last, here = (log(v) if log_x else v for v in (x_ticks[0], x_ticks[-1], x))
        return LEFT + (here - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def down(y: float) -> float:
        return HEIGHT - BOTTOM - (min(max(y, bottom), top) - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    parts = [_head(title), _text(LEFT, 18, title, "title")]
    parts += [_text(across(x), HEIGHT - BOTTOM + 18, f"{x:g}", "tick middle") for x in x_ticks]
    for y in (bottom + (top - bottom) * step / 5 for step in range(6)):
        parts.append(f'<path class="grid" d="M{LEFT} {down(y):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(_text(LEFT - 8, down(y) + 4, f"{100 * y:.4g} %", "tick end"))
    parts.append(f'<path class="level" d="M{LEFT} {down(level):.1f}H{WIDTH - RIGHT}"/>')
    for number, (name, points) in enumerate(curves.items()):
        path = "L".join(f"{across(x):.1f} {down(y):.1f}" for x, y in points)
        dash = f' stroke-dasharray="{DASHES[number]}"' if DASHES[number] else ""
        parts.append(f'<path class="line c{number}"{dash} d="M{path}"/>')
        parts += _key(number, f'class="line c{number}"{dash}', name)
    parts += _key(len(curves), 'class="level"', f"{100 * level:g} %, the promise")
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label, "tick middle"))
    return "\n".join([*parts, "</svg>\n"])


def _head(title: str) -> str:
    light = "".join(f".c{n}{{stroke:{color}}}" for n, color in enumerate(COLORS))
    dark = "".join(f".c{n}{{stroke:{color}}}" for n, color in enumerate(ON_DARK))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">
<title>{escape(title)}</title>
<style>
text{{font:12px system-ui,sans-serif;fill:#333}}.title{{font-weight:600;font-size:14px}}
.middle{{text-anchor:middle}}.end{{text-anchor:end}}
path{{fill:none}}.grid{{stroke:#8884;stroke-width:1}}.level{{stroke:#777;stroke-width:1.5}}.line{{stroke-width:2}}
{light}
@media (prefers-color-scheme: dark){{text{{fill:#ddd}}.level{{stroke:#aaa}}{dark}}}
</style>"""


def _key(number: int, look: str, name: str) -> list[str]:
    y = TOP + 14 + 22 * number
    stroke = f'<path {look} d="M{WIDTH - RIGHT + 10} {y - 4}h26"/>'
    return [stroke, _text(WIDTH - RIGHT + 42, y, name, "tick")]


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'
