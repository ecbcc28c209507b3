package import Accounts
package import Documents
package import PolicyEngine
package import Replay

/// The effects of an account's filters, device entries and added reject flags in captures, and those parts that can be removed together
/// without any other decision.
package struct IdleParts: Sendable {
    /// The parts, in the order of the account: filters, entries, flags.
    package let parts: [Part]
    /// The parts to remove, in the order of their commands.
    package let removed: [RemovablePart]
    /// The filters whose regexes match more than they say.
    package let wide: [WideFilter]
    /// The name of the policy from which the account's flags are, and those of its flags that rejected nobody: a preset is kept whole.
    package let preset: (name: String, flags: Int, unmatched: [String])
    package let attestations: Int
    package let devices: Int
    /// The first and the last attestation.
    package let span: ClosedRange<Instant>?
    /// Devices on which not all is known, under the account as it is or without the parts.
    package let unevaluated: Int

    /// A part, and its effect.
    package struct Part: Sendable {
        package let part: RemovablePart
        package let effect: Effect
        /// The attestations that it matched under the account as it is.
        package let use: PartUse
        /// The flags and filters that reject its devices without it, the one of most devices first; for parts to remove.
        package let caughtBy: [(name: String, devices: Int)]
    }

    /// The effect of a part in the captures.
    package enum Effect: String, CaseIterable, Sendable {
        /// It matched nothing.
        case unmatched
        /// All that it matched is rejected without it.
        case shadowed
        /// It matched something, and no decision depends on it.
        case idle
        /// It is a filter without an action, which counts what it matches (R13.1).
        case watching
        /// Decisions depend on it, or information on devices that it keeps (R7.5).
        case used
        /// It is not known whether decisions depend on it: no record says which devices were new, or a search was given up (R7.2).
        case unknown

        /// True for a part that can be removed.
        package var isDead: Bool { [.unmatched, .shadowed, .idle].contains(self) }
    }

    /// The parts that can be removed.
    package var dead: [Part] { parts.filter(\.effect.isDead) }

    /// The commands that remove them.
    package var commands: [ManagementCommand] { removed.compactMap(\.removal) }
}

extension RemovablePart {
    /// The parts of an account: filters, entries, and the reject flags that were added to its preset, each in their order.
    package static func all(of account: Account) -> [RemovablePart] {
        let policy = account.policy.rejection
        let preset = RejectionPolicy(preset: policy.base)
        let added = account.catalogue.declaredFlags.filter { _, flag in
            policy.rejecting.contains(flag) && !preset.rejecting.contains(flag)
        }
        return account.filters.map { .filter($0.name) } + account.devices.map { .entry($0.id) }
            + (policy.isCustom ? added.map { .flag($0.name) } : [])
    }

    /// The command that removes it.
    package var removal: ManagementCommand? {
        switch self {
        case .filter(let name): .removal(ofFilter: name)
        case .entry(let id): .removal(ofDevice: id)
        case .flag(let name): .rejectFlag(name, isAdded: false)
        }
    }
}

extension Account {
    /// The account without some of its parts.
    func without(_ parts: some Sequence<RemovablePart>) -> Account {
        parts.reduce(self) { account, part in part.removal?.edited(account) ?? account }
    }

    /// The account in which some parts do nothing, but whose filters still match.
    func muting(_ parts: [RemovablePart]) -> Account {
        var account = self
        for case .filter(let name) in parts {
            guard let filter = filters.first(where: { $0.name == name }),
                let muted = try? Filter(
                    name: name, test: filter.test, options: filter.options.intersection(.newDevicesOnly))
            else { continue }
            try? account.set(muted)
        }
        return account.without(parts.filter { if case .filter = $0 { false } else { true } })
    }
}

/// The places of an account's parts in its file.
package struct PartPlaces: Sendable {
    package let file: String
    private let positions: [RemovablePart: SourcePosition]

    /// - Parameters:
    ///   - parts: The parts.
    ///   - document: The file of their account.
    package init(of parts: [RemovablePart], in document: ParsedDocument) {
        let linted = LintedAccount(Account(), in: document.source, at: document.root, isPartOfScenario: false)
        file = document.source.path
        positions = parts.reduce(into: [:]) { positions, part in
            positions[part] =
                switch part {
                case .filter(let name): linted.position(ofFilter: name)
                case .entry(let id): linted.position(ofDevice: id)
                case .flag: linted.position(of: "policy")
                }
        }
    }

    /// The place of a part.
    package subscript(part: RemovablePart) -> SourcePosition? { positions[part] }
}
