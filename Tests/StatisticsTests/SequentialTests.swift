import Testing

@testable import Statistics
@testable import TestSupport

@Suite struct SequentialTests {
    /// The probability that the p-value of a test is ever at most 0.05 within some observations, added up over all
    /// streams.
    private static func alarms(share: Double, tested: Double, length: Int) throws -> Double {
        let fresh = try #require(SequentialShareTest(share: tested))
        // By count: the probability of the streams so far without an alarm.
        var (quiet, alarms) = ([1.0], 0.0)
        for total in 1...length {
            var next = Array(repeating: 0.0, count: total + 1)
            for (count, probability) in quiet.enumerated() where probability > 0 {
                next[count] += probability * (1 - share)
                next[count + 1] += probability * share
            }
            for count in next.indices where next[count] > 0 {
                var test = fresh
                test.observe(successes: count, failures: total - count)
                guard test.pValue <= 0.05 else { continue }
                alarms += next[count]
                next[count] = 0
            }
            quiet = next
        }
        return alarms
    }

    @Test(arguments: [0.01, 0.1, 0.5, 0.9]) func falseAlarmsStayBelowTheLevel(_ share: Double) throws {
        let alarms = try Self.alarms(share: share, tested: share, length: Exhaustive.count(150, whole: 1500))
        #expect(alarms > 0.001 && alarms < 0.05)
    }

    @Test func changesAreNoticed() throws {
        #expect(try Self.alarms(share: 0.5, tested: 0.1, length: 40) > 0.9)
        #expect(try Self.alarms(share: 0.02, tested: 0.5, length: 40) > 0.99)
    }

    @Test func theSmallestValueIsKept() throws {
        var test = try #require(SequentialShareTest(share: 0.1))
        test.observe(successes: 30, failures: 0)
        let least = test.pValue
        test.observe(successes: 0, failures: 270)
        #expect(test.pValue == least && least < 1e-20)
        test.observe(successes: -5, failures: -1)
        #expect(test.pValue == least)
    }

    @Test func singleObservationsComeToTheSameAsSeveral() throws {
        let fresh = try #require(SequentialShareTest(share: 0.3))
        var (single, several) = (fresh, fresh)
        for isSuccess in [true, false, true, true] { single.observe(isSuccess) }
        several.observe(successes: 3, failures: 1)
        #expect(single.interval(at: .usual) == several.interval(at: .usual))
        // (n + 1) b(3; 4, 0.3)
        #expect(abs(several.pValue - 5 * 4 * 0.027 * 0.7) < 1e-15)
    }

    @Test func intervalsHoldWhatIsNotRejected() throws {
        let confidence = Confidence.usual
        let fresh = try #require(SequentialShareTest(share: 0.2))
        #expect(fresh.interval(at: confidence) == ConfidenceInterval(0, 1))
        for (yes, no) in [(0, 10), (10, 0), (3, 17), (400, 600)] {
            var test = fresh
            test.observe(successes: yes, failures: no)
            let interval = test.interval(at: confidence)
            #expect(interval.contains(0.2) == (test.pValue > confidence.significance))
            #expect(interval.contains(Double(yes) / Double(yes + no)))
            #expect(interval.lower >= 0 && interval.upper <= 1)
        }
    }

    @Test func otherSharesAreRefused() {
        for share in [0, 1, -1, 2, .nan] { #expect(SequentialShareTest(share: share) == nil) }
        for difference in [0, -1, .nan, .infinity, 1e-300] {
            #expect(SequentialDifferenceTest(typicalDifference: difference) == nil)
        }
    }

    /// The number of streams with an alarm: a tenth of the observations are of the first stream.
    private static func alarms(_ first: Double, _ second: Double, streams: Int, length: Int) throws -> Int {
        var chance = SplitMix64(seed: 5)
        let fresh = try #require(SequentialDifferenceTest(typicalDifference: 0.02))
        let (limit, other) = (UInt64(first * 0x1p64), UInt64(second * 0x1p64))
        var alarms = 0
        for _ in 0..<streams {
            var test = fresh
            for _ in 0..<length {
                let isFirst = chance.below(10) == 0
                test.observe(chance.next() < (isFirst ? limit : other), in: isFirst ? .first : .second)
            }
            if test.pValue <= 0.05 { alarms += 1 }
        }
        return alarms
    }

    @Test(arguments: [0.02, 0.2]) func falseAlarmsOfDifferencesAreRare(_ share: Double) throws {
        let streams = Exhaustive.count(60, whole: 1000)
        let alarms = try Self.alarms(share, share, streams: streams, length: Exhaustive.count(2000, whole: 20_000))
        #expect(alarms <= streams / 20)
    }

    @Test func differencesAreNoticed() throws {
        #expect(try Self.alarms(0.3, 0.1, streams: 20, length: 4000) == 20)
    }

    @Test func differencesOfFewSayNothing() throws {
        var test = try #require(SequentialDifferenceTest(typicalDifference: 0.01))
        #expect(test.difference == nil)
        test.observe(successes: 9, failures: 500, in: .first)
        test.observe(successes: 400, failures: 100, in: .second)
        #expect(test.pValue == 1)
        #expect(test.interval(at: .usual) == ConfidenceInterval(-1, 1))
        test.observe(true, in: .first)
        #expect(test.pValue < 1e-10)
        let difference = try #require(test.difference)
        let interval = test.interval(at: .usual)
        #expect(interval.contains(difference) && !interval.contains(0))
        #expect(abs(difference - (10.0 / 510 - 0.8)) < 1e-15)
    }

    // The interval excludes 0 if and only if the p-value is at most α.
    @Test func intervalOfADifferenceEndsWhereTheTestTurns() throws {
        for successes in 10...60 {
            var test = try #require(SequentialDifferenceTest(typicalDifference: 0.05))
            test.observe(successes: successes, failures: 400 - successes, in: .first)
            test.observe(successes: 30, failures: 370, in: .second)
            let interval = test.interval(at: .usual)
            #expect(interval.contains(0) == (test.pValue > 0.05))
        }
    }
}
