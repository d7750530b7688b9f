"""Debates for many people at once: started, followed, answered, stopped; what guests may ask for."""
