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
    mutating func numbers(of record: borrowing CaptureRecord, in attributes: borrowing AttributeTable) -> AppNumbers {
        let found = table.numbers(of: record.attestation, on: record.operatingSystem)
        guard let app = found.app else { return .none }
        if app == apps.count { apps.append(registry.number(ofApp: table.name(ofApp: app, attributes: attributes))) }
        guard let version = found.version else { return AppNumbers(app: apps[app], version: nil) }
        if version == versions.count {
            versions.append(registry.number(ofVersion: table.name(ofVersion: version, attributes: attributes)))
        }
        return AppNumbers(app: apps[app], version: versions[version])
    }
}
