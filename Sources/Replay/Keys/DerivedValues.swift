internal import PolicyEngine

/// The values of a key by numbers, each worked out once for the value of the attribute that it follows from.
struct DerivedValues {
    private let key: RecordKey
    // Values of the attribute, and by their numbers those of the key; ``none`` where there is none.
    private var sources = Interner(capacity: .max)
    private var derived: [UInt32] = []
    private var values = Interner(capacity: .max)
    private var latestHour: (hour: Int, number: Int)?
    // By network of IPv4 addresses, the number of its value.
    private var networks: NetworkNumbers

    private static let none = UInt32.max
    // Values of an attribute that are kept; more would cost more memory than they save time.
    private static let keptSources = 65_536

    init(_ key: RecordKey) {
        self.key = key
        networks = NetworkNumbers(length: key.networkLength ?? 0)
    }

    /// True if the values follow from the time of a record.
    var isOfTime: Bool { key.isTime }

    /// The number of values.
    private(set) var count = 0

    /// The number of the value that follows from that of an attribute; `nil` where there is none.
    mutating func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard key.isDerived else { return intern(bytes, range) }
        if let length = key.networkLength, let address = NetworkPrefix.address(bytes, range) {
            return number(ofNetwork: address >> (32 - UInt32(length)), of: bytes, range)
        }
        guard derived.count < Self.keptSources else { return derive(bytes, range) }
        let source = sources.intern(bytes, range: range).offset
        if source == derived.count { derived.append(derive(bytes, range).map { UInt32($0) } ?? Self.none) }
        return derived[source] == Self.none ? nil : Int(derived[source])
    }

    // No text is made of an address whose network is known.
    private mutating func number(ofNetwork network: UInt32, of bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        if let known = networks[network] { return known }
        guard let value = derive(bytes, range) else { return nil }
        networks[network] = value
        return value
    }

    /// The number of the value that follows from the time of a record.
    mutating func number(at time: Instant) -> Int {
        let hour = Int((Double(time.secondsSinceEpoch) / 3600).rounded(.down))
        if let latestHour, latestHour.hour == hour { return latestHour.number }
        let value = key.value(at: time)
        let number = intern(value.span, 0..<value.count)
        latestHour = (hour, number)
        return number
    }

    /// The bytes of a value.
    func bytes(of number: Int) -> [UInt8] { values.bytes(ofValueAt: number) }

    private mutating func derive(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var source: [UInt8] = []
        bytes.append(range, to: &source)
        guard let value = key.value(of: source) else { return nil }
        return intern(value.span, 0..<value.count)
    }

    private mutating func intern(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        let number = values.intern(bytes, range: range).offset
        count = max(count, number + 1)
        return number
    }
}

/// Numbers by networks of IPv4 addresses: those of few bits by the network itself, which takes one look.
private struct NetworkNumbers {
    // By network; the number plus one, and 0 where there is none.
    private var short: [UInt32]
    private var long = Numbering<UInt64>()
    private var longNumbers: [Int] = []

    /// The greatest number of bits that are looked up by themselves: they take 256 KB.
    private static let shortLength = 16

    /// - Parameter length: The number of bits of a network.
    init(length: Int) {
        short = length > 0 && length <= Self.shortLength ? Array(repeating: 0, count: 1 << length) : []
    }

    /// The number of a network; `nil` where there is none. It is set once.
    subscript(network: UInt32) -> Int? {
        get {
            guard short.isEmpty else { return short[Int(network)] == 0 ? nil : Int(short[Int(network)]) - 1 }
            return long.known(UInt64(network)).map { longNumbers[$0] }
        }
        set {
            guard let newValue else { return }
            guard short.isEmpty else {
                short[Int(network)] = UInt32(newValue + 1)
                return
            }
            _ = long.number(of: UInt64(network))
            longNumbers.append(newValue)
        }
    }
}
