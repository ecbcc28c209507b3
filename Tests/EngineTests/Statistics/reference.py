#!/usr/bin/env python3
"""Computes the expected values of the tests of Statistics with mpmath, SciPy and statsmodels, and writes them into
reference.csv; with --check, compares that file with them. `make check-statistics` installs the three and does that."""

import csv
import sys
from pathlib import Path

import mpmath
import numpy
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

VALUES = Path(__file__).resolve().parent / "reference.csv"
mpmath.mp.dps = 60


def normal():
    for x in [-37, -20, -8.5, -5, -3, -1.96, -1, -0.5, -1e-10, 0, 0.3, 1, 1.6448536269514722, 2.5, 6]:
        yield "normalLowerTail", [x], [mpmath.ncdf(mpmath.mpf(x))]
    for p in [1e-300, 1e-100, 1e-20, 1e-10, 1e-6, 0.001, 0.01, 0.025, 0.05, 0.07, 0.08, 0.25, 0.4, 0.6, 0.9, 0.93, 0.975, 0.999]:
        # The root of the distribution's logarithm, from a start that is close.
        start, target = stats.norm.ppf(p), mpmath.log(mpmath.mpf(p))
        yield "normalQuantile", [p], [mpmath.findroot(lambda x: mpmath.log(mpmath.ncdf(x)) - target, start)]


def binomial_mass(k, n, p):
    p = mpmath.mpf(p)
    return mpmath.binomial(n, k) * p**k * (1 - p) ** (n - k)


def binomial():
    cases = [
        (0, 10, 0.3), (3, 10, 0.3), (10, 10, 0.3), (1, 2000, 0.001), (104, 2000, 0.052), (104, 2000, 0.04), (500, 1000, 0.5),
        (1000, 1000000, 0.001), (1200, 1000000, 0.001), (500500000, 1000000000, 0.5), (1000, 1000000000, 1e-6),
    ]
    for k, n, p in cases:
        yield "binomialProbability", [k, n, p], [binomial_mass(k, n, p)]
    for k, n, p in cases:
        if n <= 2000:
            yield "binomialLowerTail", [k, n, p], [mpmath.fsum(binomial_mass(i, n, p) for i in range(k + 1))]
            yield "binomialUpperTail", [k, n, p], [mpmath.fsum(binomial_mass(i, n, p) for i in range(k, n + 1))]
        else:
            yield "binomialLowerTail", [k, n, p], [incomplete_beta(1 - mpmath.mpf(p), n - k, k + 1)]
            yield "binomialUpperTail", [k, n, p], [incomplete_beta(p, k, n - k + 1)]


def incomplete_beta(x, a, b):
    """The regularised incomplete beta function by its oldest continued fraction, with many digits; SciPy has ten for large
    parameters."""
    x, a, b = mpmath.mpf(x), mpmath.mpf(a), mpmath.mpf(b)
    if x > a / (a + b):
        return 1 - incomplete_beta(1 - x, b, a)
    numerator, denominator = mpmath.mpf(1), 1 / (1 - (a + b) * x / (a + 1))
    value, k, change = denominator, 1, 0
    while abs(change - 1) > 1e-30:
        even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k))
        odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
        for coefficient in [even, odd]:
            denominator, numerator = 1 / (1 + coefficient * denominator), 1 + coefficient / numerator
            change = numerator * denominator
            value *= change
        k += 1
    logarithm = mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)
    return value * mpmath.exp(logarithm + a * mpmath.log(x) + b * mpmath.log(1 - x)) / a


def refined(x, a, b, tail):
    """A quantile, with a step of Newton's method that gives it more digits than SciPy has for large parameters."""
    if not 0 < x < 1 or a + b < 1000:
        return x
    x, a, b = mpmath.mpf(x), mpmath.mpf(a), mpmath.mpf(b)
    logarithm = mpmath.loggamma(a + b) - mpmath.loggamma(a) - mpmath.loggamma(b)
    density = mpmath.exp(logarithm + (a - 1) * mpmath.log(x) + (b - 1) * mpmath.log(1 - x))
    return x - (incomplete_beta(x, a, b) - tail) / density


def beta():
    for a, b in [(1, 1), (0.5, 0.5), (0.5, 15), (2, 3), (5, 0.5), (1, 2000), (105, 1896), (30, 30), (1000, 20)]:
        for x in [1e-6, 0.01, 0.05, 0.3, 0.5, 0.8, 0.97, 0.999]:
            value = mpmath.betainc(a, b, 0, mpmath.mpf(x), regularized=True)
            if value > 1e-250:
                yield "betaLowerTail", [x, a, b], [value]
        for p in [1e-8, 0.025, 0.5, 0.95]:
            yield "betaLowerQuantile", [p, a, b], [stats.beta.ppf(p, a, b)]
            yield "betaUpperQuantile", [p, a, b], [stats.beta.isf(p, a, b)]
    yield "betaLowerTail", [0.001, 1e6, 1e9], [incomplete_beta(0.001, 1e6, 1e9)]
    yield "betaLowerTail", [0.5, 5e8, 5e8], [0.5]


def chi_square():
    for degrees in [1, 2, 3, 10, 100, 1000]:
        for x in [0.01, 1, 3.841458820694124, 20, 150, 1100]:
            value = mpmath.gammainc(mpmath.mpf(degrees) / 2, mpmath.mpf(x) / 2, mpmath.inf, regularized=True)
            if value > 1e-250:
                yield "chiSquareUpperTail", [x, degrees], [value]
        for p in [1e-10, 0.05, 0.5, 0.99]:
            yield "chiSquareQuantile", [p, degrees], [stats.chi2.isf(p, degrees)]


PROPORTIONS = [
    (0, 20), (1, 29), (15, 148), (81, 263), (104, 2000), (0, 2000), (1999, 2000), (2000, 2000), (3, 10), (1000, 1000000), (7, 1000000),
    (123456789, 1000000000),
]


def proportions():
    for count, total in PROPORTIONS:
        for level in [0.9, 0.95, 0.999]:
            wilson = proportion_confint(count, total, 1 - level, method="wilson")
            # By rounding, the ends of none and all come out next to 0 and 1.
            wilson = (0 if count == 0 else wilson[0], 1 if count == total else wilson[1])
            yield "scoreInterval", [count, total, level], wilson
            lower, upper = proportion_confint(count, total, 1 - level, method="beta")
            half = (1 - mpmath.mpf(level)) / 2
            lower = refined(lower, count, total - count + 1, half)
            upper = refined(upper, count + 1, total - count, 1 - half)
            yield "exactInterval", [count, total, level], [lower, upper]


PAIRS = [
    (56, 70, 48, 80), (9, 10, 3, 10), (6, 7, 2, 7), (5, 56, 0, 29), (0, 10, 0, 20), (0, 10, 0, 10), (10, 10, 0, 20), (10, 10, 0, 10),
    (104, 2000, 80, 3000), (3, 200, 1, 100000),
]


def comparisons():
    for first, size, second, other in PAIRS:
        for level in [0.9, 0.95]:
            yield "newcombe", [first, size, second, other, level], confint_proportions_2indep(
                first, size, second, other, method="newcomb", compare="diff", alpha=1 - level)
    for first, size, second, other in PAIRS + [(36, 40, 16, 80), (0, 50, 5, 60), (20, 20, 10, 30)]:
        if first + second == 0:
            continue
        yield "koopman", [first, size, second, other, 0.95], ratio_interval(first, size, second, other, 0.95)


def ratio_interval(first, size, second, other, level):
    """The score interval of a ratio with the likeliest shares found by maximising the likelihood; statsmodels' bracket ends
    too early for rare events and has no infinite ends."""
    z = mpmath.mpf(stats.norm.isf((1 - level) / 2))

    def score(logarithm):
        ratio = mpmath.e**logarithm
        # The derivative of the likelihood, times the shares that are not there.
        a = ratio * (size + other)
        b = -(ratio * (size + second) + first + other)
        c = mpmath.mpf(first + second)
        p = min((-b - mpmath.sqrt(b * b - 4 * a * c)) / (2 * a), 1 / ratio, 1)
        variance = ratio * p * (1 - ratio * p) / size + ratio**2 * p * (1 - p) / other
        return (mpmath.mpf(first) / size - ratio * mpmath.mpf(second) / other) / mpmath.sqrt(variance)

    def end(level, low, high):
        low, high = mpmath.mpf(low), mpmath.mpf(high)
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (middle, high) if score(middle) > level else (low, middle)
        return mpmath.e**low

    lower = 0 if first == 0 else end(z, "-40.00001", "40.00001")
    upper = mpmath.inf if second == 0 else end(-z, "-40.00001", "40.00001")
    if first > 4 and second > 4:
        known = confint_proportions_2indep(
            first, size, second, other, method="score", compare="ratio", correction=False, alpha=1 - level)
        assert numpy.allclose([float(lower), float(upper)], known, rtol=1e-5), (lower, upper, known)
    return lower, upper


def tests():
    for first, size, second, other in PAIRS + [(3, 4, 1, 4), (2000, 100000, 1900, 100000), (30, 1000000, 3, 1000000)]:
        table = [[first, size - first], [second, other - second]]
        known = [stats.fisher_exact(table, alternative).pvalue for alternative in ["greater", "less", "two-sided"]]
        # The same to more digits.
        drawn, support = first + second, range(max(0, first + second - other), min(size, first + second) + 1)
        whole = mpmath.binomial(size + other, drawn)
        mass = {k: mpmath.binomial(size, k) * mpmath.binomial(other, drawn - k) / whole for k in support}
        greater = mpmath.fsum(p for k, p in mass.items() if k >= first)
        less = mpmath.fsum(p for k, p in mass.items() if k <= first)
        both = mpmath.fsum(p for p in mass.values() if p <= mass[first] * (1 + mpmath.mpf("1e-7")))
        assert numpy.allclose([float(greater), float(less), float(both)], known, rtol=1e-8), (table, known)
        mid = min(1, 2 * min(greater, less) - mass[first])
        values = [greater, less, both]
        yield "fisher", [first, size, second, other], values + [mid]
    for first, second in [([10, 20, 30], [20, 20, 20]), ([500, 40, 7, 60], [450, 80, 9, 33])]:
        p = (numpy.array(first) + 0.5) / (sum(first) + len(first) / 2)
        q = (numpy.array(second) + 0.5) / (sum(second) + len(second) / 2)
        scale = 1 / sum(first) + 1 / sum(second)
        level = scale * stats.chi2.isf(0.05, len(first) - 1)
        yield "stability", first + second, [numpy.sum((p - q) * numpy.log(p / q)), level]


def adjustments():
    lists = [
        [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1.0],
        [0.04, 0.01, 0.04, 0.6, 0.013], [0.02], [1.0, 0.0, 0.5],
    ]
    for values in lists:
        for name, method in [("holm", "holm"), ("benjaminiYekutieli", "fdr_by")]:
            yield name, values, multipletests(values, method=method)[1]


def pairs():
    """Tango's score interval: the likeliest share that is lost is found by bisection of the derivative of the likelihood."""
    for gained, lost, total in [(1, 7, 21), (30, 20, 2000), (10, 10, 100), (400, 25, 1000000), (0, 0, 2000), (44, 0, 44)]:
        for level in [0.9, 0.95]:
            yield "tango", [gained, lost, total, level], paired_interval(gained, lost, total, level)


def paired_interval(gained, lost, total, level):
    z = mpmath.mpf(stats.norm.isf((1 - level) / 2))

    def bisect(function, low, high):
        low, high = mpmath.mpf(low), mpmath.mpf(high)
        for _ in range(150):
            middle = (low + high) / 2
            low, high = (middle, high) if function(middle) > 0 else (low, middle)
        return low

    def slope(share, difference):
        return gained / (share + difference) + lost / share - 2 * (total - gained - lost) / (1 - 2 * share - difference)

    def score(difference):
        if gained - lost == total * difference:
            return mpmath.mpf(0)
        share = bisect(lambda share: slope(share, difference), max(0, -difference), (1 - difference) / 2)
        variance = (2 * share + difference * (1 - difference)) / total
        return (mpmath.mpf(gained - lost) / total - difference) / mpmath.sqrt(variance)

    def end(level):
        return bisect(lambda difference: score(difference) - level, "-0.99999999999", "0.99999999999")

    return [end(z), 1 if gained == total else end(-z)]


def rows():
    for group in [
        normal, binomial, beta, chi_square, proportions, comparisons, tests, adjustments, pairs,
    ]:
        for name, arguments, values in group():
            yield name, [float(a) for a in arguments], [float(v) for v in values]


def text():
    lines = [
        ",".join([name, *(" ".join(map(repr, numbers)) for numbers in (arguments, values))])
        for name, arguments, values in rows()
    ]
    return "\n".join(["function,arguments,expected", *lines, ""])


def main():
    made = text()
    if sys.argv[1:] == ["--check"]:
        mine, its = (list(csv.reader(text.splitlines()[1:])) for text in (made, VALUES.read_text(encoding="utf-8")))
        same = len(mine) == len(its) and all(map(is_same, mine, its))
        print(f"{len(its)} rows" if same else f"{VALUES.name} differs: run reference.py and read the difference")
        return 0 if same else 1
    VALUES.write_text(made, encoding="utf-8")
    return 0


def is_same(mine, its):
    """True if two rows are of one function, and their numbers differ by no more than rounding."""
    left, right = ([float(number) for column in row[1:] for number in column.split()] for row in (mine, its))
    return mine[0] == its[0] and len(left) == len(right) and numpy.allclose(left, right, rtol=1e-9, atol=0)


if __name__ == "__main__":
    sys.exit(main())
