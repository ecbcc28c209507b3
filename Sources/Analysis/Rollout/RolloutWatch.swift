package import PolicyEngine
internal import Statistics

/// Watches a rollout as somebody does who compares the failing sampled devices with the other failing ones, at any time.
///
/// A device that fails counts once a day in each step. Sampling is by device and day (R7.6), so that, if the change turns no
/// verdict, each counted device is a sampled one with the probability of the step's share, independently of all others.
/// Each step with a sample has a ``SequentialShareTest`` at ``significance`` divided by their number. Therefore a rollout
/// without any effect is noticed with a probability of ``significance`` at most, however often anybody looks.
package struct RolloutWatch: Sendable {
    /// The greatest probability that a rollout without any effect is noticed.
    package static let significance = 0.05

    // By step; `nil` where all devices are in it, and where a difference was noticed.
    private var tests: [SequentialShareTest?]
    private let level: Double
    /// By step, when a difference was noticed.
    package private(set) var noticed: [Instant?]

    /// - Parameter stages: The steps.
    package init(_ stages: [RolloutStage]) {
        tests = stages.map { $0.isComplete ? nil : SequentialShareTest(share: $0.fraction) }
        level = Self.significance / Double(max(1, tests.count { $0 != nil }))
        noticed = stages.map { _ in nil }
    }

    /// True if a step has a test that has noticed nothing so far.
    package func isWatching(_ step: Int) -> Bool { tests[step] != nil }

    /// Takes the first failure of a device on a day.
    ///
    /// - Parameters:
    ///   - isSampled: True if the device is a sampled one.
    ///   - time: When it fails; not before the failures taken earlier.
    package mutating func observeFailure(isSampled: Bool, step: Int, at time: Instant) {
        guard tests[step] != nil else { return }
        tests[step]?.observe(isSampled)
        if let test = tests[step], test.pValue <= level { (noticed[step], tests[step]) = (time, nil) }
    }
}

/// The result of watching a rollout many times, each time with other sampled devices.
package struct RolloutNotice: Hashable, Sendable {
    /// The share of runs for which a time is given, in percent.
    package static let percent = 90

    /// The number of runs.
    package let runs: Int
    /// The number of runs in which a difference was noticed.
    package let noticed: Int
    /// The seconds after which it was noticed in ``percent`` of the runs at least; `nil` if it was noticed in fewer.
    package let seconds: Int?

    /// - Parameter times: By run, the seconds after which a difference was noticed; `nil` where it was not.
    init(_ times: [Int?]) {
        let sorted = times.compactMap(\.self).sorted()
        (runs, noticed) = (times.count, sorted.count)
        let needed = (times.count * Self.percent + 99) / 100
        seconds = needed > 0 && needed <= sorted.count ? sorted[needed - 1] : nil
    }
}

/// The runs in which a rollout is watched.
package struct RolloutRuns: Sendable {
    /// Their number.
    package let count: Int
    /// The seed of which the sampled devices of each run follow.
    package let seed: UInt64

    /// The number of runs by default.
    package static let usualCount = 200

    package init(count: Int, seed: UInt64) { (self.count, self.seed) = (count, seed) }

    /// The name of the account in a run. It is hashed with devices and days (R7.6), so that each name samples others.
    func name(of account: Account, run: Int) -> String { "\(account.name)|\(seed)|\(run)" }
}
