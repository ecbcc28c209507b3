internal import Accounts
internal import PolicyEngine
internal import Replay

/// The single edits that a search chooses from.
struct EditChoice {
    /// The commands, presets before flags, which belong to them.
    private(set) var commands: [ManagementCommand] = []
    /// Why there are no more commands.
    private(set) var leftOut: [String] = []
    /// The account as it is.
    let account: Account
    /// The account with all filters that the commands add, which do nothing there.
    private(set) var matched: Account

    /// Some commands, none of which adds a filter.
    init(_ commands: [ManagementCommand], of account: Account) {
        (self.commands, self.account, matched) = (commands, account, account)
    }

    /// The edits of a mode that can affect the records that are asked for.
    ///
    /// - Throws: ``SearchFailure/noFilter(_:)`` where the account takes no further filter.
    init(
        _ mode: SearchQuestion.Mode, _ account: Account, _ records: [KeptRecord], _ selection: RecordSelection
    ) throws(SearchFailure) {
        self.init([], of: account)
        switch mode {
        case .narrowestFilter(let key):
            let open = zip(records, selection.rejecting).filter { $0.passed && $1 }.map(\.0)
            try addFilters(rejecting: open, key: key)
        case .loosestPolicy: commands = Self.commands(account, records).filter(\.changesPolicyOnly)
        case .fewestEdits: commands = Self.commands(account, records)
        case .narrowestExemption: preconditionFailure("exemptions are more than single edits")
        }
    }

    private static func commands(_ account: Account, _ records: [KeptRecord]) -> [ManagementCommand] {
        let commands = SingleEdits.all(of: account).map(\.command)
        // Without `new-did` in any record nobody knows which devices were new.
        let isKnown = records.areNewDevicesKnown
        return isKnown ? commands : commands.filter { $0 != ManagementCommand.rejectFlag("new-did") }
    }

    // The narrowest comes first; an account may have no room for the others.
    private mutating func addFilters(rejecting records: [KeptRecord], key: String) throws(SearchFailure) {
        let (tests, refused) = NarrowestFilter.tests(rejecting: records, key: key)
        do throws(FilterError) {
            for test in tests where commands.isEmpty || matched.filters.count < AccountLimits.filters {
                try addFilter(test)
            }
        } catch {
            throw .noFilter(error)
        }
        leftOut += refused.map(\.reason)
    }

    private mutating func addFilter(_ test: Filter.Test) throws(FilterError) {
        let taken = Set(matched.filters.map(\.name))
        let name = (1...AccountLimits.filters + 1).lazy.map { "narrow-\($0)" }.first { !taken.contains($0) }
        let filter = try Filter(name: name ?? "", test: test, options: .reject)
        guard let command = ManagementCommand.addition(of: filter) else {
            leftOut.append("no management command can express it")
            return
        }
        try matched.set(Filter(name: filter.name, test: test))
        commands.append(command)
    }
}
