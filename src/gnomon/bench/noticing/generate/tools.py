"""What an assistant may call, by tier. Descriptions say what a tool does and never what for."""

from gnomon.bench.noticing.scenario import TIERS, Tier
from gnomon.model.tools import ToolDefinition, ToolParameter

_Argument = tuple[str, str, str, bool]
"""Name, type, what it is for, whether a call needs it."""
_QUERY = {
    "wearable": ("query_wearable", "Get the current readings of the wearable."),
    "home": ("query_home", "Get the current readings of the home's sensors."),
    "location": ("query_location", "Get the current position of the phone."),
    "financial": ("query_accounts", "Get the current state of the accounts and prices."),
}
_COUNT = "How many, the latest ones"
_ADDED: dict[Tier, dict[str, tuple[str, tuple[_Argument, ...]]]] = {
    "T1": {
        "get_contacts": ("List the people and places in the address book.", ()),
        "get_conversations": ("Get recent message threads.", (("count", "integer", _COUNT, False),)),
        "get_recent_updates": ("Get the latest updates again.", (("count", "integer", _COUNT, True),)),
        "list_memories": ("List the keys of all stored notes.", ()),
        "make_call": (
            "Make a phone call.",
            (
                ("number", "string", "Phone number to dial", True),
                ("message", "string", "What to say once somebody answers", False),
            ),
        ),
        "read_memory": ("Read a stored note.", (("key", "string", "Key of the note", True),)),
        "send_message": (
            "Send a text message to somebody in the address book.",
            (
                ("contact_id", "string", "Id of the contact", True),
                ("text", "string", "Text of the message", True),
            ),
        ),
        "write_memory": (
            "Store a note under a key; what was there is replaced.",
            (("key", "string", "Key of the note", True), ("content", "string", "Text of the note", True)),
        ),
    },
    "T2": {"get_forecast": ("Get the weather at a place.", (("location", "string", "Name of the place", True),))},
    "T3": {
        "list_events": ("List calendar events of a day.", (("date", "string", "Day as YYYY-MM-DD", True),)),
        "spotify.get_playlist": ("Get a playlist.", (("playlist_id", "string", "Id of the playlist", True),)),
        "spotify.get_track": ("Get a track.", (("track_id", "string", "Id of the track", True),)),
        "spotify.search": (
            "Search for music.",
            (
                ("query", "string", "What to look for", True),
                ("type", "string", "track, album, artist or playlist", False),
                ("limit", "integer", "How many results at most", False),
            ),
        ),
        "wikipedia.get_page": ("Get the text of an article.", (("title", "string", "Title of the article", True),)),
        "wikipedia.search": (
            "Search for articles.",
            (
                ("query", "string", "What to look for", True),
                ("limit", "integer", "How many results at most", False),
            ),
        ),
    },
    "T4": {
        "get_balance": ("Get the balance of an account.", (("account", "string", "Name of the account", True),)),
        "get_transactions": ("List the latest transactions.", (("count", "integer", _COUNT, True),)),
    },
}


def modules_of(tier: Tier, carrier: str) -> list[str]:
    """The carrier is in every tier; the wearable joins at T2 where it is not the carrier.

    Where accounts carry the day, T4 has no module more than T3, and two tools more.
    """
    added = {
        "T1": [carrier],
        "T2": ["wearable", "location", "weather"],
        "T3": ["calendar", "comms"],
        "T4": ["financial"],
    }
    modules = [module for lower_tier in TIERS[: TIERS.index(tier) + 1] for module in added[lower_tier]]
    return list(dict.fromkeys(modules))


def tools_of(tier: Tier, carrier: str) -> list[ToolDefinition]:
    """9, 10, 16 and 18 tools by tier, one more from T2 on where the wearable is not the carrier. Sorted by name."""
    offered = {name: tool for lower_tier in TIERS[: TIERS.index(tier) + 1] for name, tool in _ADDED[lower_tier].items()}
    for module in {carrier, *(["wearable"] if tier != "T1" else [])}:
        name, words = _QUERY[module]
        offered[name] = (words, ())
    return [
        ToolDefinition(
            name=name,
            description=words,
            parameters=[ToolParameter(name=n, type=t, description=d, required=r) for n, t, d, r in arguments],
        )
        for name, (words, arguments) in sorted(offered.items())
    ]
