"""CF2 semantics (Baroni, Giacomin and Guida 2005): naive sets, chosen component by component along the attacks.

In each strongly connected component, what the choice so far attacks is dropped. The rest is solved by the same rule;
a framework that is one component has its naive sets.
"""

from collections.abc import Callable, Iterator

from moot.argument.parts import Attackers, Set

Naive = Callable[[Attackers], Iterator[Set]]


def every(attackers: Attackers, naive: Naive) -> Iterator[Set]:
    """All CF2 extensions, each once. Components are kept on a stack, since there can be thousands."""
    components = strong_components(attackers)
    if len(components) <= 1:
        yield from naive(attackers)
        return
    chosen: list[list[int]] = []
    so_far: set[int] = set()
    running = [_choices(attackers, components[0], so_far, naive)]
    while running:
        following = next(running[-1], None)
        if following is None:
            running.pop()
            if chosen:
                so_far.difference_update(chosen.pop())
            continue
        chosen.append(following)
        so_far.update(following)
        if len(chosen) == len(components):
            yield frozenset(so_far)
            so_far.difference_update(chosen.pop())
        else:
            running.append(_choices(attackers, components[len(chosen)], so_far, naive))


def _choices(attackers: Attackers, component: list[int], so_far: set[int], naive: Naive) -> Iterator[list[int]]:
    """The choices within a component. What is chosen so far is looked at once, at the first of them."""
    left = [one for one in component if so_far.isdisjoint(attackers[one])]
    place = {one: local for local, one in enumerate(left)}
    inner = tuple(tuple(place[source] for source in attackers[one] if source in place) for one in left)
    for members in every(inner, naive) if left else iter([frozenset[int]()]):
        yield [left[one] for one in members]


def strong_components(attackers: Attackers) -> list[list[int]]:
    """The strongly connected components, attackers before what they attack (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(attackers)):
        walk = [] if root in order else [(root, 0)]
        while walk:
            one, step = walk.pop()
            if step == 0:
                order[one] = low[one] = len(order)
                path.append(one)
                on_path.add(one)
            if step < len(attackers[one]):
                walk.append((one, step + 1))
                source = attackers[one][step]
                if source not in order:
                    walk.append((source, 0))
                elif source in on_path:
                    low[one] = min(low[one], order[source])
                continue
            if low[one] == order[one]:
                part = [path.pop()]
                while part[-1] != one:
                    part.append(path.pop())
                found.append(sorted(part))
                on_path.difference_update(part)
            if walk:
                low[walk[-1][0]] = min(low[walk[-1][0]], low[one])
    return found
