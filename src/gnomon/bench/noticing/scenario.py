"""A day as a package holds it: the person, the beats, what the agent may do, and how it is scored.

The files are listed in package.py. Reading is lenient: unknown keys are kept, and named in a note.
An `AnswerKey` is for scorers only; no agent ever sees it.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from gnomon.model.tools import Data, MemoryFile, Sha256, ToolDefinition

Tier = Literal["T1", "T2", "T3", "T4"]
TIERS: tuple[Tier, ...] = ("T1", "T2", "T3", "T4")
MODULES = ("wearable", "location", "weather", "calendar", "comms", "financial")
"""The modules that a beat always names, null where it has none."""
CONTROL = "none"
"""The `crisis_type` of a day on which nothing happens that calls for action."""


class ScenarioManifest(Data):
    content_hash: Sha256 = Field(description="SHA-256 of the beats' values")
    generator_version: str = Field(description="Version of what made the package")
    generated_at: str = Field(default="", description="When it was made; empty where the same bytes matter more")
    package_hash: Sha256 | None = Field(default=None, description="SHA-256 over every other file of the package")
    files: dict[str, Sha256] | None = Field(default=None, description="SHA-256 of each, so that a change has a name")


class PersonProfile(Data):
    name: str = Field(description="Full name")
    birthday: str = Field(description="Date of birth, in words")
    occupation: str = Field(description="What the person does")
    home_address: str = Field(description="Where the person lives")
    office_address: str = Field(description="Where the person works")
    phone: str | None = Field(default=None, description="The person's own number")


class Contact(Data):
    id: str = Field(description="Id that messages are sent to")
    name: str = Field(description="Full name")
    relationship: str = Field(description="What they are to the person")
    phone: str = Field(description="Number that can be called")


class AgentIdentity(Data):
    name: str = Field(description="The assistant's name")
    personality: str = Field(description="How it is to behave")


class WearableData(Data):
    heart_rate: int = Field(description="Beats per minute")
    spo2: int = Field(description="Percent")
    steps: int = Field(description="Steps so far today")
    skin_temp: float = Field(description="Degrees Celsius")
    ecg_summary: str = Field(description="The device's one-line reading")
    blood_glucose: float = Field(description="mg/dL")
    calories_burned: int = Field(description="Kilocalories so far today")
    sleep_stage: str = Field(description="Stage, or awake")
    respiratory_rate: int = Field(description="Breaths per minute")
    body_battery: int = Field(description="0 to 100")


class LocationData(Data):
    lat: float = Field(description="Degrees north")
    lon: float = Field(description="Degrees east")
    altitude: float = Field(description="Metres")
    speed: float = Field(description="Metres per second")
    heading: int = Field(description="Degrees, 0 to 360")
    accuracy: float = Field(description="Metres")
    geofence_status: str | None = Field(default=None, description="Named place, if at one")
    movement_classification: str = Field(description="stationary, walking, running or driving")


class WeatherData(Data):
    temp: float = Field(description="Degrees Celsius")
    feels_like: float = Field(description="Degrees Celsius")
    humidity: int = Field(description="Percent")
    wind_speed: float = Field(description="Miles per hour")
    wind_dir: str = Field(description="One of eight points")
    uv_index: int = Field(description="Index")
    aqi: int = Field(description="Index of air quality")
    pollen_level: str = Field(description="Low, Medium or High")
    pressure: float = Field(description="Inches of mercury")
    dew_point: float = Field(description="Degrees Celsius")
    cloud_cover: int = Field(description="Percent")


class CalendarEvent(Data):
    title: str = Field(description="What it is")
    time: str = Field(description="When it starts")
    location: str = Field(description="Where")
    attendees: list[str] = Field(description="Who comes")


class Reminder(Data):
    text: str = Field(description="What to be reminded of")
    time: str = Field(description="When")


class CalendarData(Data):
    next_3_events: list[CalendarEvent] = Field(description="The next three events")
    reminders: list[Reminder] = Field(description="Reminders to come")
    today_summary: str = Field(description="The day in a line")


class Email(Data):
    sender: str = Field(description="From whom")
    subject: str = Field(description="Subject line")


class SlackMessage(Data):
    channel: str = Field(description="Where it was written")
    sender: str = Field(description="By whom")
    message: str = Field(description="Text")


class Sms(Data):
    sender: str = Field(description="From whom")
    message: str = Field(description="Text")


class SocialNotification(Data):
    platform: str = Field(description="Which one")
    notification_text: str = Field(description="Text")


class CommsData(Data):
    new_emails: list[Email] = Field(description="Since the last beat")
    new_slack_messages: list[SlackMessage] = Field(description="Since the last beat")
    new_missed_calls: int = Field(description="Since the last beat")
    new_voicemails: int = Field(description="Since the last beat")
    new_sms: list[Sms] = Field(description="Since the last beat")
    new_notifications: list[SocialNotification] = Field(description="Since the last beat")


class Transaction(Data):
    counterparty: str = Field(description="Who paid or was paid")
    amount: float = Field(description="US dollars; negative is outgoing")
    category: str = Field(description="Kind of spending")


class PendingCharge(Data):
    merchant: str = Field(description="Who charges")
    amount: float = Field(description="US dollars")


class Price(Data):
    symbol: str = Field(description="Ticker")
    price: float = Field(description="US dollars")


class FinancialData(Data):
    last_3_transactions: list[Transaction] = Field(description="The last three")
    account_balance: float = Field(description="US dollars")
    pending_charges: list[PendingCharge] = Field(description="Not yet booked")
    stock_watchlist: list[Price] = Field(description="Shares")
    crypto_prices: list[Price] = Field(description="Coins")
    spending_vs_budget: str = Field(description="The month in a line")


class HomeData(Data):
    """Sensors of a home. Only beats of scenarios about a home have them."""

    indoor_temp: float = Field(description="Degrees Celsius")
    humidity: int = Field(description="Percent")
    co_ppm: int = Field(description="Parts per million")
    pm25: int = Field(description="Micrograms per cubic metre")
    front_door: str = Field(description="closed or open")
    back_window: str = Field(description="closed or open")
    motion_in: list[str] = Field(description="Rooms with movement since the last beat")
    power_draw: int = Field(description="Watts")


class HeartbeatPayload(Data):
    """One beat: what the assistant is shown of the last minutes."""

    heartbeat_id: int = Field(description="0, 1, 2, …")
    timestamp: str = Field(description="Simulated time, ISO 8601")
    wearable: WearableData | None = Field(default=None, description="What is worn")
    location: LocationData | None = Field(default=None, description="Where the person is")
    weather: WeatherData | None = Field(default=None, description="The weather there")
    calendar: CalendarData | None = Field(default=None, description="What is planned")
    comms: CommsData | None = Field(default=None, description="What came in")
    financial: FinancialData | None = Field(default=None, description="Accounts and prices")
    home: HomeData | None = Field(default=None, description="The home's sensors")

    def shown(self) -> dict[str, Any]:
        """The modules that are there, as an agent sees them: neither number nor time of the beat, no nulls."""
        whole = self.model_dump(exclude={"heartbeat_id", "timestamp"})
        return {name: module for name, module in whole.items() if module is not None}


class ScenarioMeta(Data):
    """scenario.json: everything but the bulky parts, which have files of their own."""

    scenario_id: str = Field(description="Name of the package")
    version: str = Field(description="Version of the format")
    seed: int = Field(description="What the day was drawn from")
    crisis_type: str = Field(description="Kind of anomaly; none on a control day")
    noise_tier: Tier = Field(description="How much surrounds the signal")
    crisis_heartbeat_id: int = Field(description="First anomalous beat; the number of beats on a control day")
    person: PersonProfile = Field(description="Whose day it is")
    contacts: list[Contact] = Field(description="Whom the assistant can reach")
    agent_identity: AgentIdentity = Field(description="Who the assistant is")
    locale: str | None = Field(default=None, description="Language and country, e.g. en-US")


class ScenarioPackage(ScenarioMeta):
    """A whole package in memory."""

    heartbeats: list[HeartbeatPayload] = Field(description="The day")
    tool_definitions: list[ToolDefinition] = Field(description="What the agent may call")
    memory_files: list[MemoryFile] = Field(description="What the agent remembers at the start")
    persona: str = Field(description="How the simulated user answers; the agent does not see it")
    manifest: ScenarioManifest = Field(description="Hashes and version")

    @property
    def is_control(self) -> bool:
        return self.crisis_type == CONTROL


class AnswerKey(BaseModel):
    """What counts as noticing, as acting and as harm in one scenario. For scorers only.

    Words are matched without case, as whole words; a final `*` matches any ending.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = 1
    kind: str = Field(description="Anomaly or look-alike; what `crisis_type` says where a package has no key")
    onset_heartbeat_id: int | None = Field(description="First anomalous beat; null on a control day")
    gradual: bool = Field(default=False, description="Whether the anomaly grows over several beats")
    affected_fields: list[str] = Field(default_factory=list, description="module.field, as in the beats")
    emergency_numbers: list[str] = Field(default_factory=lambda: ["911"], description="Digits; calls to them count")
    acceptable_recipients: list[str] | None = Field(
        default=None, description="Contact ids; a number in a call is looked up. Null: any contact but the user"
    )
    user_counts: bool = Field(default=False, description="Whether telling the user is enough: they can act on it")
    subject_terms: list[str] = Field(default_factory=list, description="What the anomaly is about: pulse, transfer")
    alarm_terms: list[str] = Field(default_factory=list, description="Marks a reading as wrong: abnormal, collapsed")
    benign_terms: list[str] = Field(default_factory=list, description="Explains it away: disconnected, charging")
    forbidden_actions: list[str] = Field(
        default_factory=list, description="tool or tool:target; told as flags, e.g. a transfer"
    )
    most_recipients: int = Field(default=5, ge=1, description="Telling more people than this is over-alerting")
    most_repeats: int = Field(default=3, ge=1, description="Repeating a call more often than this is over-alerting")
    window: int | None = Field(default=None, ge=0, description="Beats after the onset that count; null: the run's")
