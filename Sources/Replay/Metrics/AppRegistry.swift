internal import Documents
internal import PolicyEngine

/// The apps of a capture, by numbers that all who read it share.
///
/// A number is given at first sight, so it depends on who comes first; nothing that is reported does.
package final class AppRegistry: Sendable {
    private let state = Lock(State())

    package init() {}

    private struct State {
        var labels = AppLabels()
        var apps: [ExactText: Int] = [:]
        var versions: [ExactText: Int] = [:]
    }

    /// The number of an app by its name, `OS-APP`.
    func number(ofApp name: String) -> Int {
        state.withLock { Self.number(name, &$0.apps, &$0.labels.apps) }
    }

    /// The number of an app in a version by its name, `OS-APP-VERSION`.
    func number(ofVersion name: String) -> Int {
        state.withLock { Self.number(name, &$0.versions, &$0.labels.versions) }
    }

    /// The names of an app and its version.
    func names(of numbers: AppNumbers) -> (app: String?, version: String?) {
        state.withLock { state in
            (numbers.app.map { state.labels.apps[$0] }, numbers.version.map { state.labels.versions[$0] })
        }
    }

    /// The names by number.
    var names: AppLabels { state.withLock { $0.labels } }

    private static func number(_ name: String, _ numbers: inout [ExactText: Int], _ names: inout [String]) -> Int {
        if let known = numbers[ExactText(name)] { return known }
        numbers[ExactText(name)] = names.count
        names.append(name)
        return names.count - 1
    }
}

/// What a record names its app with, by the numbers of ``AppNumbering``; 0 for what it does not name.
struct AppValues: Hashable, Sendable {
    var app: UInt32
    var version: UInt32

    /// No app is named.
    static var none: AppValues { AppValues(app: 0, version: 0) }

    /// Adds what another value names.
    mutating func formUnion(_ other: AppValues) {
        app |= other.app
        version |= other.version
    }
}

/// Numbers the apps of records for one reader of a capture: asks the registry once for each.
struct AppNumbering {
    private let registry: AppRegistry
    // The fields that name an app and its version, by their indices.
    private let fields: (app: Int, version: Int)
    private var apps = ValueTable(capacity: .max)
    private var versions = ValueTable(capacity: .max)
    // What was numbered, by its key, and its numbers in that order.
    private var keys = NumberTable()
    private var numbers: [AppNumbers] = []
    // Some of these, where a part of the key says: few apps make most records.
    private var recent = Array(repeating: (key: UInt64.max, numbers: AppNumbers.none), count: recentCount)

    private static let recentCount = 512

    /// - Parameters:
    ///   - registry: The apps of the capture.
    ///   - fields: The fields that name an app and its version, by their indices among those that are examined.
    init(_ registry: AppRegistry, fields: (app: Int, version: Int)) {
        self.registry = registry
        self.fields = fields
    }

    /// What a value names.
    ///
    /// - Parameter field: Its field, by its index.
    mutating func examine(_ value: Span<UInt8>, of field: Int) -> AppValues {
        var found = AppValues.none
        if field == fields.app { found.app = UInt32(apps.intern(value, range: 0..<value.count).offset + 1) }
        if field == fields.version { found.version = UInt32(versions.intern(value, range: 0..<value.count).offset + 1) }
        return found
    }

    /// The numbers of a record's app and app version.
    mutating func numbers(of values: AppValues, on system: OperatingSystem) -> AppNumbers {
        guard values.app > 0 else { return .none }
        let key = UInt64(values.app) << 34 ^ UInt64(values.version) << 2 ^ UInt64(system.rawValue)
        let place = Int(truncatingIfNeeded: key &* 0x9E37_79B9_7F4A_7C15 >> 48) & (Self.recentCount - 1)
        if recent[place].key == key { return recent[place].numbers }
        let index = keys.intern(key)
        if index == numbers.count { numbers.append(newNumbers(of: values, on: system)) }
        recent[place] = (key, numbers[index])
        return numbers[index]
    }

    private func newNumbers(of values: AppValues, on system: OperatingSystem) -> AppNumbers {
        let app = AppTable.name(ofApp: apps.text(of: ValueNumber(offset: Int(values.app) - 1)), on: system)
        guard values.version > 0 else { return AppNumbers(app: registry.number(ofApp: app), version: nil) }
        let version = versions.text(of: ValueNumber(offset: Int(values.version) - 1))
        return AppNumbers(
            app: registry.number(ofApp: app),
            version: registry.number(ofVersion: AppTable.name(ofVersion: version, of: app)))
    }
}
