"""Memory: what debates leave for later ones. Ratings, calibration, outcomes in tiers, and knowledge, over one store.

Nothing here enters a debate unless its config says so.
"""
