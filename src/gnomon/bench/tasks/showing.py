"""A task for the people who make or check it, in lines of text. Agents must never see it."""

from gnomon.bench.tasks.comparing import compare, expected_world
from gnomon.bench.tasks.lint import reference_episode
from gnomon.bench.tasks.nouns import SimulatedUser
from gnomon.bench.tasks.package import Task
from gnomon.bench.tasks.scoring import pattern_in_words


def task_lines(task: Task) -> list[str]:
    """What is asked, who answers, how it is solved, and what counts."""
    file = task.file
    lines = [file.summary, f"the user says: {' '.join(file.instruction.split())}"]
    if file.user is not None:
        lines += _user_lines(file.user)
    lines += [f"solved by: {call.in_words()}" for call in reference_episode(task).calls]
    lines += [f"at the end: {result.in_words()}" for result in compare(task, expected_world(task))]
    lines += [f"has to call: {pattern_in_words(pattern)}" for pattern in file.required_calls]
    lines += [f"must not call: {pattern_in_words(pattern)}" for pattern in file.forbidden_calls]
    for phrase in file.required_words:
        lines.append(f"has to say: {phrase if isinstance(phrase, str) else ' or '.join(phrase)}")
    lines += [f"must not say: {phrase}" for phrase in file.forbidden_words]
    return lines


def _user_lines(user: SimulatedUser) -> list[str]:
    lines = [f"asked about {', '.join(fact.asked)}: {fact.say}" for fact in user.facts]
    lines += [f"then says: {line}" for line in user.says]
    if user.otherwise is not None:
        lines.append(f"to any other question: {user.otherwise}")
    return lines
