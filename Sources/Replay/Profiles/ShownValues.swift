internal import PolicyEngine

/// The values that each device of a shard showed.
struct ShownValues {
    private let keys: [ProfileKey]
    // By record key.
    private var values: [DerivedValues]
    private var shown: [ShownNumbers]
    // By device.
    private var flags: [FlagSet] = []
    private var filters: [FilterSet] = []
    private var verdicts: [UInt8] = []

    init(_ keys: [ProfileKey]) {
        self.keys = keys
        values = keys.compactMap(\.record).map { DerivedValues($0) }
        shown = values.map { _ in ShownNumbers() }
    }

    /// Notes the values of a record.
    ///
    /// - Parameters:
    ///   - matches: The values of the record keys, in their order.
    ///   - flags: The flags of the attestation.
    ///   - decision: The decision on it.
    mutating func note<Base>(_ matches: CountedMatches<Base>, flags: FlagSet, decision: Decision) {
        let device = decision.device.offset
        grow(to: device)
        for index in values.indices {
            guard let number = values[index].number(in: matches, of: index, at: decision.time) else { continue }
            shown[index].note(number, of: device)
        }
        self.flags[device] = self.flags[device].union(flags)
        filters[device] = filters[device].union(decision.filters)
        verdicts[device] |= decision.passed ? 1 : 2
    }

    private mutating func grow(to device: Int) {
        guard device >= verdicts.count else { return }
        let missing = device + 1 - verdicts.count
        flags.append(contentsOf: repeatElement(.empty, count: missing))
        filters.append(contentsOf: repeatElement(.empty, count: missing))
        verdicts.append(contentsOf: repeatElement(0, count: missing))
    }

    /// The profiles of the devices.
    ///
    /// - Parameters:
    ///   - symbols: The numbering of devices and flags.
    ///   - filterNames: The names of the account's filters.
    ///   - outcomes: What a change does to each device; `nil` if nothing is compared.
    func profiles(
        symbols: borrowing SymbolTable, filterNames: [String], outcomes: DoubtedOutcomes?
    ) -> DeviceProfiles {
        var profiles = DeviceProfiles(keys: keys.map(\.text), isInDoubt: outcomes?.doubtful != nil)
        let further = shown.map(\.further)
        var (positions, numbers) = (shown.map { _ in 0 }, [UInt32]())
        var texts = values.map { Array(repeating: UInt32.max, count: $0.count) }
        for device in verdicts.indices where verdicts[device] != 0 {
            numbers.removeAll(keepingCapacity: true)
            var record = 0
            for (index, key) in keys.enumerated() {
                switch key.source {
                case .record:
                    shown[record].forEach(of: device, further[record], &positions[record]) { number in
                        if texts[record][number] == .max {
                            let text = String(decoding: values[record].bytes(of: number), as: UTF8.self)
                            texts[record][number] = profiles.number(of: text, key: index)
                        }
                        numbers.append(texts[record][number])
                    }
                    record += 1
                case .flags:
                    for name in symbols.catalogue.names(of: flags[device]) {
                        numbers.append(profiles.number(of: name, key: index))
                    }
                case .filters:
                    for filter in filters[device] where filter < filterNames.count {
                        numbers.append(profiles.number(of: filterNames[filter], key: index))
                    }
                case .verdict:
                    if verdicts[device] & 1 != 0 { numbers.append(profiles.number(of: "pass", key: index)) }
                    if verdicts[device] & 2 != 0 { numbers.append(profiles.number(of: "fail", key: index)) }
                }
            }
            profiles.add(
                numbers, device: symbols.devices[DeviceIndex(offset: device)], outcomes?.sure[device],
                inDoubt: outcomes?.doubtful?[device])
        }
        return profiles
    }
}

/// The numbers that each device showed, each once.
struct ShownNumbers {
    private var first: [UInt32] = []
    private var others = NumberTable()

    private static let none = UInt32.max

    mutating func note(_ number: Int, of device: Int) {
        if device >= first.count {
            first.append(contentsOf: repeatElement(Self.none, count: device + 1 - first.count))
        }
        if first[device] == Self.none { first[device] = UInt32(number) }
        if first[device] != UInt32(number) { _ = others.intern(UInt64(device) << 32 | UInt64(number)) }
    }

    /// The numbers beside the first of each device, device by device.
    var further: [UInt64] { others.keys.sorted() }

    /// Goes through the numbers of a device; devices come in their order.
    ///
    /// - Parameters:
    ///   - further: Those of ``further``.
    ///   - position: The position in them, from 0.
    func forEach(of device: Int, _ further: [UInt64], _ position: inout Int, _ body: (Int) -> Void) {
        guard device < first.count, first[device] != Self.none else { return }
        body(Int(first[device]))
        while position < further.count, Int(further[position] >> 32) == device {
            body(Int(further[position] & 0xFFFF_FFFF))
            position += 1
        }
    }
}
