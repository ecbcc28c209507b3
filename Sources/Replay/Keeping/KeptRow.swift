package import PolicyEngine

/// The numbers of a record that is kept: 72 bytes, beside four for each of its values.
struct KeptRow: Sendable {
    /// The flags that were observed.
    let flags: FlagSet
    let device: DeviceID
    /// The number among all records, in the order in which they are evaluated.
    let index: Int
    let time: Instant
    /// In seconds.
    let lifetime: Int32
    /// The number among the records of the same keeper.
    var number: UInt32 = 0
    /// The number of the list of rejections.
    var rejections: UInt32 = 0
    let system: OperatingSystem
    /// True if the service passed it; `nil` where the record does not say.
    let capturedVerdict: Bool?
    let passed: Bool
    /// False if it is not known whether the account passes it.
    var isEvaluated: Bool
}

/// All that the list of rejections of a decision depends on.
package struct RejectionCauses: Hashable {
    private let flags: FlagSet
    private let filters: FilterSet
    private let isBlacklisted: Bool
    private let revision: Int

    package init(_ decision: Decision) {
        (flags, filters) = (decision.rejectingFlags, decision.rejectingFilters)
        (isBlacklisted, revision) = (decision.isBlacklisted, decision.revision)
    }
}

/// Keeps records as numbers, and each distinct text once.
struct RecordKeeper {
    private let keys: [KeptTexts.Key]
    private var attributes = AttributeTable()
    private var values: [ValueNumber] = []
    private var rows: [KeptRow] = []
    private var rejections: [[String]] = []
    private var causesOfRejections = Numbering<RejectionCauses>()

    /// - Parameter keys: The attributes that are kept.
    init(keys: [String]) {
        var table = AttributeTable()
        self.keys = keys.map { KeptTexts.Key(name: ExactText($0), key: table.key(named: $0, keepingAll: true)) }
        attributes = table
    }

    /// Keeps a record.
    ///
    /// - Parameters:
    ///   - row: Its numbers.
    ///   - texts: The value of each key, where it has one.
    ///   - causes: What its rejections depend on.
    ///   - names: Makes the list of its rejections, where the causes are new.
    mutating func keep(_ row: KeptRow, values texts: [String?], causes: RejectionCauses, names: () -> [String]) {
        var row = row
        row.number = UInt32(rows.count)
        row.rejections = UInt32(causesOfRejections.number(of: causes))
        if Int(row.rejections) == rejections.count { rejections.append(names()) }
        for (key, text) in zip(keys, texts) {
            values.append(text.map { attributes.intern($0, for: key.key) } ?? .absent)
        }
        rows.append(row)
    }

    /// The records that were kept, in that order.
    ///
    /// - Parameter catalogue: The flags by which they are numbered.
    func records(_ catalogue: FlagCatalogue) -> [KeptRecord] {
        let texts = KeptTexts(
            catalogue: catalogue, keys: keys, attributes: attributes, values: values, rejections: rejections)
        return rows.map { KeptRecord($0, texts) }
    }
}

/// The texts of kept records, each distinct one once.
final class KeptTexts: Sendable {
    /// The flags by which the records are numbered.
    let catalogue: FlagCatalogue
    /// The lists of rejections.
    let rejections: [[String]]
    /// The value of each key, record by record.
    let values: [ValueNumber]
    private let keys: [Key]
    private let attributes: AttributeTable

    /// A key that is kept.
    struct Key: Sendable {
        let name: ExactText
        let key: AttributeKey
    }

    init(
        catalogue: FlagCatalogue, keys: [Key], attributes: AttributeTable, values: [ValueNumber],
        rejections: [[String]]
    ) {
        (self.catalogue, self.keys, self.attributes) = (catalogue, keys, attributes)
        (self.values, self.rejections) = (values, rejections)
    }

    /// The attributes that a record has, in the order of the keys.
    func attributes(ofRecord number: UInt32) -> [KeptRecord.Attribute] {
        keys.indices.compactMap { index in
            value(of: index, ofRecord: number).map { KeptRecord.Attribute(key: keys[index].name.text, value: $0) }
        }
    }

    /// The value of a key in a record; `nil` where it has none.
    func value(of key: String, ofRecord number: UInt32) -> String? {
        let name = ExactText(key)
        return keys.firstIndex { $0.name == name }.flatMap { value(of: $0, ofRecord: number) }
    }

    private func value(of index: Int, ofRecord number: UInt32) -> String? {
        let value = values[Int(number) * keys.count + index]
        return value == .absent ? nil : attributes.text(of: value, for: keys[index].key)
    }
}
