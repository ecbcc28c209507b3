package import PolicyEngine

/// The live metrics by minute, those minutes only in which something was judged (R13.2a).
///
/// Names are kept once and minutes refer to them, since a capture has many minutes and few metrics.
package struct MetricSeries: Sendable {
    private var numbers: [ExactText: Name] = [:]
    private var texts: [String] = []
    // By minute since 1970. A name may stand there several times, as streams were merged.
    private var minutes: [Int: [(name: Name, count: Int)]] = [:]

    /// A metric's name by its number in this series.
    struct Name {
        fileprivate let number: Int32
    }

    /// One minute and what was counted in it.
    package struct Minute: Sendable {
        /// When it starts.
        package let start: Instant
        /// `pass` and `fail` always, other metrics when above 0.
        package let metrics: NamedCounts
    }

    package init() {}

    /// The number of a name, given one when it is asked for the first time.
    mutating func name(_ text: String) -> Name {
        if let known = numbers[ExactText(text)] { return known }
        let name = Name(number: Int32(texts.count))
        numbers[ExactText(text)] = name
        texts.append(text)
        return name
    }

    /// Adds to a metric in a minute, counted from 1970.
    mutating func add(_ count: Int, of name: Name, inMinute minute: Int) {
        minutes[minute, default: []].append((name, count))
    }

    /// Adds another stream.
    package mutating func merge(_ other: MetricSeries) {
        let names = other.texts.map { name($0) }
        for (minute, counts) in other.minutes {
            minutes[minute, default: []] += counts.map { (names[Int($0.name.number)], $0.count) }
        }
    }

    /// The minutes in the order of time.
    ///
    /// - Complexity: O(*n* log *n*) in the number of counts.
    package var inOrder: some Sequence<Minute> {
        minutes.keys.sorted().lazy.map { minute in
            var metrics: NamedCounts = ["pass": 0, "fail": 0]
            for (name, count) in minutes[minute] ?? [] { metrics[texts[Int(name.number)], default: 0] += count }
            return Minute(start: Instant(secondsSinceEpoch: minute * 60), metrics: metrics)
        }
    }
}
