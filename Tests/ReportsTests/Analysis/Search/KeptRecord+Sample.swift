import PolicyEngine

@testable import Replay

extension KeptRecord {
    /// A record that no capture has.
    init(
        index: Int = 0, time: Instant = Instant(secondsSinceEpoch: 0), device: DeviceID, system: OperatingSystem,
        flags: [String] = [], attributes: [Attribute], capturedVerdict: Bool? = nil, passed: Bool
    ) {
        var (catalogue, observed) = (FlagCatalogue(), FlagSet.empty)
        for name in flags {
            if let flag = try? catalogue.intern(observed: name) { observed.insert(flag) }
        }
        var table = AttributeTable()
        let keys = attributes.map {
            KeptTexts.Key(name: ExactText($0.key), key: table.key(named: $0.key, keepingAll: true))
        }
        let values = zip(keys, attributes).map { table.intern($1.value, for: $0.key) }
        self.init(
            KeptRow(
                flags: observed, device: device, index: index, time: time, lifetime: 0, system: system,
                capturedVerdict: capturedVerdict, passed: passed, isEvaluated: true),
            KeptTexts(catalogue: catalogue, keys: keys, attributes: table, values: values, rejections: [[]]))
    }
}
