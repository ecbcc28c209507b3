internal import PolicyEngine

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
