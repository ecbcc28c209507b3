internal import PolicyEngine

/// Puts the records of a generated capture together, mostly from pieces that were rendered before.
struct RecordRenderer {
    private let format: GeneratedFormat
    private let tellsVerdicts: Bool
    // The attributes beside the device ID, in the order in which records say them.
    private var columns: [RenderedValues]
    // How many of them stand in front of the device ID, where that is said among them.
    private let countBeforeID: Int
    private var time = Instant(secondsSinceEpoch: .min)
    // The start of a record at that time.
    private var beforeID: [UInt8] = []
    private var behindID: [UInt8] = []
    // What was decided, by what it is told from; few different ones make up most captures.
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
    ///   - tellsVerdicts: Whether they tell what the service rejected devices for.
    init(_ population: AttestingPopulation, format: GeneratedFormat, tellsVerdicts: Bool) {
        self.format = format
        self.tellsVerdicts = tellsVerdicts
        let attributes = population.symbols.attributes
        let ordered = InformationText.ordered(attributes.keys)
        countBeforeID = ordered.firstIndex { $0.name == Self.idKey } ?? 0
        columns = ordered.filter { $0.name != Self.idKey }.map {
            RenderedValues($0.key, name: $0.name, format: format)
        }
        for device in 0..<population.count {
            for place in columns.indices {
                let value = population.value(of: columns[place].key, on: device)
                columns[place].prepare(value, attributes: attributes)
            }
        }
    }

    /// Writes a record behind others.
    ///
    /// - Parameters:
    ///   - device: The number of the device that attested.
    ///   - decision: What the service made of it.
    ///   - population: The device's.
    mutating func append(
        _ device: Int, _ decision: Decision, of population: borrowing AttestingPopulation, to bytes: inout [UInt8]
    ) {
        if decision.time != time { take(decision.time) }
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

    private mutating func take(_ time: Instant) {
        self.time = time
        switch format {
        case .info: (beforeID, behindID) = (Array("--- ".utf8), Array(" \(time.dateAndTime) UTC ---\n".utf8))
        case .jsonl: (beforeID, behindID) = (Array(#"{"time":"\#(time)","device-id":""#.utf8), Array("\"".utf8))
        }
    }

    private func appendValues(
        of device: Int, columns places: Range<Int>, _ population: borrowing AttestingPopulation, to bytes: inout [UInt8]
    ) {
        for place in places {
            let value = population.value(of: columns[place].key, on: device)
            if value != .absent { columns[place].append(value, to: &bytes) }
        }
    }

    private mutating func appendVerdict(
        _ decision: Decision, of population: borrowing AttestingPopulation, to bytes: inout [UInt8]
    ) {
        var verdict = Verdict(flags: InformationText.shownFlags(of: decision))
        if tellsVerdicts {
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
        return (tellsVerdicts ? format.field("rejection-flags", rejections.joined(separator: ",")) : [])
            + format.field("public-flags", flags.joined(separator: ","))
    }
}
