"""The arena: agents propose, criticise, revise, converge, vote, and are judged by somebody who proposed nothing.

`script` is the debate; `gate` the two answers that may spare it; `convergence`, `trickster`, `ballots` and `judging`
are its steps, `decision` what follows from them, and `result` the fold from the log.
"""

ABOUT = "Agents propose, criticise, revise and vote; a judge reviews."
"""For the list of commands, which loads no protocol."""
