internal import PolicyEngine

/// Puts the records of a generated capture together, mostly from pieces that were rendered before.
struct RecordRenderer {
    private let format: GeneratedFormat
    private let includesVerdicts: Bool
    // The attributes beside the device ID, in the order in which records say them.
    private var columns: [RenderedValues]
    // The number of columns in front of the device ID, if that is one of the attributes.
    private let countBeforeID: Int
    private var time = Instant(secondsSinceEpoch: .min)
    // The start of a record at that time.
    private var beforeID: [UInt8] = []
    private var behindID: [UInt8] = []
    // Rendered decisions by the inputs that they are derived from; few different ones make up most captures.
    private var verdicts: [Verdict: [UInt8]] = [:]

    private static let verdictCapacity = 65_536

    private struct Verdict: Hashable {
        var flags: FlagSet
        var rejectingFlags = FlagSet.empty
        var rejectingFilters = FilterSet.empty
        var isBlacklisted = false
    }

    /// - Parameters:
    ///   - population: The devices that records will be about.
    ///   - format: Their form.
    ///   - includesVerdicts: True if they say what the service rejected devices for.
    init(_ population: AttestingPopulation, format: GeneratedFormat, includesVerdicts: Bool) {
        self.format = format
        self.includesVerdicts = includesVerdicts
        let attributes = population.symbols.attributes
        let ordered = InformationText.ordered(attributes.keys)
        countBeforeID = ordered.firstIndex { $0.name == Self.idKey } ?? 0
        columns = ordered.filter { $0.name != Self.idKey }.map {
            RenderedValues($0.key, name: $0.name, format: format)
        }
        for device in 0..<population.count {
            for index in columns.indices {
                let value = population.value(of: columns[index].key, on: device)
                columns[index].prepare(value, attributes: attributes)
            }
        }
    }

    /// Writes a record behind others.
    ///
    /// - Parameters:
    ///   - device: The number of the device that attested.
    ///   - decision: The service's decision on it.
    ///   - population: The device's.
    mutating func append(
        _ device: Int, _ decision: Decision, of population: borrowing AttestingPopulation, to bytes: inout [UInt8]
    ) {
        if decision.time != time { setTime(decision.time) }
        let id = population.symbols.devices[decision.device]
        bytes += beforeID
        id.append(to: &bytes)
        bytes += behindID
        appendVerdict(decision, of: population, to: &bytes)
        switch format {
        case .info:
            appendValues(of: device, columns: 0..<countBeforeID, population, to: &bytes)
            bytes += Self.infoID
            id.append(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            appendValues(of: device, columns: countBeforeID..<columns.count, population, to: &bytes)
        case .jsonl:
            appendValues(of: device, columns: 0..<columns.count, population, to: &bytes)
            bytes += Self.jsonEnd
        }
    }

    private static let idKey = "device-id"
    private static let infoID = Array("device-id: ".utf8)
    private static let jsonEnd = Array("}\n".utf8)

    private mutating func setTime(_ time: Instant) {
        self.time = time
        switch format {
        case .info: (beforeID, behindID) = (Array("--- ".utf8), Array(" \(time.dateAndTime) UTC ---\n".utf8))
        case .jsonl: (beforeID, behindID) = (Array(#"{"time":"\#(time)","device-id":""#.utf8), Array("\"".utf8))
        }
    }

    private func appendValues(
        of device: Int, columns indices: Range<Int>, _ population: borrowing AttestingPopulation,
        to bytes: inout [UInt8]
    ) {
        for index in indices {
            let value = population.value(of: columns[index].key, on: device)
            if value != .absent { columns[index].append(value, to: &bytes) }
        }
    }

    private mutating func appendVerdict(
        _ decision: Decision, of population: borrowing AttestingPopulation, to bytes: inout [UInt8]
    ) {
        var verdict = Verdict(flags: InformationText.shownFlags(of: decision))
        if includesVerdicts {
            verdict.rejectingFlags = decision.rejectingFlags
            verdict.rejectingFilters = decision.rejectingFilters
            verdict.isBlacklisted = decision.isBlacklisted
        }
        if let known = verdicts[verdict] {
            bytes += known
            return
        }
        let text = text(of: decision, population)
        if verdicts.count >= Self.verdictCapacity { verdicts.removeAll(keepingCapacity: true) }
        verdicts[verdict] = text
        bytes += text
    }

    private func text(of decision: Decision, _ population: borrowing AttestingPopulation) -> [UInt8] {
        let catalogue = population.symbols.catalogue
        let rejections = population.engine.rejections(of: decision, catalogue: catalogue)
        let flags = catalogue.names(of: InformationText.shownFlags(of: decision))
        return (includesVerdicts ? format.field("rejection-flags", rejections.joined(separator: ",")) : [])
            + format.field("public-flags", flags.joined(separator: ","))
    }
}

/// The values of one attribute, each as the records of a capture say it: worked out once for a value, and not for each of
/// its records.
private struct RenderedValues {
    /// The attribute.
    let key: AttributeKey
    private let name: String
    private let format: GeneratedFormat
    // One value behind the other; value *n* lies between ends[n] and ends[n + 1].
    private var bytes: [UInt8] = []
    private var ends = [0]

    init(_ key: AttributeKey, name: String, format: GeneratedFormat) {
        self.key = key
        self.name = name
        self.format = format
    }

    /// Renders the values up to one.
    mutating func prepare(_ value: ValueNumber, attributes: AttributeTable) {
        while ends.count <= value.offset + 1 {
            bytes += format.field(name, attributes.text(of: ValueNumber(offset: ends.count - 1), for: key))
            ends.append(bytes.count)
        }
    }

    /// Copies a value that was prepared behind other bytes.
    func append(_ value: ValueNumber, to record: inout [UInt8]) {
        bytes.span.append(ends[value.offset]..<ends[value.offset + 1], to: &record)
    }
}
