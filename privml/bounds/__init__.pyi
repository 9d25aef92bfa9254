"""What a type checker sees of `privml.bounds`, whose names are imported when they are first used."""

from privml.bounds.experts import best_eta as best_eta
from privml.bounds.experts import best_regret_bound as best_regret_bound
from privml.bounds.experts import linear_excess_risk as linear_excess_risk
from privml.bounds.experts import linear_learning_rate as linear_learning_rate
from privml.bounds.experts import most_epsilon_closed as most_epsilon_closed
from privml.bounds.experts import online_excess_risk as online_excess_risk
from privml.bounds.experts import private_eta_dr11 as private_eta_dr11
from privml.bounds.experts import private_regret_bound as private_regret_bound
from privml.bounds.experts import regret_bound as regret_bound
from privml.bounds.fast_rates import NoiseCondition as NoiseCondition
from privml.bounds.fast_rates import bernstein_count as bernstein_count
from privml.bounds.fast_rates import bernstein_from_tail as bernstein_from_tail
from privml.bounds.fast_rates import finite_erm_error as finite_erm_error
from privml.bounds.fast_rates import log_sauer_shelah as log_sauer_shelah
from privml.bounds.fast_rates import sauer_shelah as sauer_shelah
from privml.bounds.fast_rates import uniform_bernstein_upper as uniform_bernstein_upper
from privml.bounds.inverses import required_epsilon as required_epsilon
from privml.bounds.inverses import required_sample_size as required_sample_size
from privml.bounds.pate import PATEBound as PATEBound
from privml.bounds.pate import gaussian_pate_bound as gaussian_pate_bound
from privml.bounds.pate import gaussian_teachers as gaussian_teachers
from privml.bounds.pate import passive_cutoff as passive_cutoff
from privml.bounds.pate import pate_rate as pate_rate
from privml.bounds.pate import source_sigma as source_sigma
from privml.bounds.pate import sparse_vector_pate_bound as sparse_vector_pate_bound
from privml.bounds.pate import sparse_vector_teachers as sparse_vector_teachers
from privml.bounds.private_pac import Blocks as Blocks
from privml.bounds.private_pac import boosted_excess_risk as boosted_excess_risk
from privml.bounds.private_pac import boosting_blocks as boosting_blocks
from privml.bounds.private_pac import boosting_candidates as boosting_candidates
from privml.bounds.private_pac import exponential_utility_gap as exponential_utility_gap
from privml.bounds.private_pac import private_erm_gap as private_erm_gap
from privml.bounds.private_pac import (
    private_pac_excess_error as private_pac_excess_error,
)
from privml.bounds.private_pac import (
    private_realizable_error as private_realizable_error,
)
from privml.bounds.private_pac import (
    representation_excess_risk as representation_excess_risk,
)
from privml.bounds.private_pac import selection_gap as selection_gap
from privml.bounds.statistical_queries import ParityPlan as ParityPlan
from privml.bounds.statistical_queries import (
    concentrated_sq_accuracy as concentrated_sq_accuracy,
)
from privml.bounds.statistical_queries import overfitting_bias as overfitting_bias
from privml.bounds.statistical_queries import parity_plan as parity_plan
from privml.bounds.statistical_queries import private_sq_accuracy as private_sq_accuracy
from privml.bounds.statistical_queries import sq_accuracy as sq_accuracy
from privml.bounds.statistical_queries import vote_lean as vote_lean
from privml.bounds.students import PassiveBound as PassiveBound
from privml.bounds.students import active_excess_error as active_excess_error
from privml.bounds.students import active_expected_queries as active_expected_queries
from privml.bounds.students import active_slack as active_slack
from privml.bounds.students import (
    asq_realizable_parameters as asq_realizable_parameters,
)
from privml.bounds.students import high_margin_parameters as high_margin_parameters
from privml.bounds.students import passive_bound as passive_bound
from privml.bounds.students import pate_agnostic_bound as pate_agnostic_bound
from privml.bounds.sublevel import SublevelCondition as SublevelCondition
from privml.bounds.sublevel import finite_class_condition as finite_class_condition
from privml.bounds.sublevel import lipschitz_condition as lipschitz_condition
from privml.bounds.sublevel import log_ball_volume as log_ball_volume
from privml.bounds.sublevel import measure_ratio_tail as measure_ratio_tail
from privml.bounds.sublevel import (
    penalised_erm_excess_risk as penalised_erm_excess_risk,
)
from privml.bounds.sublevel import (
    penalised_erm_utility_gap as penalised_erm_utility_gap,
)
from privml.bounds.tails import agnostic_erm_excess_error as agnostic_erm_excess_error
from privml.bounds.tails import azuma_deviation as azuma_deviation
from privml.bounds.tails import gaussian_max_quantile as gaussian_max_quantile
from privml.bounds.tails import hoeffding_tail as hoeffding_tail
from privml.bounds.tails import laplace_max_error as laplace_max_error
from privml.bounds.tails import laplace_max_quantile as laplace_max_quantile
from privml.bounds.tails import realizable_erm_error as realizable_erm_error
from privml.bounds.tails import regret_deviation as regret_deviation
from privml.bounds.tails import restarting_margin as restarting_margin
from privml.bounds.tails import stable_answer_radius as stable_answer_radius
from privml.bounds.tails import (
    uniform_convergence_failure as uniform_convergence_failure,
)
from privml.bounds.tails import uniform_convergence_radius as uniform_convergence_radius
