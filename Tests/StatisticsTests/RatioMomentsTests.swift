import Testing

@testable import Statistics
@testable import TestSupport

@Suite struct RatioMomentsTests {
    private static func moments(_ devices: [(Int, Int)]) -> RatioMoments {
        devices.reduce(into: RatioMoments()) { $0.add($1.0, over: $1.1) }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func anyOrderAndGroupingGivesTheSame(_ seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        let bound = chance.pick([10, 1_000_000, Int.max])
        let devices = (0..<60).map { _ in (chance.below(bound) - bound / 2, chance.below(bound)) }
        let whole = Self.moments(devices)
        let shuffled = chance.shuffled(devices)
        #expect(Self.moments(shuffled) == whole)
        var parts = (0..<5).map { part in
            Self.moments(shuffled.indices.filter { $0 % 5 == part }.map { shuffled[$0] })
        }
        while parts.count > 1 {
            let other = parts.remove(at: chance.below(parts.count))
            parts[chance.below(parts.count)].add(other)
        }
        #expect(parts[0] == whole)
    }

    @Test func sumsAreKept() throws {
        let moments = Self.moments([(1, 2), (-3, 4), (0, 0)])
        let same = RatioMoments(
            count: 3, numerators: -2, denominators: 6, numeratorSquares: 10, products: -10, denominatorSquares: 20)
        #expect(moments == same)
        #expect(moments.estimate == -2.0 / 6)
    }

    @Test func impossibleSumsAreRefused() {
        func sums(_ count: Int, _ x: Int128, _ y: Int128, _ xx: Int128, _ xy: Int128, _ yy: Int128) -> RatioMoments? {
            RatioMoments(
                count: count, numerators: x, denominators: y, numeratorSquares: xx, products: xy,
                denominatorSquares: yy)
        }
        #expect(sums(2, 1, 2, 1, 1, 2) != nil)
        #expect(sums(-1, 0, 0, 0, 0, 0) == nil)
        #expect(sums(2, 2, 2, 1, 1, 2) == nil)
        #expect(sums(2, 1, 3, 1, 1, 2) == nil)
        #expect(sums(2, 1, 2, -1, 1, 2) == nil)
        #expect(sums(2, 1, 2, 1, 3, 2) == nil)
        #expect(sums(2, 1, 2, 1, 1, -2) == nil)
        #expect(sums(2, .min, 2, .max, 1, 2) == nil)
    }

    @Test func nothingIsSaidOfTooFew() throws {
        let (none, one) = (RatioMoments(), Self.moments([(1, 2)]))
        #expect(none.estimate == nil && none.variance == nil && none.effectiveCount == nil)
        #expect(none.interval(at: .usual) == nil)
        #expect(none.shareInterval(at: .usual) == nil && none.shareUpperBound(at: .usual) == nil)
        #expect(one.estimate == 0.5 && one.variance == nil)
        #expect(one.interval(at: .usual) == nil)
        // One device excludes almost nothing.
        let interval = try #require(one.shareInterval(at: .usual))
        #expect(interval.lower < 0.1 && interval.upper > 0.9)
        #expect(Self.moments([(1, 2), (1, -2)]).estimate == nil)
        #expect(Self.moments([(5, 2), (1, 2)]).shareInterval(at: .usual) == nil)
    }

    // Squares of numbers of 63 bits.
    @Test func sumsBeyondTheRangeSayNothing() throws {
        let device = (Int.min, Int.min)
        #expect(!Self.moments([device]).hasOverflowed)
        let overflowed = Self.moments([device, device, (1, 1)])
        #expect(overflowed.hasOverflowed && overflowed.estimate == nil && overflowed.variance == nil)
        #expect(overflowed.interval(at: .usual) == nil)
        #expect(Self.moments([(1, 1), device, device]) == overflowed)
        var sum = Self.moments([(1, 1)])
        sum.add(overflowed)
        #expect(sum.hasOverflowed)
    }

    @Test func aFixedRatioHasNoError() throws {
        let moments = Self.moments((1...500).map { ($0, 3 * $0) })
        #expect(moments.variance == 0)
        let interval = try #require(moments.interval(at: .usual))
        #expect((interval.lower, interval.upper) == (1.0 / 3, 1.0 / 3))
        #expect(try #require(moments.shareInterval(at: .usual)).contains(1.0 / 3))
    }

    // Products that overflow 128 bits are computed with floating-point numbers.
    @Test func largeSumsComeToTheSameRatio() throws {
        let devices = [(1, 2), (0, 3), (2, 3), (5, 5), (1, 9), (0, 1)]
        let scale = 1 << 40
        let (small, large) = (Self.moments(devices), Self.moments(devices.map { ($0.0 * scale, $0.1 * scale) }))
        let (one, other) = (try #require(small.variance), try #require(large.variance))
        #expect(abs(one - other) < 1e-13 * one)
        #expect(small.estimate == large.estimate)
    }

    // A device with one attestation is an independent trial.
    @Test func singleAttestationsAreDevices() throws {
        for count in [0, 1, 104, 1999, 2000] {
            let all = Self.moments((0..<2000).map { ($0 < count ? 1 : 0, 1) })
            let mine = try #require(all.shareInterval(at: .usual))
            let proportion = try #require(Proportion(count, of: 2000))
            let its = proportion.interval(at: .usual)
            let (bound, exact) = (try #require(all.shareUpperBound(at: .usual)), proportion.upperBound(at: .usual))
            #expect(abs(bound - exact) < 1e-12)
            #expect(abs(mine.lower - its.lower) < 1e-15 && abs(mine.upper - its.upper) < 1e-15)
        }
    }

    // Ten attestations of each device contain no more information than one, if they are equal.
    @Test func repeatedAttestationsAddNothing() throws {
        let once = Self.moments((0..<200).map { ($0 < 20 ? 1 : 0, 1) })
        let often = Self.moments((0..<200).map { ($0 < 20 ? 10 : 0, 10) })
        #expect(once.effectiveCount == 200 && often.effectiveCount == 200)
        #expect(often.shareInterval(at: .usual) == once.shareInterval(at: .usual))
    }

    // The difference of both ratios; its error is smaller, because both have most of their numerators in common.
    @Test func differencesArePairedByDevice() throws {
        let before = (0..<300).map { ($0 % 3, 3 + $0 % 5) }
        let after = before.enumerated().map { ($1.0 + ($0 % 50 == 0 ? 1 : 0), $1.1) }
        let difference = Self.moments(zip(before, after).map { ($1.0 - $0.0, $0.1) })
        let (mine, its) = (Self.moments(before), Self.moments(after))
        let (first, second, variance) = (
            try #require(mine.estimate), try #require(its.estimate), try #require(mine.variance)
        )
        #expect(abs(try #require(difference.estimate) - (second - first)) < 1e-15)
        #expect(try #require(difference.variance) < 0.2 * variance)
    }
}
