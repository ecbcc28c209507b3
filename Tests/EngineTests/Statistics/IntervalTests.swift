import Testing

@testable import Statistics
@testable import TestSupport

/// Properties of the intervals of shares and of comparisons.
@Suite struct IntervalTests {
    private static func levels() -> [Confidence] { [0.5, 0.9, 0.95, 0.999].compactMap { Confidence($0) } }
    private static func share(_ count: Int, _ total: Int) throws -> Proportion {
        try #require(Proportion(count, of: total))
    }

    @Test func levelsLieBetweenNoneAndAll() throws {
        for level in [0, 1, -0.5, 2, .nan, .infinity] { #expect(Confidence(level) == nil) }
        for significance in [0, 1, .nan] { #expect(Confidence(significance: significance) == nil) }
        let confidence = Confidence.usual
        expect(confidence.shared(among: 10).significance, equals: confidence.significance / 10)
        expect(confidence.shared(among: 0), equals: confidence)
        expect(confidence.shared(among: -3), equals: confidence)
        #expect(abs(confidence.level - 0.95) < 1e-15)
    }

    @Test func countsThatCannotBeAreRefused() {
        for (count, total) in [(-1, 5), (6, 5), (0, 0), (0, -1), (0, .max)] {
            #expect(Proportion(count, of: total) == nil)
        }
    }

    @Test func intervalsHoldTheShareAndMirrorIt() throws {
        for confidence in Self.levels() {
            for total in [1, 2, 7, 40] {
                for count in 0...total {
                    let (share, mirrored) = (try Self.share(count, total), try Self.share(total - count, total))
                    let intervals = [
                        (share.scoreInterval(at: confidence), mirrored.scoreInterval(at: confidence)),
                        (share.exactInterval(at: confidence), mirrored.exactInterval(at: confidence)),
                        (share.interval(at: confidence), mirrored.interval(at: confidence)),
                    ]
                    for (interval, mirror) in intervals {
                        #expect(0 <= interval.lower && interval.upper <= 1 && interval.contains(share.share))
                        #expect(abs(interval.lower + mirror.upper - 1) < 1e-13)
                    }
                }
            }
        }
    }

    @Test func endsRiseWithTheCountAndTheLevel() throws {
        for pair in zip(Self.levels(), Self.levels().dropFirst()) {
            for count in 0..<30 {
                let (share, next) = (try Self.share(count, 30), try Self.share(count + 1, 30))
                #expect(share.upperBound(at: pair.0) < next.upperBound(at: pair.0) || count == 29)
                #expect(share.lowerBound(at: pair.0) < next.lowerBound(at: pair.0))
                #expect(share.upperBound(at: pair.0) < share.upperBound(at: pair.1))
                #expect(share.scoreInterval(at: pair.0).lower < next.scoreInterval(at: pair.0).lower)
                #expect(share.scoreInterval(at: pair.0).upper < share.scoreInterval(at: pair.1).upper)
            }
        }
    }

    // The definition: at the bound, this count or a smaller one has the probability α.
    @Test func exactBoundsAreWhereTheTestTurns() throws {
        for confidence in Self.levels() {
            for (count, total) in [(0, 5), (1, 5), (4, 5), (3, 2000), (700, 2000), (2, 10_000_000)] {
                let share = try Self.share(count, total)
                let bound = share.upperBound(at: confidence)
                #expect(abs(share.pValue(ofAtLeast: bound) - confidence.significance) < 1e-9)
                #expect(share.pValue(ofAtLeast: bound * 1.001) < confidence.significance)
            }
        }
        try expect(Self.share(3, 9).pValue(ofAtLeast: -1), equals: 1)
        try expect(Self.share(3, 9).pValue(ofAtLeast: 2), equals: 0)
        try expect(Self.share(3, 9).pValue(ofAtLeast: .nan), equals: 1)
        try expect(Self.share(9, 9).pValue(ofAtLeast: 1), equals: 1)
        try expect(Self.share(9, 9).upperBound(at: .usual), equals: 1)
        try expect(Self.share(0, 9).lowerBound(at: .usual), equals: 0)
    }

    @Test func unknownUnitsWidenTheIntervalByTheirShare() throws {
        let (share, confidence) = (try Self.share(104, 2000), Confidence.usual)
        expect(share.interval(at: confidence, unknown: 0), equals: share.interval(at: confidence))
        expect(share.interval(at: confidence, unknown: -5), equals: share.interval(at: confidence))
        let whole = share.interval(at: confidence, unknown: 100)
        #expect(whole.upper - whole.lower > share.interval(at: confidence).upper - share.interval(at: confidence).lower)
        #expect(whole.upper - whole.lower > 100.0 / 2100)
        #expect(whole.lower == (try Self.share(104, 2100)).interval(at: confidence).lower)
        #expect(whole.upper == (try Self.share(204, 2100)).interval(at: confidence).upper)
        let all = share.interval(at: confidence, unknown: .max)
        #expect((all.lower, all.upper) == (0, 1))
        let extremes = try #require(share.extremes(unknown: 100))
        #expect(extremes == (try Self.share(104, 2100), try Self.share(204, 2100)))
    }

    @Test func scoreIntervalsNeedTenOfEachKind() throws {
        for (count, isScore) in [(0, false), (9, false), (10, true), (90, true), (91, false), (100, false)] {
            let share = try Self.share(count, 100)
            let (usual, score) = (share.interval(at: .usual), share.scoreInterval(at: .usual))
            expect(usual, equals: (isScore ? score : share.exactInterval(at: .usual)))
        }
        let high = try #require(Confidence(significance: 0.0004))
        try expect(Self.share(50, 100).interval(at: high), equals: Self.share(50, 100).exactInterval(at: high))
        let pairs = try #require(PairedComparison(gained: 30, lost: 20, of: 100))
        expect(pairs.interval(at: .usual), equals: pairs.scoreInterval(at: .usual))
        expect(pairs.interval(at: high), equals: pairs.exactInterval(at: high))
    }

    @Test func pairsThatCannotBeAreRefused() {
        for (gained, lost, total) in [(-1, 0, 5), (0, -1, 5), (3, 3, 5), (.max, 1, 5), (0, 0, 0), (0, 0, .max)] {
            #expect(PairedComparison(gained: gained, lost: lost, of: total) == nil)
        }
    }

    // No change in the sample does not prove that there is none.
    @Test func pairsWithoutAChangeHaveAnInterval() throws {
        let pairs = try #require(PairedComparison(gained: 0, lost: 0, of: 2000))
        let interval = pairs.interval(at: .usual)
        #expect(interval.upper == (try Self.share(0, 2000)).exactInterval(at: .usual).upper)
        expect(interval.lower, equals: -interval.upper)
    }

    @Test func pairsAreTurnedRound() throws {
        for (gained, lost, total) in [(0, 3, 20), (7, 2, 1000), (20, 0, 20), (12, 30, 400), (5, 5, 10), (150, 40, 190)]
        {
            let (there, back) = (
                try #require(PairedComparison(gained: gained, lost: lost, of: total)),
                try #require(PairedComparison(gained: lost, lost: gained, of: total))
            )
            for (interval, turned) in [
                (there.exactInterval(at: .usual), back.exactInterval(at: .usual)),
                (there.scoreInterval(at: .usual), back.scoreInterval(at: .usual)),
            ] {
                #expect(interval.contains(there.difference) && interval.lower >= -1 && interval.upper <= 1)
                #expect(abs(interval.lower + turned.upper) < 1e-12 && abs(interval.upper + turned.lower) < 1e-12)
            }
        }
    }

    @Test func unknownUnitsWidenIntervalsOfDifferences() throws {
        func pairs(_ gained: Int, _ lost: Int, _ total: Int) throws -> PairedComparison {
            try #require(PairedComparison(gained: gained, lost: lost, of: total))
        }
        let interval = try pairs(30, 20, 2000).interval(at: .usual, unknown: 100)
        #expect(interval.lower == (try pairs(30, 120, 2100)).interval(at: .usual).lower)
        #expect(interval.upper == (try pairs(130, 20, 2100)).interval(at: .usual).upper)
        let all = try pairs(30, 20, 2000).interval(at: .usual, unknown: .max)
        #expect((all.lower, all.upper) == (-1, 1))
    }

    @Test func sampleSizesAreTheLeastThatAreEnough() throws {
        let confidence = Confidence.usual
        for share in [0.5, 0.01, 0.001] {
            for count in [0, 1, 5, 40] {
                let total = try #require(SampleSize.total(toExclude: share, with: count, at: confidence))
                #expect(try Self.share(count, total).upperBound(at: confidence) <= share * (1 + 1e-12))
                #expect(try Self.share(count, max(total - 1, count)).upperBound(at: confidence) > share)
            }
        }
        for share in [0, 1, -1, 2, .nan, 1e-300] { #expect(SampleSize.total(toExclude: share, at: confidence) == nil) }
        #expect(SampleSize.total(toExclude: 0.1, with: -1, at: confidence) == nil)
    }

    @Test func samplesOfTheObservedShareAreWholeUnits() throws {
        let confidence = Confidence.usual
        func sample(_ count: Int, _ total: Int, toExclude share: Double) throws -> Proportion? {
            SampleSize.sample(toExclude: share, observing: try Self.share(count, total), at: confidence)
        }
        try expect(sample(0, 20, toExclude: 0.001), equals: Self.share(0, 2995))
        for (count, total, limit) in [(1, 1000, 0.005), (5, 1000, 0.01), (2, 300, 0.01), (99, 10_000, 0.01)] {
            let found = try #require(try sample(count, total, toExclude: limit))
            #expect(found.upperBound(at: confidence) <= limit * (1 + 1e-12))
            #expect(found.share >= Double(count) / Double(total))
            // One of fewer does not have the share, or does not prove it.
            let fewer = try #require(SampleSize.total(toExclude: limit, with: found.count - 1, at: confidence))
            #expect(Double(found.count - 1) / Double(fewer) < Double(count) / Double(total))
            // About half of the samples of a population with the observed share, or some more where the count is small.
            let distribution = try #require(
                BinomialDistribution(trials: found.total, probability: Double(count) / Double(total)))
            #expect((0.5...0.8).contains(distribution.lowerTail(found.count)))
        }
        #expect(try sample(1, 100, toExclude: 0.01) == nil)
        #expect(try sample(1, 100, toExclude: 0.01.nextUp) == nil)
    }

    @Test func comparisonsAreTurnedRound() throws {
        let confidence = Confidence.usual
        for (first, second) in [((3, 20), (9, 31)), ((0, 5), (4, 9)), ((7, 7), (1, 2)), ((2, 1000), (5, 400_000))] {
            let (one, other) = (try Self.share(first.0, first.1), try Self.share(second.0, second.1))
            let (there, back) = (ProportionComparison(one, to: other), ProportionComparison(other, to: one))
            let (difference, turned) = (
                there.differenceInterval(at: confidence), back.differenceInterval(at: confidence)
            )
            #expect(abs(difference.lower + turned.upper) < 1e-15 && abs(difference.upper + turned.lower) < 1e-15)
            #expect(difference.contains(there.difference) && difference.lower >= -1 && difference.upper <= 1)
            let (ratio, inverse) = (there.ratioInterval(at: confidence), back.ratioInterval(at: confidence))
            #expect(ratio.contains(try #require(there.ratio)))
            #expect(abs(ratio.lower * inverse.upper - 1) < 1e-10 || (ratio.lower, inverse.upper) == (0, .infinity))
        }
    }

    @Test func ratiosOfNothing() throws {
        let (none, some) = (try Self.share(0, 5), try Self.share(2, 5))
        #expect(ProportionComparison(none, to: none).ratio == nil)
        expect(ProportionComparison(some, to: none).ratio, equals: .infinity)
        expect(ProportionComparison(none, to: some).ratio, equals: 0)
        let interval = ProportionComparison(none, to: none).ratioInterval(at: .usual)
        #expect((interval.lower, interval.upper) == (0, .infinity))
        let all = ProportionComparison(try Self.share(5, 5), to: try Self.share(9, 9))
        #expect(all.ratioInterval(at: .usual).contains(1))
    }

    @Test func intervalsAreClamped() {
        let interval = ConfidenceInterval(-0.5, 0.7).clamped(to: 0...1)
        #expect((interval.lower, interval.upper) == (0, 0.7))
        #expect(interval.contains(0.7) && !interval.contains(0.71))
    }
}

extension Confidence {
    /// 95 %.
    static let usual: Confidence = {
        guard let confidence = Confidence(0.95) else { preconditionFailure("95 % is a level") }
        return confidence
    }()
}
