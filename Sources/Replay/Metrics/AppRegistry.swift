internal import Documents
internal import Figures
internal import PolicyEngine

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
