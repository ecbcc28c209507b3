internal import Documents
internal import Figures
package import PolicyEngine

/// The apps of a capture, by numbers that all who read it share.
///
/// A number is given at first sight, so it depends on who comes first; nothing that is reported does. Of apps, and of apps in a
/// version, the first ``Figures/appLimit`` in the order of the records are kept; all others have the number
/// ``AppNumbers/otherNumber``. Once that many are kept, no further name takes memory.
final class AppRegistry: Sendable {
    private let state: Lock<State>

    /// - Parameter limit: The number of apps that are kept, and of apps in a version.
    init(limit: Int = Figures.appLimit) {
        state = Lock(State(apps: NameRegistry(limit: limit), versions: NameRegistry(limit: limit)))
    }

    private struct State {
        var apps: NameRegistry
        var versions: NameRegistry
        // The values that records name them with.
        var appValues = Interner(capacity: AppRegistry.valueLimit)
        var versionValues = Interner(capacity: AppRegistry.valueLimit)
    }

    /// Values that get numbers; of the others, names are asked for each time.
    private static let valueLimit = 16_384

    /// The number of a value that names an app, from 1 on; ``AppValues/transient`` for one that gets none.
    func number(ofAppValue value: Span<UInt8>) -> UInt32 {
        state.withLock { Self.number(of: value, in: &$0.appValues) }
    }

    /// The number of a value that names a version, from 1 on; ``AppValues/transient`` for one that gets none.
    func number(ofVersionValue value: Span<UInt8>) -> UInt32 {
        state.withLock { Self.number(of: value, in: &$0.versionValues) }
    }

    private static func number(of value: Span<UInt8>, in table: inout Interner) -> UInt32 {
        let number = table.intern(value, range: 0..<value.count)
        return number == .transient ? AppValues.transient : UInt32(number.offset + 1)
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

    /// Decides which of some apps are kept; they come in the order of the records.
    ///
    /// - Returns: True if all are that came so far, so that each keeps its number.
    func admitAll(_ apps: [AppNumbers]) -> Bool {
        state.withLock { state in
            for numbers in apps { _ = Self.admit(numbers, &state) }
            return !state.apps.refusesSome && !state.versions.refusesSome
        }
    }

    /// The numbers that stand for an app from now on, which came before.
    func admit(_ numbers: AppNumbers) -> AppNumbers { state.withLock { Self.admit(numbers, &$0) } }

    // The versions of an app that is not kept are not kept either.
    private static func admit(_ numbers: AppNumbers, _ state: inout State) -> AppNumbers {
        guard let app = numbers.app else { return numbers }
        let admitted = state.apps.admit(app)
        let version = numbers.version.map {
            admitted == AppNumbers.otherNumber ? AppNumbers.otherNumber : state.versions.admit($0)
        }
        return AppNumbers(app: admitted, version: version)
    }
}

/// Names by numbers, of which the first are kept, up to a limit.
private struct NameRegistry {
    /// By number.
    private(set) var names = [Figures.otherApp]
    private var numbers: [ExactText: Int] = [:]
    // By number: whether the name is kept; `nil` until that is settled.
    private var isKept: [Bool?] = [false]
    private var keptCount = 0
    /// True if some name is not kept.
    private(set) var refusesSome = false
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func number(of name: String) -> Int {
        if let known = numbers[ExactText(name)] { return known }
        guard keptCount < limit else { return AppNumbers.otherNumber }
        numbers[ExactText(name)] = names.count
        names.append(name)
        isKept.append(nil)
        return names.count - 1
    }

    mutating func admit(_ number: Int) -> Int {
        if isKept[number] == nil {
            isKept[number] = keptCount < limit
            if keptCount < limit { keptCount += 1 } else { refusesSome = true }
        }
        return isKept[number] == true ? number : AppNumbers.otherNumber
    }
}

/// The apps and app versions of a stream, each by a number (R13.1).
package struct AppTable {
    /// An app on a system: `pass-app-OS-APP`.
    private(set) var apps = Numbering<UInt64>()
    /// An app on a system in a version: `pass-appver-OS-APP-VERSION`.
    private(set) var versions = Numbering<UInt64>()
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
        let number = apps.number(of: UInt64(system.rawValue) << 32 | UInt64(app.offset))
        guard version != .absent else { return AppNumbers(app: number, version: nil) }
        return AppNumbers(app: number, version: versions.number(of: UInt64(number) << 32 | UInt64(version.offset)))
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
