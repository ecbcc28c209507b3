internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// The count of the devices of captures that match the parts of an account.
package struct MatchCountWork: Sendable {
    let path: String
    let question: Question

    /// The account and the captures on which a count depends.
    struct Question: Equatable {
        let account: Account
        let captures: [CaptureIdentity]
    }

    /// A count, or the reason why there is none.
    package struct Outcome: Sendable {
        let path: String
        let question: Question
        let matches: AccountMatches?
        /// The reason in words; `nil` if the captures have no attestations.
        let problem: String?

        /// The names of the captures, without their folders.
        var captures: String {
            question.captures.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
                .joined(separator: ", ")
        }
    }

    /// The greatest length of all captures together that are counted.
    static let byteLimit = 1 << 30

    /// - Returns: `nil` without captures, and while the account cannot be read.
    init?(_ file: AnalysedFile, in workspace: Workspace, captures: [String]) {
        guard file.kind == .account, !captures.isEmpty, let account = workspace.accounts(of: file).first else {
            return nil
        }
        path = file.path
        question = Question(
            account: account, captures: captures.map { CaptureIdentity(path: $0, digestedUpTo: 0) })
    }

    /// Reads the captures.
    package func run() -> Outcome {
        for capture in question.captures where !FileLocation(capture.path).isRegularFile {
            return outcome("\(capture.path) is not a file that can be read again")
        }
        let bytes = question.captures.reduce(0) { $0 + ($1.bytes ?? 0) }
        guard bytes <= Self.byteLimit else {
            return outcome("they have \(bytes.grouped) bytes, and at most \(Self.byteLimit.grouped) are read")
        }
        var request = ReplayRequest(captures: question.captures.map(\.path), account: question.account)
        request.sorts = true
        var diagnostics = Diagnostics()
        let matches = AccountMatches(request, diagnostics: &diagnostics)
        return outcome(diagnostics.all.first { $0.severity == .error }?.message, matches)
    }

    private func outcome(_ problem: String?, _ matches: AccountMatches? = nil) -> Outcome {
        Outcome(path: path, question: question, matches: matches, problem: problem)
    }
}

extension MatchCountWork.Outcome {
    /// A number of devices as a share of all, in words.
    private func words(_ count: Int, _ matches: AccountMatches) -> String {
        "\(count.counting("device")) (\(count.share(of: matches.devices)))"
    }

    /// The words on a token that names a filter, a device entry or a flag that rejects; `nil` for all others.
    func words(on token: TextToken) -> String? {
        guard let matches, !token.isKey, let count = count(of: token, matches) else { return nil }
        return "matches \(words(count, matches))"
    }

    private func count(of token: TextToken, _ matches: AccountMatches) -> Int? {
        switch token.steps {
        case ["filters", nil, "name"]: return matches.devices(ofFilter: token.text)
        case ["devices", nil, "id"]: return DeviceID(token.text).map { matches.attests($0) ? 1 : 0 }
        case ["reject-flags", "add", nil], ["reject-flags", "remove", nil]:
            // Records seldom say of which devices these hold.
            let flag = question.account.catalogue.namedFlag(token.text)
            return flag == .newDevice || flag == .riskyDevice ? nil : matches.devices(withFlag: token.text)
        default: return nil
        }
    }

    /// The words on the captures as a whole.
    var summary: String? {
        if let problem { return "\(captures): not counted: \(problem)".showingControls() }
        return matches.map { "\($0.devices.counting("device")) in \(captures)".showingControls() }
    }

    /// The devices that a filter matches, and values in which its regex is found; in Markdown.
    func words(onFilter name: String) -> String? {
        guard let matches, let count = matches.devices(ofFilter: name) else { return nil }
        let values = matches.values(ofFilter: name).map { $0.showingControls().quoted }
        let devices = "\(count.grouped) of \(matches.devices.counting("device")) (\(count.share(of: matches.devices)))"
        return "It matches \(devices) in \(captures.showingControls())"
            + (values.isEmpty ? "." : ", such as \(values.joined(separator: ", ")).")
    }
}

extension TextToken {
    /// The keys on the way to it; `nil` for an item of a list.
    fileprivate var steps: [String?] {
        path.map { step in if case .key(let key) = step { key } else { nil } }
    }
}
