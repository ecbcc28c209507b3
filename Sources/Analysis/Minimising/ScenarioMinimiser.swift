package import Documents
internal import PolicyEngine
internal import Scenarios

/// Takes away from a scenario that fails what it does not need to fail: steps, devices, fields, and parts of its account.
///
/// The scenario that is left fails at the same check for the same device or group, and in the same way: vacuous or not.
package struct ScenarioMinimiser {
    private let path: String
    private let boundary: FileBoundary
    private let runner: ScenarioRunner
    private let failure: Failure
    private var editor: DocumentEditor

    /// The part of the result that has to stay as it is.
    private struct Failure: Hashable {
        let message: String
        let expected: String
        let isVacuous: Bool

        init(_ result: ExpectationResult) {
            (message, expected) = (result.message, result.expected)
            isVacuous = result.actual.contains("(vacuous: ")
        }
    }

    /// Why there is nothing to minimise.
    package enum Refusal: Hashable, Sendable {
        /// It is no scenario; the diagnostics say why.
        case invalid
        /// All its expectations hold.
        case passes
    }

    /// - Parameters:
    ///   - path: The scenario.
    ///   - boundary: Which files it may name beside those in its own folder.
    ///   - seed: Goes before the scenario's own.
    ///   - diagnostics: Gets what is wrong with it.
    ///   - refusal: Says why there is nothing to minimise, where `nil` comes back.
    package init?(
        path: String, within boundary: FileBoundary, seed: UInt64?, diagnostics: inout Diagnostics,
        refusal: inout Refusal
    ) {
        (self.path, self.boundary) = (path, boundary)
        var runner = ScenarioRunner(seed: seed)
        runner.patterns = PatternMatcher(keepsAll: true)
        self.runner = runner
        refusal = .invalid
        guard let document = TextFile.parse(path: path, as: .scenario, diagnostics: &diagnostics),
            let scenario = ScenarioLoader.load(document, within: boundary, diagnostics: &diagnostics),
            let root = document.root
        else { return nil }
        let results = runner.run([scenario], diagnostics: &diagnostics)
        guard !diagnostics.hasErrors else { return nil }
        guard let failed = results.flatMap(\.expectations).first(where: { !$0.passed }) else {
            refusal = .passes
            return nil
        }
        failure = Failure(failed)
        editor = DocumentEditor(text: document.source.text, root: root)
    }

    /// The size of a scenario.
    package struct Size: Hashable, Sendable {
        package let lines: Int
        package let steps: Int
        /// The number of groups of devices.
        package let groups: Int
    }

    /// The size of what is left.
    package var size: Size {
        Size(
            lines: editor.text.string.split(separator: "\n").count, steps: members(at: [.key("steps")]).count,
            groups: members(at: [.key("devices")]).count)
    }

    /// Takes away all that can go.
    ///
    /// - Returns: The text that is left; nothing more can be taken away from it alone.
    /// - Complexity: O(n²) runs of the scenario, n being the number of its parts.
    package mutating func minimise() -> String {
        while shrink(at: []) {}
        return editor.text.string
    }

    // Tries to remove every member of the node at a path, the last first, and then the members inside it.
    private mutating func shrink(at path: [DocumentStep]) -> Bool {
        var hasShrunk = false
        for step in members(at: path).reversed() {
            if remove(step, from: path) {
                hasShrunk = true
            } else if shrink(at: path + [step]) {
                hasShrunk = true
            }
        }
        return hasShrunk
    }

    private func members(at path: [DocumentStep]) -> [DocumentStep] {
        switch editor.node(at: path)?.content {
        case .sequence(let items): items.indices.map { .item($0) }
        case .mapping(let entries): entries.map { .key($0.key) }
        case .scalar, nil: []
        }
    }

    private mutating func remove(_ step: DocumentStep, from path: [DocumentStep]) -> Bool {
        var candidate = editor
        do throws(EditFailure) {
            switch step {
            case .key(let key): try candidate.remove(key, from: path)
            case .item(let index): try candidate.removeItem(index, from: path)
            }
        } catch {
            return false
        }
        guard stillFails(candidate.text.string) else { return false }
        editor = candidate
        return true
    }

    private func stillFails(_ text: String) -> Bool {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: path, text: text))
        guard let scenario = ScenarioLoader.load(document, within: boundary, diagnostics: &diagnostics) else {
            return false
        }
        let results = runner.run([scenario], diagnostics: &diagnostics)
        guard !diagnostics.hasErrors else { return false }
        return results.flatMap(\.expectations).contains { !$0.passed && Failure($0) == failure }
    }
}
