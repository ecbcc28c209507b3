import Foundation

/// More of the same for those who have the time: with `EXHAUSTIVE=1` in the environment.
enum Exhaustive {
    private static let isOn = ProcessInfo.processInfo.environment["EXHAUSTIVE"] == "1"

    /// One in so many is enough, or all of them.
    static func share(of count: UInt64) -> UInt64 { isOn ? 1 : count }

    /// A number that a quick run is content with, or the whole one.
    static func count<Number>(_ quick: Number, whole: Number) -> Number { isOn ? whole : quick }

    /// The number of sequences of some events that have a length.
    static func power(_ events: Int, _ length: Int) -> Int { (0..<length).reduce(1) { power, _ in power * events } }

    /// The seeds, or ten times as many from there on, which no other row has.
    static func seeds(_ seeds: ClosedRange<UInt64>) -> [UInt64] {
        guard isOn else { return Array(seeds) }
        return Array(seeds) + (1...9).flatMap { round in seeds.map { $0 + UInt64(round) * 100_000 } }
    }
}
