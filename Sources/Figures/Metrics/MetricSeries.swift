package import PolicyEngine

/// The live metrics by minute, those minutes only in which something was evaluated or reported by clients (R13.2a).
///
/// Metrics are kept once and minutes refer to them, since a capture has many minutes and few metrics.
package struct MetricSeries: Addable, Sendable {
    private var metrics = Numbering<Metric>()
    // By minute since 1970. A metric may be there several times, as streams were merged.
    private var minutes: [Int: [(metric: Number, count: Int)]] = [:]

    /// A metric by its number in this series.
    package struct Number {
        let offset: Int32
    }

    /// One minute and what was counted in it.
    package struct Minute: Sendable {
        /// When it starts.
        package let start: Instant
        /// `pass` and `fail` always, other metrics when above 0.
        package let metrics: [Metric: Int]
    }

    package init() {}

    /// The number of a metric, given one when it is asked for the first time.
    package mutating func number(of metric: Metric) -> Number {
        Number(offset: Int32(metrics.number(of: metric)))
    }

    /// Adds to a metric in a minute, counted from 1970.
    package mutating func add(_ count: Int, of metric: Number, inMinute minute: Int) {
        minutes[minute, default: []].append((metric, count))
    }

    /// Adds what was counted in the minute that starts at an instant.
    package mutating func add(_ metrics: [Metric: Int], inMinuteOf start: Instant) {
        for (metric, count) in metrics { add(count, of: number(of: metric), inMinute: start.minuteNumber) }
    }

    /// Adds another stream.
    package mutating func add(_ other: MetricSeries) {
        let own = other.metrics.keys.map { number(of: $0) }
        for (minute, counts) in other.minutes {
            minutes[minute, default: []] += counts.map { (own[Int($0.metric.offset)], $0.count) }
        }
    }

    /// The minutes in the order of time.
    ///
    /// - Complexity: O(*n* log *n*) in the number of counts.
    package var inOrder: some Sequence<Minute> {
        minutes.keys.sorted().lazy.map { minute in
            var counts: [Metric: Int] = [.pass: 0, .fail: 0]
            for (metric, count) in minutes[minute] ?? [] { counts[metrics[Int(metric.offset)], default: 0] += count }
            return Minute(start: Instant(secondsSinceEpoch: minute * 60), metrics: counts)
        }
    }
}

extension MetricSeries: FigureValue {
    package var partial: JSONValue { .array(inOrder.map { .array([$0.start.partial, $0.metrics.partial]) }) }

    package init?(partial content: JSONContent) {
        guard let items = content.items else { return nil }
        self.init()
        for item in items {
            guard let (start, metrics): (Instant, [Metric: Int]) = item.pair() else { return nil }
            add(metrics, inMinuteOf: start)
        }
    }
}
