internal import PolicyEngine
internal import Synchronization

/// The apps of a capture, by numbers that all who read it share.
///
/// A number is given at first sight, so it depends on who comes first; nothing that is reported does.
final class AppRegistry: Sendable {
    private let state = Mutex(State())

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

/// Numbers the apps of records for one reader of a capture: asks the registry once for each.
struct AppNumbering {
    private var table: AppTable
    private let registry: AppRegistry
    // By number in the table.
    private var apps: [Int] = []
    private var versions: [Int] = []

    /// Asks for the attributes that it needs.
    init(_ registry: AppRegistry, attributes: inout AttributeTable) {
        table = AppTable(attributes: &attributes)
        self.registry = registry
    }

    /// The numbers of a record's app and app version.
    mutating func numbers(of row: Int, in batch: borrowing RecordBatch) -> AppNumbers {
        let (attributes, head) = (batch.attributes, batch.heads[row])
        let found = table.numbers(
            app: attributes.number(of: table.appKey, row: row),
            version: attributes.number(of: table.versionKey, row: row), on: head.system)
        guard let app = found.app else { return .none }
        if app == apps.count { apps.append(registry.number(ofApp: name(of: row, in: batch))) }
        guard let version = found.version else { return AppNumbers(app: apps[app], version: nil) }
        if version == versions.count {
            let text = attributes.text(of: table.versionKey, row: row) ?? ""
            versions.append(registry.number(ofVersion: AppTable.name(ofVersion: text, of: name(of: row, in: batch))))
        }
        return AppNumbers(app: apps[app], version: versions[version])
    }

    private func name(of row: Int, in batch: borrowing RecordBatch) -> String {
        let app = batch.attributes.text(of: table.appKey, row: row) ?? ""
        return AppTable.name(ofApp: app, on: batch.heads[row].system)
    }
}
