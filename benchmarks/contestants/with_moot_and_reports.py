"""moot as anybody gets it: the same runs, and the two reports of each."""

from functools import partial

from measure import main
from with_moot import contestant

if __name__ == "__main__":
    main(partial(contestant, reports=True))
