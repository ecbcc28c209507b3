internal import Documents
internal import PolicyEngine

/// OpenMetrics as bytes, put together piece by piece.
struct MetricsOutput {
    /// The output so far.
    private(set) var bytes: [UInt8] = []
    private var number = JSONBytes()

    /// The type of a family of metrics.
    enum Kind {
        case counter, gauge, histogram, info

        fileprivate var name: StaticString {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            case .info: "info"
            }
        }
    }

    /// A label: a name that is written in the program, and any value.
    typealias Label = (name: StaticString, value: String)

    /// Writes the description of a family.
    ///
    /// - Parameters:
    ///   - name: The name of its samples without their suffix.
    ///   - kind: Its type.
    ///   - unit: The unit that its name ends with, if it has one.
    ///   - help: A sentence.
    mutating func family(_ name: StaticString, _ kind: Kind, unit: StaticString? = nil, help: StaticString) {
        line("# TYPE ", name, kind.name)
        if let unit { line("# UNIT ", name, unit) }
        line("# HELP ", name, help)
    }

    private mutating func line(_ key: StaticString, _ name: StaticString, _ value: StaticString) {
        raw(key)
        raw(name)
        raw(" ")
        raw(value)
        raw("\n")
    }

    /// Writes one sample.
    ///
    /// - Parameters:
    ///   - series: Its name and its labels, as ``series(_:_:)`` writes them.
    ///   - value: Its value.
    ///   - time: Its time in seconds since 1970.
    mutating func sample(_ series: [UInt8], _ value: Int, at time: Int) {
        bytes += series
        raw(" ")
        integer(value)
        raw(" ")
        integer(time)
        raw("\n")
    }

    /// Writes one sample of now.
    mutating func sample(_ series: [UInt8], _ value: Int) {
        bytes += series
        raw(" ")
        integer(value)
        raw("\n")
    }

    /// Writes the end of everything.
    mutating func end() { raw("# EOF\n") }

    /// A name with labels: `scenario_attestations_total{verdict="pass"}`.
    static func series(_ name: StaticString, _ labels: [Label]) -> [UInt8] {
        var output = MetricsOutput()
        output.raw(name)
        for (index, label) in labels.enumerated() {
            output.raw(index == 0 ? "{" : ",")
            output.raw(label.name)
            output.raw("=\"")
            Escape.append(openMetrics: label.value, to: &output.bytes)
            output.raw("\"")
        }
        if !labels.isEmpty { output.raw("}") }
        return output.bytes
    }

    private mutating func raw(_ text: StaticString) { Escape.append(literal: text, to: &bytes) }

    private mutating func integer(_ value: Int) {
        number.bytes.removeAll(keepingCapacity: true)
        number.integer(value)
        bytes += number.bytes
    }
}
