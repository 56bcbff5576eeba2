"""The built-in scorers, by name.

`build` makes one from its name and configuration, `score` measures, `config_hash` tells two
configurations apart. Asking a model (the judge) and storing scores are other rooms' work.
"""

from gnomon.scorers.arrowcolumns import ColumnScores, score_columns, score_table
from gnomon.scorers.asking import ModelScorer
from gnomon.scorers.judge import LlmJudge
from gnomon.scorers.protocol import Absent, Comparison, Failed, Measurement, RuleScorer, Sample, Scored, ValueKind
from gnomon.scorers.registry import BUILTINS, Scorer, build, config_hash, config_keys, is_builtin, unknown_scorer
from gnomon.scorers.rubricjudge import RubricJudge

__all__ = [
    "BUILTINS",
    "Absent",
    "ColumnScores",
    "Comparison",
    "Failed",
    "LlmJudge",
    "Measurement",
    "ModelScorer",
    "RubricJudge",
    "RuleScorer",
    "Sample",
    "Scored",
    "Scorer",
    "ValueKind",
    "build",
    "config_hash",
    "config_keys",
    "is_builtin",
    "score_columns",
    "score_table",
    "unknown_scorer",
]
