"""Which models this server may ask. Told are names and reasons; keys and addresses stay here."""

from gnomon.llm import pricetable
from gnomon.llm.providers import KEYS
from gnomon.model.playground import AskableModels, AskableProvider
from gnomon.service.call import Call, project_in_scope
from gnomon.service.judges import prices
from gnomon.service.playground.accepting import cannot_ask
from gnomon.store import models as store
from gnomon.store import preview

MOST_NAMES = 300
_ANY = "any-model"


def askable(call: Call, project_id: str | None, model: str | None) -> AskableModels:
    project_id = project_in_scope(call.principal, project_id)
    providers = [_provider(name) for name in sorted(KEYS)]
    day = store.day_of(call.clock.now())
    used = {row.model for row in preview.spent_by_model(call.db, project_id, day)} | prices.own(call, project_id).keys()
    return AskableModels(
        providers=sorted(providers, key=lambda provider: not provider.can_ask),
        used=sorted(name for name in used if cannot_ask(name) is None),
        model=model,
        cannot_ask=None if model is None else cannot_ask(model),
    )


def _provider(name: str) -> AskableProvider:
    reason = cannot_ask(f"{name}/{_ANY}")
    if reason is not None:
        reason = reason.removeprefix(f"model {f'{name}/{_ANY}'!r} is {name}'s, ").removeprefix("for which ")
        return AskableProvider(provider=name, can_ask=False, reason=reason, models=[])
    listed = pricetable.table().providers.get(pricetable.group_of(name), {})
    names = sorted(f"{name}/{model}" for model in listed)[:MOST_NAMES]
    return AskableProvider(provider=name, can_ask=True, reason=None, models=names)
