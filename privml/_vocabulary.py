"""What a parameter's name means wherever it occurs: words that a docstring holds, and its range.

A line for each meaning: names; words; ranges, of which one holds in each callable.  A docstring says them
where the name means the same, and "here" where it departs.  A value out of its range is a ``ValueError``.
"""

TABLE = """
epsilon; privacy parameter in nats; positive | non-negative
step_epsilon; privacy parameter in nats of a step; positive | non-negative
delta; additive slack; in (0, 1) | in [0, 1) | in [0, 1]
step_delta; additive slack of a step; in (0, 1) | in [0, 1)
rho; parameter of concentrated privacy; positive | non-negative
mu; shift of Gaussian noise in standard deviations; positive | non-negative
sensitivity; largest change between neighbours; positive
adjacency; neighbouring relation;
alpha; excess error; in (0, 1) | positive
beta; failure probability; in (0, 1)
tau; exponent of the noise condition; in (0, 1) | in [0, 1] | in (0, 1]
eta; learning rate; positive
scale; scale of the noise; positive
sigma; standard deviation of the noise; positive
sampling_rate; chance that a record is used; in (0, 1]
k; number of; positive integer | non-negative integer
size; number of records; positive integer | non-negative integer
subsample_size; number of records drawn; positive integer
cutoff; number of; positive integer
dimension; dimension; positive integer
vc_dimension; VC dimension; positive integer | non-negative integer
n_samples; records; positive integer | non-negative integer
n_public; public points; positive integer
n_validation; records for validation; positive integer
X; records;
y; labels;
X_public; points without labels;
p, q; laws;
votes; class indices of shape (n_teachers, n_points), private;
counts; votes for each class;
classes; public labels;
population; where records come from;
problem; what is to be learned;
hypotheses; candidates;
predictions; bools of shape (n_hypotheses, n_points);
error; error; in [0, 1]
empirical_error; on the sample; in [0, 1]
best_error; least error in the class; in [0, 1) | in [0, 1]
loss_range; of the interval of the losses; positive
radius; length of the longest weights; positive
norm; length of the weights to compete with; positive
strength; factor of the penalty; positive
slope; steepest slope of the loss; positive
fit_intercept; whether to append a constant feature;
two_sided; whether both tails are bounded;
adaptive; whether a query may depend on earlier answers;
tolerance; tolerance; positive | in (0, 1)
estimator; classifier of scikit-learn, cloned;
n_jobs; processes, as joblib takes them;
rng; generator;
universe; possible records;
guarantees; promise;
step; of each step;
group_size; steps of the relation apart; positive integer
conversion; one of "tight" and "simple";
interval; width of the lattice; positive
location; answer a without noise;
variance; variance parameter v; positive
noise_scale; scale; non-negative
threshold_scale; noise on the threshold; positive | non-negative
side; side of the threshold;
bits; length of the words;
confidence; with which the bound holds; in (0, 1)
progress; bar on the error stream;
log_growth; logarithm of the growth function; non-negative
teacher_error; error that no teacher exceeds; in [0, 1]
theta; disagreement coefficient;
regulariser_width; supremum less infimum of the regulariser; non-negative
sensitivity_factor; records times the sensitivity; positive
digits; significant digits; positive integer
axes; where to draw;
"""
