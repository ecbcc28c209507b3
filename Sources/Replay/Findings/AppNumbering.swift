internal import PolicyEngine

/// The app that an attestation came with, and the app in its version, by their numbers.
package struct AppNumbers: Hashable, Sendable {
    private let appNumber: Int32
    private let versionNumber: Int32

    /// The numbers of an attestation without an app.
    package static let none = AppNumbers(app: nil, version: nil)
    /// The numbers of an attestation with an app in a version that is not kept.
    static let other = AppNumbers(app: otherNumber, version: otherNumber)
    /// The number of all that are not kept.
    static let otherNumber = 0

    init(app: Int?, version: Int?) {
        appNumber = app.map(Int32.init) ?? -1
        versionNumber = version.map(Int32.init) ?? -1
    }

    /// The app; `nil` where the attestation does not have it.
    var app: Int? { appNumber < 0 ? nil : Int(appNumber) }

    /// The app in its version; `nil` where the attestation does not have it.
    var version: Int? { versionNumber < 0 ? nil : Int(versionNumber) }
}

/// The values that a record names its app with, by the numbers of ``AppRegistry``; 0 for what it does not name.
struct AppValues: Hashable, Sendable {
    var app: UInt32
    var version: UInt32

    /// No app is named.
    static var none: AppValues { AppValues(app: 0, version: 0) }
    /// A value that has no number, and is read from the record.
    static var transient: UInt32 { .max }

    /// True if one of both has no number.
    var areTransient: Bool { app == Self.transient || version == Self.transient }
}

/// Numbers the apps of records for one reader of a capture: asks the registry once for each of the usual ones.
struct AppNumbering {
    private let registry: AppRegistry
    // The fields that name an app and its version, by their indices, and their columns.
    private let fields: (app: Int?, version: Int?)
    private let columns: (app: Int, version: Int)
    // The keys of what was numbered, and its numbers in that order.
    private var keys = Numbering<UInt64>()
    private var numbers: [AppNumbers] = []
    // Some of these, where a part of the key says: few apps make most records.
    private var recent = Array(repeating: Recent(), count: recentCount)
    /// The apps of the current block that may not have been in an earlier one, in the order of its records; some may be there
    /// twice.
    private(set) var seen: [AppNumbers] = []

    private struct Recent {
        var key = UInt64.max
        var numbers = AppNumbers.none
    }

    private static let recentCount = 4096
    private static let keyLimit = 65_536

    /// - Parameters:
    ///   - registry: The apps of the capture.
    ///   - examined: The fields that are examined, those that name apps among them.
    ///   - captureFields: The keys that are needed.
    init(_ registry: AppRegistry, _ examined: ExaminedFields, _ captureFields: inout CaptureFields) {
        self.registry = registry
        let app = captureFields.column(of: ExaminedFields.appKeys.app)
        let version = captureFields.column(of: ExaminedFields.appKeys.version)
        columns = (app, version)
        fields = (examined.fields.firstIndex { $0.column == app }, examined.fields.firstIndex { $0.column == version })
    }

    /// Begins with the records of the next block.
    mutating func beginBlock() { seen.removeAll(keepingCapacity: true) }

    /// The app or the version that a value names.
    ///
    /// - Parameter field: Its field, by its index.
    func examine(_ value: Span<UInt8>, of field: Int) -> AppValues {
        var found = AppValues.none
        if field == fields.app { found.app = registry.number(ofAppValue: value) }
        if field == fields.version { found.version = registry.number(ofVersionValue: value) }
        return found
    }

    /// The numbers of a record's app and app version.
    ///
    /// - Parameters:
    ///   - values: The values that it names them with.
    ///   - row: The record, by its index.
    @inline(__always)
    mutating func numbers(of values: AppValues, _ row: Int, _ records: borrowing UnexaminedRecords) -> AppNumbers {
        guard values.app > 0 else { return .none }
        let key = UInt64(values.app) << 34 ^ UInt64(values.version) << 2 ^ records.heads[row].system.number
        let position = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 48) & (Self.recentCount &- 1)
        let latest = recent[position]
        return latest.key == key ? latest.numbers : otherNumbers(of: values, key: key, at: position, row, records)
    }

    // Of apps that were not there just before.
    @inline(never)
    private mutating func otherNumbers(
        of values: AppValues, key: UInt64, at position: Int, _ row: Int, _ records: borrowing UnexaminedRecords
    ) -> AppNumbers {
        let numbers =
            values.areTransient
            ? newNumbers(of: values, row, records) : knownNumbers(of: values, key: key, row, records)
        if !values.areTransient { recent[position] = Recent(key: key, numbers: numbers) }
        seen.append(numbers)
        return numbers
    }

    private mutating func knownNumbers(
        of values: AppValues, key: UInt64, _ row: Int, _ records: borrowing UnexaminedRecords
    ) -> AppNumbers {
        if keys.count >= Self.keyLimit { (keys, numbers) = (Numbering<UInt64>(), []) }
        let index = keys.number(of: key)
        if index == numbers.count { numbers.append(newNumbers(of: values, row, records)) }
        return numbers[index]
    }

    private func newNumbers(of values: AppValues, _ row: Int, _ records: borrowing UnexaminedRecords) -> AppNumbers {
        let text = records.text(row, column: columns.app) ?? ""
        let app = AppTable.name(ofApp: text, on: records.heads[row].system)
        let number = registry.number(ofApp: app)
        guard values.version > 0 else { return AppNumbers(app: number, version: nil) }
        guard number != AppNumbers.otherNumber else { return .other }
        let version = records.text(row, column: columns.version) ?? ""
        return AppNumbers(app: number, version: registry.number(ofVersion: AppTable.name(ofVersion: version, of: app)))
    }
}

extension OperatingSystem {
    /// A number below 4.
    @inline(__always)
    fileprivate var number: UInt64 {
        switch self {
        case .android: 0
        case .ios: 1
        case .unknown: 2
        }
    }
}
