internal import PolicyEngine
internal import Synchronization

/// The apps of a capture, by numbers that all who read it share.
///
/// A number is given at first sight, so it depends on who comes first; nothing that is reported does. Of apps, and of apps
/// in a version, so many are kept as ``CaptureLimits/apps`` says, in the order of the records; all others have the number
/// ``AppLabels/otherNumber``. Once so many are kept, no further name takes memory.
package final class AppRegistry: Sendable {
    private let state: Mutex<State>

    /// - Parameter limit: How many apps are kept, and how many apps in a version.
    package init(limit: Int = CaptureLimits.apps) {
        state = Mutex(State(apps: NameRegistry(limit: limit), versions: NameRegistry(limit: limit)))
    }

    private struct State {
        var apps: NameRegistry
        var versions: NameRegistry
    }

    /// The number of an app by its name, `OS-APP`.
    func number(ofApp name: String) -> Int { state.withLock { $0.apps.number(of: name) } }

    /// The number of an app in a version by its name, `OS-APP-VERSION`.
    func number(ofVersion name: String) -> Int { state.withLock { $0.versions.number(of: name) } }

    /// The names of an app and its version.
    func names(of numbers: AppNumbers) -> (app: String?, version: String?) {
        state.withLock { state in
            (numbers.app.map { state.apps.names[$0] }, numbers.version.map { state.versions.names[$0] })
        }
    }

    /// The names by number.
    var names: AppLabels { state.withLock { AppLabels(apps: $0.apps.names, versions: $0.versions.names) } }

    /// Decides which apps of a block are kept; blocks come in their order.
    func settle(_ parsed: inout ParsedBlock<some RecordMatches>) {
        let isAnyOther = state.withLock { state in
            parsed.apps.reduce(false) { isAnyOther, app in
                let settled = Self.settle(app, &state)
                return isAnyOther || settled != app
            }
        }
        guard isAnyOther else { return }
        state.withLock { state in parsed.setApps { Self.settle($0, &state) } }
    }

    // The versions of an app that is not kept are not kept either.
    private static func settle(_ numbers: AppNumbers, _ state: inout State) -> AppNumbers {
        guard let app = numbers.app else { return numbers }
        let settled = state.apps.settle(app)
        let version = numbers.version.map {
            settled == AppLabels.otherNumber ? AppLabels.otherNumber : state.versions.settle($0)
        }
        return AppNumbers(app: settled, version: version)
    }
}

/// Names by numbers, of which the first so many are kept.
private struct NameRegistry {
    /// By number.
    private(set) var names = [AppLabels.other]
    private var numbers: [ExactText: Int] = [:]
    // By number: whether the name is kept; `nil` until that is settled.
    private var isKept: [Bool?] = [false]
    private var keptCount = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func number(of name: String) -> Int {
        if let known = numbers[ExactText(name)] { return known }
        guard keptCount < limit else { return AppLabels.otherNumber }
        numbers[ExactText(name)] = names.count
        names.append(name)
        isKept.append(nil)
        return names.count - 1
    }

    mutating func settle(_ number: Int) -> Int {
        if isKept[number] == nil {
            isKept[number] = keptCount < limit
            if keptCount < limit { keptCount += 1 }
        }
        return isKept[number] == true ? number : AppLabels.otherNumber
    }
}

/// What a record names its app with, by the numbers of ``AppNumbering``; 0 for what it does not name.
struct AppValues: Hashable, Sendable {
    var app: UInt32
    var version: UInt32

    /// No app is named.
    static var none: AppValues { AppValues(app: 0, version: 0) }
    /// A value that has no number, and stands in the record.
    static var passing: UInt32 { .max }

    /// Whether one of both has no number.
    var arePassing: Bool { app == Self.passing || version == Self.passing }

    /// Adds what another value names.
    mutating func formUnion(_ other: AppValues) {
        app |= other.app
        version |= other.version
    }
}

/// Numbers the apps of records for one reader of a capture: asks the registry once for each of the usual ones.
struct AppNumbering {
    private let registry: AppRegistry
    // The fields that name an app and its version, by their indices, and their columns.
    private let fields: (app: Int, version: Int)
    private let columns: (app: Int, version: Int)
    private var apps = ValueTable(capacity: valueLimit)
    private var versions = ValueTable(capacity: valueLimit)
    // What was numbered, by its key, and its numbers in that order.
    private var keys = NumberTable()
    private var numbers: [AppNumbers] = []
    // Some of these, where a part of the key says: few apps make most records.
    private var recent = Array(repeating: Recent(), count: recentCount)
    private var block = 0
    /// The apps of the block at hand, in the order of its records; some may stand there twice.
    private(set) var seen: [AppNumbers] = []

    private struct Recent {
        var key = UInt64.max
        var numbers = AppNumbers.none
        /// The block that had it last.
        var block = 0
    }

    private static let recentCount = 512
    /// Values that get numbers here; of the others, the registry is asked each time.
    private static let valueLimit = 16_384
    private static let keyLimit = 65_536

    /// - Parameters:
    ///   - registry: The apps of the capture.
    ///   - examined: The fields that are examined.
    init(_ registry: AppRegistry, _ examined: ExaminedFields) {
        self.registry = registry
        fields = (examined.app, examined.version)
        columns = (examined.fields[examined.app].column, examined.fields[examined.version].column)
    }

    /// Begins with the records of the next block.
    mutating func beginBlock() {
        block += 1
        seen.removeAll(keepingCapacity: true)
    }

    /// What a value names.
    ///
    /// - Parameter field: Its field, by its index.
    mutating func examine(_ value: Span<UInt8>, of field: Int) -> AppValues {
        var found = AppValues.none
        if field == fields.app { found.app = Self.number(of: value, in: &apps) }
        if field == fields.version { found.version = Self.number(of: value, in: &versions) }
        return found
    }

    private static func number(of value: Span<UInt8>, in table: inout ValueTable) -> UInt32 {
        let number = table.intern(value, range: 0..<value.count)
        return number == .passing ? AppValues.passing : UInt32(number.offset + 1)
    }

    /// The numbers of a record's app and app version.
    ///
    /// - Parameters:
    ///   - values: What it names them with.
    ///   - row: The record, by its index in the batch.
    mutating func numbers(of values: AppValues, _ row: Int, _ batch: borrowing RecordBatch) -> AppNumbers {
        guard values.app > 0 else { return .none }
        if values.arePassing { return passingNumbers(of: values, row, batch) }
        let key = UInt64(values.app) << 34 ^ UInt64(values.version) << 2 ^ UInt64(batch.heads[row].system.rawValue)
        let place = Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 48) & (Self.recentCount - 1)
        if recent[place].key != key {
            let numbers = knownNumbers(of: values, key: key, row, batch)
            recent[place] = Recent(key: key, numbers: numbers)
        }
        if recent[place].block != block {
            recent[place].block = block
            seen.append(recent[place].numbers)
        }
        return recent[place].numbers
    }

    private mutating func knownNumbers(
        of values: AppValues, key: UInt64, _ row: Int, _ batch: borrowing RecordBatch
    ) -> AppNumbers {
        if keys.count >= Self.keyLimit { (keys, numbers) = (NumberTable(), []) }
        let index = keys.intern(key)
        if index == numbers.count { numbers.append(newNumbers(of: values, row, batch)) }
        return numbers[index]
    }

    private mutating func passingNumbers(
        of values: AppValues, _ row: Int, _ batch: borrowing RecordBatch
    ) -> AppNumbers {
        let numbers = newNumbers(of: values, row, batch)
        seen.append(numbers)
        return numbers
    }

    private func newNumbers(of values: AppValues, _ row: Int, _ batch: borrowing RecordBatch) -> AppNumbers {
        let text = batch.text(row, column: columns.app) ?? ""
        let app = AppTable.name(ofApp: text, on: batch.heads[row].system)
        let number = registry.number(ofApp: app)
        guard values.version > 0 else { return AppNumbers(app: number, version: nil) }
        guard number != AppLabels.otherNumber else { return .other }
        let version = batch.text(row, column: columns.version) ?? ""
        return AppNumbers(app: number, version: registry.number(ofVersion: AppTable.name(ofVersion: version, of: app)))
    }
}
