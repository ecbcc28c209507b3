internal import Accounts
package import Documents
package import PolicyEngine

/// A population, what happens to it, and what must hold (formats: Scenario).
package struct Scenario: Sendable {
    /// The file as it was named.
    package let file: String
    /// Which files it may name.
    let boundary: FileBoundary
    package var name = ""
    /// The clock by which commands print times that the manual has in local time.
    package var zone = ClockZone.utc
    package var tags: [String] = []
    /// Draws everything that is left to chance; same scenario and seed, same result.
    package var seed: UInt64 = 1
    /// The instant of `at: 0s`.
    package var start = Instant(secondsSinceEpoch: 1_577_836_800)
    /// The accounts; one without a name unless the file names several.
    package var accounts: [NamedAccount] = []
    /// The activity of devices in a generated capture, unless their group has its own.
    var activity = Activity()
    /// The chains that backends present, and their checks of tokens, from the start (R18.6, R19.4).
    var backends = Backends()
    var groups: [DeviceGroup] = []
    /// The steps, in the order of time.
    package var steps: [Step] = []
    var finalExpectations: [FinalExpectation] = []

    init(file: String, boundary: FileBoundary = .anywhere) {
        (self.file, self.boundary) = (file, boundary)
    }

    /// The account of a scenario that has one; `nil` where it has several.
    package var onlyAccount: Account? { accounts.count == 1 ? accounts.first?.account : nil }

    /// The account of a scenario whose account is changed.
    ///
    /// - Parameters:
    ///   - changed: The reason for the change: `compared`.
    ///   - diagnostics: Gets the refusal of a scenario that has several accounts.
    /// - Returns: `nil` after noting that.
    package func onlyAccount(toBe changed: String, _ diagnostics: inout Diagnostics) -> Account? {
        if let account = onlyAccount { return account }
        diagnostics.add(
            Diagnostic(
                file: file, message: "a scenario with several accounts cannot be \(changed)",
                hint: "a change is one of a single account"))
        return nil
    }

    /// The attributes that its devices have at some time, by their keys.
    package var attributes: Set<ExactText> {
        Set(
            (groups.flatMap(\.attributes) + actions(SetStep.self).flatMap(\.change.attributes)).map {
                ExactText($0.key)
            })
    }

    /// The files that commands may read: every word of theirs that is the path of one.
    package var filesOfCommands: [String] {
        actions(CommandStep.self).flatMap { step -> [String] in
            guard let words = try? CommandWords.split(step.line) else { return [] }
            let paths = words.map { $0.hasPrefix("/") ? $0 : folder + $0 }
            return paths.filter { FileLocation($0).isRegularFile }
        }
    }

    /// True if notifications about API domains may be sent: an account has recipients, or a step adds one (R25.2).
    var tellsSomebody: Bool {
        accounts.contains { !$0.account.monitoring.recipients.isEmpty }
            || actions(CommandStep.self).contains {
                if case .add? = $0.command.value as? MonitoringTopic { true } else { false }
            }
    }

    /// The names of its groups of devices.
    package var groupNames: [String] { groups.map(\.name) }

    /// The number of devices of its groups.
    package var deviceCount: Int { groups.reduce(0) { $0 + $1.count } }

    /// The other groups whose devices are the phones of a group, number by number (R14.2c).
    func groups(sharingHardwareWith group: Int) -> [Int] {
        guard let name = groups[group].physical else { return [] }
        return groups.indices.filter { $0 != group && groups[$0].physical == name }
    }

    /// The teams to which the bits belong that Apple has at the start of an account's devices: the account's, and where
    /// its file says none, the first that a step gives it, too (R8.3).
    package func developerTeams(ofAccount index: Int) -> [String] {
        let account = accounts[index].account
        guard account.deviceCheck?.teamID == nil else { return [account.developerTeam] }
        let given = actions(CommandStep.self).lazy.filter { $0.account == index }.compactMap { step -> String? in
            if case .addAuthKey(let key)? = step.command.value as? DeviceCheckTopic { key.teamID } else { nil }
        }.first
        return [account.developerTeam] + (given.map { [$0] } ?? [])
    }

    /// The folder of the file with `/` at its end, empty for the working directory; what the file names lies there.
    var folder: String { file.lastIndex(of: "/").map { String(file[...$0]) } ?? "" }

    package struct NamedAccount: Sendable {
        let name: String
        package let account: Account
        /// The file that holds it; `nil` where the scenario itself does.
        package internal(set) var file: String?
        /// The account in whose place it is from the start, if it is one of a comparison (R19.4).
        var replaced: Account?
    }
}
