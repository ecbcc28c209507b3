internal import PolicyEngine
internal import Replay

/// Looks at the attributes of records for one account, and keeps those of one device.
struct ExplainingMatcher: RecordMatcher {
    private var matcher: AccountMatcher
    private let device: DeviceID
    private let columns: [(name: String, column: Int)]
    // Of the current records.
    private var found: [AccountMatcher.Matches] = []

    /// The matches of a record's attributes; of the device that is explained, the attributes themselves.
    enum Matches: RecordMatches {
        case found(AttributeMatches)
        case attributes([(name: String, value: String)])

        // Nothing is counted by app.
        var app: AppNumbers {
            get { .none }
            set {}
        }

        // The engine looks at the attributes of the device that is explained once more, for itself.
        subscript(account: Int) -> AttributeMatches {
            get { if case .found(let matches) = self { matches } else { .none } }
            set { if case .found = self { self = .found(newValue) } }
        }
    }

    var deferred: [DeferredSearch] { matcher.deferred }

    init(_ account: Account, device: DeviceID, fields: inout CaptureFields) {
        self.device = device
        matcher = AccountMatcher(account, apps: AppRegistry(), fields: &fields)
        var attributes = AttributeTable()
        _ = AttributeMatcher(account, source: .capture, attributes: &attributes)
        // Attributes that only changed accounts look at, which are tried: a filter on the device, registrations that are
        // gone.
        _ = attributes.key(named: "device-id")
        _ = AttributeMatcher(account.withoutRegistrations, source: .capture, attributes: &attributes)
        columns = attributes.keys.map { ($0.name, fields.column(of: $0.name)) }
    }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Matches]) {
        matcher.match(batch, into: &found)
        matches.removeAll(keepingCapacity: true)
        for row in batch.heads.indices {
            let isExplained = batch.heads[row].id == device
            matches.append(isExplained ? .attributes(attributes(of: row, in: batch)) : .found(found[row].attributes))
        }
    }

    private func attributes(of row: Int, in batch: borrowing RecordBatch) -> [(name: String, value: String)] {
        var values: [(name: String, value: String)] = []
        for (name, column) in columns {
            if let value = batch.text(row, column: column) { values.append((name, value)) }
        }
        return values
    }
}
