internal import PolicyEngine

/// A stream of attestations, one of each device, whose numbers are round: in every 1000 devices there are 100 with the
/// app version 7.2.1, 50 others with test keys, and 100 others with Android 5 and the app version 0.2.1.
struct AttestationStream {
    /// The flags of a device.
    enum Flags {
        /// None; every device passes unless a filter rejects it.
        case none
        /// Every fourth device is rooted, which the policy rejects.
        case few
        /// Every flag of the catalogue but `new-did`.
        case many
    }

    private var attestations: [Attestation] = []

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - devices: The number of devices; a multiple of 1000, so that the shares are exact.
    ///   - flags: Their flags.
    ///   - symbols: Takes their IDs and attributes.
    init(devices: Int, flags: Flags, symbols: inout SymbolTable) {
        for number in 0..<devices {
            let id = DeviceID(first: UInt64(number), second: 1)
            var attestation = Attestation(
                time: Instant(secondsSinceEpoch: 1_595_203_200),
                device: symbols.devices.intern(id),
                flags: Self.flags(flags, of: number, in: symbols.catalogue)
            )
            for (name, value) in Self.attributes(of: number) {
                let key = symbols.attributes.key(named: name)
                attestation.set(symbols.attributes.intern(value, for: key), for: key)
            }
            attestations.append(attestation)
        }
    }

    /// Evaluates every attestation once, that number of seconds after the time before.
    mutating func evaluate(
        by engine: inout Engine, symbols: borrowing SymbolTable, secondsLater: Int, counting answer: inout Answer
    ) {
        for index in attestations.indices {
            attestations[index].time = attestations[index].time + secondsLater
            answer.count(engine.attest(attestations[index], symbols: symbols))
        }
    }

    private static func flags(_ flags: Flags, of number: Int, in catalogue: FlagCatalogue) -> FlagSet {
        switch flags {
        case .none: .empty
        case .few: number % 4 == 0 ? FlagSet(catalogue.flag(named: "rooted").map { [$0] } ?? []) : .empty
        case .many: FlagSet(catalogue.declaredNames.compactMap(catalogue.flag(named:)).filter { $0 != .newDevice })
        }
    }

    private static func attributes(of number: Int) -> [(String, String)] {
        let keys = number % 20 == 3 ? "test-keys" : "release-keys"
        return [
            ("ip", "10.0.\(number % 4).\(number % 250)"),
            ("device", "Android \(5 + number % 5), Model \(number % 40), maker, board, en"),
            ("archid", "arm64-v8a"),
            ("device-props", "{'Model':'Model \(number % 40)','Fingerprint':'maker/board:9/user/\(keys)'}"),
            ("sdkid", "\(4501 + number % 12)"),
            ("sdk-version", "2.\(number % 6).0"),
            ("app-name", "Shop \(number % 12)"),
            ("app-version", "\(number % 10).2.1"),
            ("appid", "com.example.shop\(number % 12)"),
            ("app-sig", "abcdefghijklmnopqrstuvwxyz\(number % 12)="),
            ("attest-reason", "timeout after 100 ms retry=\(number % 10)"),
        ]
    }
}
