"""Tables of the chapter on learning from experts: exact regret and exact privacy beside their bounds."""

from privml.experiments.experts.answering import answering_adversary
from privml.experiments.experts.base import opposite_losses
from privml.experiments.experts.cost import committed_cost, growth
from privml.experiments.experts.horizons import schedule_costs, unknown_horizon
from privml.experiments.experts.patients import tumour_losses, tumour_stream
from privml.experiments.experts.privacy import (
    favoured_share,
    rare_expert,
    resolution_check,
    run_audits,
    run_delta_curves,
)
from privml.experiments.experts.private_regrets import (
    prices,
    printed_chain,
    private_regret_by_rounds,
    regret_quantiles,
    signed_losses,
)
from privml.experiments.experts.rates import multiples_by_epsilon, rate_multiples, very_large_epsilon
from privml.experiments.experts.regrets import (
    fair_coin_regret,
    follow_the_leader,
    many_experts,
    regret_by_rounds,
    worst_regrets,
)

__all__ = [
    "answering_adversary",
    "committed_cost",
    "fair_coin_regret",
    "favoured_share",
    "follow_the_leader",
    "growth",
    "many_experts",
    "multiples_by_epsilon",
    "opposite_losses",
    "prices",
    "printed_chain",
    "private_regret_by_rounds",
    "rare_expert",
    "rate_multiples",
    "regret_by_rounds",
    "regret_quantiles",
    "resolution_check",
    "run_audits",
    "run_delta_curves",
    "schedule_costs",
    "signed_losses",
    "tumour_losses",
    "tumour_stream",
    "unknown_horizon",
    "very_large_epsilon",
    "worst_regrets",
]
