import Foundation

/// Random and exhaustive tests are whole with `EXHAUSTIVE=1` in the environment, and a quarter of that with `EXHAUSTIVE=0.25`.
enum Exhaustive {
    private static let share = ProcessInfo.processInfo.environment["EXHAUSTIVE"].flatMap(Double.init) ?? 0

    /// A number that a quick run is content with, the whole one, or one between them.
    static func count<Number: BinaryInteger>(_ quick: Number, whole: Number) -> Number {
        quick + Number(Double(whole - quick) * share)
    }

    /// The value for a quick run, or that for a whole one.
    static func choice<Value>(_ quick: Value, whole: Value) -> Value { share >= 1 ? whole : quick }

    /// The number of sequences of some events that have a length.
    static func power(_ events: Int, _ length: Int) -> Int { (0..<length).reduce(1) { power, _ in power * events } }

    /// The seeds at every multiple of the step, which a quick run is content with, and as many of the others as are asked
    /// for.
    static func seeds(_ seeds: ClosedRange<UInt64>, each step: UInt64 = 4) -> [UInt64] {
        seeds.filter { seed in
            let offset = seed - seeds.lowerBound
            return offset % step == 0 || Double(offset) < share * Double(seeds.count)
        }
    }
}
