package import PolicyEngine

/// The apps and app versions of a stream, each by a number (R13.1).
package struct AppTable {
    /// An app on a system: `pass-app-OS-APP`.
    private(set) var apps = NumberTable()
    /// An app on a system in a version: `pass-appver-OS-APP-VERSION`.
    private(set) var versions = NumberTable()
    /// The attribute that names the app.
    let appKey: AttributeKey
    /// The attribute that names its version.
    let versionKey: AttributeKey

    /// Asks for the attributes that it needs; all their values are kept.
    package init(attributes: inout AttributeTable) {
        appKey = attributes.key(named: "appid", keepingAll: true)
        versionKey = attributes.key(named: "app-version", keepingAll: true)
    }

    /// The numbers of an attestation's app and app version.
    package mutating func numbers(of attestation: borrowing Attestation, on system: OperatingSystem) -> AppNumbers {
        numbers(app: attestation.value(of: appKey), version: attestation.value(of: versionKey), on: system)
    }

    /// The numbers of an app and app version by the numbers of their names.
    mutating func numbers(app: ValueNumber, version: ValueNumber, on system: OperatingSystem) -> AppNumbers {
        guard app != .absent else { return .none }
        let number = apps.intern(UInt64(system.rawValue) << 32 | UInt64(app.offset))
        guard version != .absent else { return AppNumbers(app: number, version: nil) }
        return AppNumbers(app: number, version: versions.intern(UInt64(number) << 32 | UInt64(version.offset)))
    }

    /// The part of a metric's name that stands for an app: `OS-APP`.
    func name(ofApp number: Int, attributes: borrowing AttributeTable) -> String {
        let key = apps.keys[number]
        let system = OperatingSystem(rawValue: UInt8(truncatingIfNeeded: key >> 32)) ?? .unknown
        let value = ValueNumber(offset: Int(key & 0xFFFF_FFFF))
        return Self.name(ofApp: attributes.text(of: value, for: appKey), on: system)
    }

    /// The part of a metric's name that stands for an app in a version: `OS-APP-VERSION`.
    func name(ofVersion number: Int, attributes: borrowing AttributeTable) -> String {
        let key = versions.keys[number]
        let value = ValueNumber(offset: Int(key & 0xFFFF_FFFF))
        let version = attributes.text(of: value, for: versionKey)
        return Self.name(ofVersion: version, of: name(ofApp: Int(key >> 32), attributes: attributes))
    }

    /// The name of an app on a system in metrics.
    static func name(ofApp app: String, on system: OperatingSystem) -> String { "\(system.metricName)-\(app)" }

    /// The name of a version of an app in metrics.
    ///
    /// - Parameter app: The app's name, as ``name(ofApp:on:)`` has it.
    static func name(ofVersion version: String, of app: String) -> String { "\(app)-\(version)" }

    /// The names of an app and its version.
    package func names(of numbers: AppNumbers, attributes: AttributeTable) -> (app: String?, version: String?) {
        (
            numbers.app.map { name(ofApp: $0, attributes: attributes) },
            numbers.version.map { name(ofVersion: $0, attributes: attributes) }
        )
    }

    /// The names by number.
    package func labels(_ attributes: AttributeTable) -> AppLabels {
        AppLabels(
            apps: (0..<apps.count).map { name(ofApp: $0, attributes: attributes) },
            versions: (0..<versions.count).map { name(ofVersion: $0, attributes: attributes) })
    }
}

/// The names of apps by their numbers.
package struct AppLabels: Sendable {
    /// `OS-APP`.
    var apps: [String] = []
    /// `OS-APP-VERSION`.
    var versions: [String] = []

    package init(apps: [String] = [], versions: [String] = []) {
        self.apps = apps
        self.versions = versions
    }
}
