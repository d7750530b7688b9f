"""The arena: agents propose, criticise, revise, converge, vote, and are judged by somebody who proposed nothing.

`script` is the debate; `gate` the two answers that may spare it; `convergence`, `trickster`, `ballots` and `judging`
are its steps, `decision` what follows from them, and `result` the fold from the log.
"""

ABOUT = "Several agents propose blind, criticise each other, revise and vote; a judge reads it all."
"""For the list of commands, which loads no protocol."""
