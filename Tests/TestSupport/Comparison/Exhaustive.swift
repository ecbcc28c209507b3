import Foundation

/// Random and exhaustive tests are whole with `EXHAUSTIVE=1` in the environment.
enum Exhaustive {
    private static let isOn = ProcessInfo.processInfo.environment["EXHAUSTIVE"] == "1"

    /// A number that a quick run is content with, or the whole one.
    static func count<Number>(_ quick: Number, whole: Number) -> Number { isOn ? whole : quick }

    /// The number of sequences of some events that have a length.
    static func power(_ events: Int, _ length: Int) -> Int { (0..<length).reduce(1) { power, _ in power * events } }

    /// All of the seeds, or those at each so many steps, which a quick run is content with.
    static func seeds(_ seeds: ClosedRange<UInt64>, each step: UInt64 = 4) -> [UInt64] {
        seeds.filter { isOn || ($0 - seeds.lowerBound) % step == 0 }
    }
}
