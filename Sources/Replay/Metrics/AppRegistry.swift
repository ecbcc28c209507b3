internal import PolicyEngine
internal import Synchronization

/// The apps of a capture, by numbers that all who read it share.
///
/// A number is given at first sight, so it depends on who comes first; nothing that is told does.
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
