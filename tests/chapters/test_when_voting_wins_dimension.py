"""Two classes whose votes have too large a VC dimension."""

import pytest

from book.tools.programme import tangled
from privml.hypotheses import vc_dimension_by_brute_force
from privml.pate import vote_closure

chapter = tangled("when-voting-wins")


@pytest.mark.source("LZCW21-def-vote-class")
@pytest.mark.erratum("LZCW21-def-vote-class/1")
@pytest.mark.parametrize(("table", "n_voters", "dimension"), [("union_class", 2, 2), ("median_class", 3, 3)])
def test_the_votes_shatter_all_points_which_are_more_than_voters_times_dimension(table, n_voters, dimension):
    predictions = getattr(chapter, table)()
    n_points = predictions.shape[1]
    assert vc_dimension_by_brute_force(predictions) == dimension
    assert len(vote_closure(predictions, n_voters)) == 2**n_points
    assert n_points > n_voters * dimension
    assert n_points <= chapter.vote_vc_bound(n_voters, dimension)
