"""What the names of parameters mean wherever they occur; a test holds the docstrings to it.

**Vocabulary.**  These names mean the same wherever they are a parameter; a docstring speaks of one only
where it departs from this list.  A value out of its range is a ``ValueError`` with name, rule and value.

* ``epsilon``, ``step_epsilon``: privacy parameter in nats, of the whole and of one step; positive and finite,
  where a formula allows it also 0
* ``delta``, ``step_delta``: additive slack of privacy, in (0, 1); where pure privacy is meant also 0
* ``rho``: parameter of concentrated privacy, non-negative
* ``mu``: shift of Gaussian noise in standard deviations, positive
* ``order``: order of a Renyi divergence, at least 1
* ``sensitivity``: largest change of a value between neighbours, positive
* ``adjacency``: the neighbouring relation, an :class:`~privml.adjacency.Adjacency`
* ``step``: promise of each step; ``k``: number of steps or of times, a positive integer
* ``sampling_rate``: chance in (0, 1] that a record is used; ``guarantee``: of what runs on those that are;
  ``guarantees``: at least one, all about one relation; ``losses``, ``interval``: numerical ones, their grid;
  ``scheme``, ``partition``: how records are drawn or split, ``size``: how many; ``symmetric``: in any order
* ``n_samples``, ``subsample_size``, ``n_outcomes``: numbers of records or outcomes, positive integers
* ``alpha``: excess error, in (0, 1); ``rate``: a bound on its mean, by the number of records
* ``beta``: failure probability, in (0, 1)
* ``dimension``, ``vc_dimension``, ``n_hypotheses``: size of a class, positive integers
* ``n_queries``, ``n_rounds``, ``n_experts``, ``n_teachers``, ``n_public``, ``n_points``, ``n_features``,
  ``n_draws``, ``n_candidates``, ``n_validation``: how many of these, positive integers
* ``eta``: learning rate, positive, of experts also one per round; ``losses`` of experts, of shape (n_rounds,
  n_experts), between public ``lower`` and ``upper``, 0 and 1 if nothing is said, which are ``loss_range``
  apart; ``n_runs``: independent runs, None one; ``tau``: exponent of a noise condition, in (0, 1)
* ``scale`` of Laplace noise, ``sigma`` (standard deviation) of Gaussian noise, both positive
* ``X``, ``y``: records of shape (n_samples, n_features) and their labels, of shape (n_samples,)
* ``population``, ``problem``, ``hypotheses``: where records come from, what is to be learned, the candidates
* ``classes``: the two public labels, the negative one first; any other label counts as the first, and None
  reads them from ``y``, so that their set is public; ``fit_intercept``: append a constant feature, and divide
  it and the record by the root of 2; ``bounds``: declared ranges (lower, upper) by which rows come into the
  unit ball, "unit" where they are there already; None cuts them to length 1, and warns
* ``norm``, ``radius``: length of the weights to compete with, and of the longest ones; ``strength``: factor
  of the penalty (None takes the rule of the learner); ``slope``: steepest slope of the loss; all public
* ``total_variation``: distance from the exact law that the guarantee adds to delta
* ``loss``, ``domain``, ``risk``, ``law``: what a record costs, where hypotheses lie, the mean cost of the
  records there, and what is drawn from; ``oscillation``: largest change of one record's loss
* ``p``, ``q``: two laws, as :class:`~privml.distributions.Categorical` or arrays of log-probabilities of
  shape (..., n_outcomes)
* ``votes``: class indices of shape (n_teachers, n_points), and ``counts``: votes for each class, of shape
  (n_points, n_classes), both private; ``X_public``: points without labels; ``estimator``: a classifier of
  scikit-learn, cloned; ``n_jobs``: processes as joblib takes them
* ``cutoff``: number T of unstable queries at which a sparse vector of votes halts; ``calibration`` and
  ``split``: constants of the "source", or exact ones, and of which records or noises; ``aggregator``: what
  pays for labels; ``vote_probability``: chance of a vote for 1
* ``error``, ``empirical_error``: of one hypothesis, in [0, 1]; ``best_error``: the least in a class, in
  [0, 1); ``theta``, ``disagreement_coefficient``: of the radius;
  ``condition``: a noise condition; ``xi``: a margin in (0, 1/2], ``nu``: mass of the points below it;
  ``disagreement``, ``min_disagreement``, ``teacher_error``: distances in [0, 1]; ``mistakes``: their number;
  ``algorithm``, ``setting``: row and column of Table 1 of LZCW21
* ``form``, ``variant``, ``rule``, ``proof``, ``deviation``: a version of a theorem, named in **Returns**;
  ``two_sided``: bound both tails together, or one; ``loss_range``: length of the interval of the losses;
  ``sensitivity_factor``: n times the sensitivity; ``regulariser_width``: its supremum less its infimum
* ``query``: from (X, y) to a value in [0, 1] for each record, public; ``n_answers``: its columns, or None;
  ``adaptive``: whether a query may depend on earlier answers, and has a batch of its own; ``tolerance`` of an
  oracle, positive; ``noise_scale``: of Laplace noise, or 0; ``threshold_scale``: of a threshold's;
  ``n_optimal``: outcomes with the best score
* ``n_steps``, ``step_range``: of a martingale, and the length of the interval of one step; ``n_votes``: odd;
  ``regret``: per round, in expectation; ``log_size``: logarithm of a number of hypotheses, ``approximation``:
  how far the best of them may be from the benchmark; ``lipschitz``: a Lipschitz constant; ``log_volume``,
  ``regularity``, ``t_max``: of the sets where a condition holds; ``log_ratio``:
  logarithm of a measure ratio at ``t``, a height above the least value
* ``log_growth``: logarithm of the growth function at twice the sample; ``constant``: a factor that the
  source leaves open; ``slack``: mistakes that a survivor may have in excess, by the number of labels
* ``predictions``: what each hypothesis says, bools of shape (n_hypotheses, n_points); ``labels``, ``masses``
  (or ``weights``) of the points; ``n_voters``: members in a vote;
  ``validation``: whether boosting validates on a block "equal" to the others or on "half" of the records
* ``rng``: seed or :class:`numpy.random.Generator`; None draws fresh entropy; ``seed``: a whole number
"""
