internal import Documents
internal import PolicyEngine

/// The apps that devices can come with, as metrics name them (R13.1).
package struct AppNames {
    // Alike groups make one kind.
    private var kinds: Set<Kind> = []

    private struct Kind: Hashable {
        let apps: Set<ExactText>
        let versions: Set<ExactText>
    }

    /// The maximum number of names that suggestions are taken from.
    private static let suggestionLimit = 10_000

    package init() {}

    /// True if no device comes with an app.
    var isEmpty: Bool { kinds.isEmpty }

    /// Adds devices of a kind.
    ///
    /// - Parameters:
    ///   - apps: The values that their `appid` may have at some time.
    ///   - versions: The values that their `app-version` may have at some time.
    package mutating func add(apps: [String], versions: [String]) {
        guard !apps.isEmpty else { return }
        kinds.insert(Kind(apps: Set(apps.map { ExactText($0) }), versions: Set(versions.map { ExactText($0) })))
    }

    /// True if an app can be of a name, on whatever system.
    ///
    /// - Parameters:
    ///   - name: `APP`, or `APP-VERSION`.
    ///   - hasVersion: Which of the two.
    func contains(_ name: String, hasVersion: Bool) -> Bool {
        let name = ExactText(name)
        return names(hasVersion: hasVersion).contains { ExactText($0) == name }
    }

    /// The name that was probably meant.
    ///
    /// - Parameter start: The text before it in the metric.
    func hint(for name: String, hasVersion: Bool, behind start: String) -> String? {
        let names = names(hasVersion: hasVersion).prefix(Self.suggestionLimit).map { ExactText($0) }.sorted()
        return Suggestion.hint(for: start + name, among: names.map { start + $0.text })
    }

    private func names(hasVersion: Bool) -> some Sequence<String> {
        kinds.lazy.flatMap { kind in
            kind.apps.lazy.flatMap { app in
                hasVersion ? kind.versions.map { "\(app.text)-\($0.text)" } : [app.text]
            }
        }
    }
}
