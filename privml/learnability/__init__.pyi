"""What a type checker sees of `privml.learnability`, whose names are imported when they are first used."""

from privml.learnability.approximate import (
    optimal_approximate_learner as optimal_approximate_learner,
)
from privml.learnability.generalisation import (
    expected_gap_from_privacy as expected_gap_from_privacy,
)
from privml.learnability.generalisation import (
    generalisation_deviation as generalisation_deviation,
)
from privml.learnability.generalisation import (
    generalisation_tail as generalisation_tail,
)
from privml.learnability.generalisation import posterior_mean as posterior_mean
from privml.learnability.impossibility import Packing as Packing
from privml.learnability.impossibility import grid_packing as grid_packing
from privml.learnability.impossibility import packing_excess_risk as packing_excess_risk
from privml.learnability.impossibility import (
    thresholds_excess_risk as thresholds_excess_risk,
)
from privml.learnability.learners import constant_learner as constant_learner
from privml.learnability.learners import erm_learner as erm_learner
from privml.learnability.learners import exponential_learner as exponential_learner
from privml.learnability.learners import (
    permute_and_flip_learner as permute_and_flip_learner,
)
from privml.learnability.optimal import OptimalLearner as OptimalLearner
from privml.learnability.optimal import optimal_learner as optimal_learner
from privml.learnability.problem import CountLearner as CountLearner
from privml.learnability.problem import LearningProblem as LearningProblem
from privml.learnability.problem import OrderedLearner as OrderedLearner
from privml.learnability.problem import count_vector_rows as count_vector_rows
from privml.learnability.problem import count_vectors as count_vectors
from privml.learnability.problem import neighbour_cliques as neighbour_cliques
from privml.learnability.problem import neighbours as neighbours
from privml.learnability.problem import sample_probabilities as sample_probabilities
from privml.learnability.problem import simplex_grid as simplex_grid
from privml.learnability.problems import coin_problem as coin_problem
from privml.learnability.problems import (
    finite_subsets_problem as finite_subsets_problem,
)
from privml.learnability.problems import rescaled_problem as rescaled_problem
from privml.learnability.problems import thresholds_problem as thresholds_problem
from privml.learnability.program import largest_ratio as largest_ratio
from privml.learnability.program import symmetry as symmetry
from privml.learnability.risks import excess_empirical_risks as excess_empirical_risks
from privml.learnability.risks import expected_excess_risk as expected_excess_risk
from privml.learnability.risks import expected_risks as expected_risks
from privml.learnability.risks import generalisation_gap as generalisation_gap
from privml.learnability.risks import (
    mean_excess_empirical_risk as mean_excess_empirical_risk,
)
from privml.learnability.risks import on_average_stability as on_average_stability
from privml.learnability.risks import worst_distribution as worst_distribution
from privml.learnability.risks import (
    worst_excess_empirical_risk as worst_excess_empirical_risk,
)
from privml.learnability.stability import exact_privacy as exact_privacy
from privml.learnability.stability import replace_one_stability as replace_one_stability
from privml.learnability.stability import (
    stability_from_bounded_range as stability_from_bounded_range,
)
from privml.learnability.stability import (
    stability_from_privacy as stability_from_privacy,
)
from privml.learnability.stability import (
    total_variation_stability as total_variation_stability,
)
from privml.learnability.subsampling import SubsampledLearner as SubsampledLearner
from privml.learnability.subsampling import (
    hypergeometric_weights as hypergeometric_weights,
)
from privml.learnability.subsampling import resampled_learner as resampled_learner
from privml.learnability.subsampling import root_size as root_size
from privml.learnability.subsampling import subsample_guarantee as subsample_guarantee
from privml.learnability.subsampling import subset_learner as subset_learner
from privml.learnability.table import rows as rows
from privml.learnability.tradeoff import OptimalTradeoff as OptimalTradeoff
from privml.learnability.tradeoff import optimal_tradeoff as optimal_tradeoff
