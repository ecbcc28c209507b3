internal import Documents
package import Figures
package import PolicyEngine
package import Replay

/// The conditions that edits of an account have to meet, and the edits that are tried.
package struct SearchQuestion: Sendable {
    /// The records that must fail, and those that must pass; `nil` asks for nothing.
    private(set) var reject, keep: RecordExpression?
    let mode: Mode
    /// Returns true if a number of other devices, of all devices, may newly fail; `nil` allows any.
    let limit: Limit?
    /// The labels that expressions look at; `nil` for none.
    let labels: Labels?
    /// The condition that labelled devices set; `nil` for none.
    let goal: LabelGoal?

    /// The start of the part of the captures on which answers are reported, but not looked for; `nil` for none.
    package var holdOut: Instant?
    /// The level of intervals; `nil` for none.
    package var confidence: ConfidenceLevel?
    /// The share of all devices that an answer newly rejects besides at most, as far as the held-out part proves it at
    /// that level; `nil` allows any.
    package var certainLimit: Percentage?

    /// A limit of devices.
    package typealias Limit = @Sendable (_ devices: Int, _ all: Int) -> Bool

    /// The edits that are tried, and the best of them.
    package enum Mode: Hashable, Sendable {
        /// Every kind of edit; the fewest are best.
        case fewestEdits(atMost: Int = Mode.usualEdits)
        /// Edits of the policy; those are best that reject the fewest devices in all.
        case loosestPolicy(atMost: Int = Mode.usualEdits)
        /// One new filter on an attribute; that is best which rejects the fewest devices in all.
        case narrowestFilter(key: String)

        /// The maximum number of edits, unless another one is asked for.
        package static let usualEdits = 2

        /// The maximum number of edits.
        package var maximumEdits: Int {
            switch self {
            case .fewestEdits(let most), .loosestPolicy(let most): most
            case .narrowestFilter: 1
            }
        }

        /// True if the answer is best that rejects least in all, rather than that with the fewest edits.
        var isLoosest: Bool { if case .fewestEdits = self { false } else { true } }
    }

    /// - Parameters:
    ///   - reject: The records that must fail; `nil` for none.
    ///   - keep: The records that must pass; `nil` for none.
    ///   - mode: The edits that are tried, and the best of them.
    ///   - limit: Returns true if a number of other devices, of all devices, may newly fail; `nil` allows any.
    ///   - labels: The labels that expressions look at; `nil` for none.
    ///   - goal: The condition that labelled devices set; `nil` for none.
    package init(
        reject: RecordExpression?, keep: RecordExpression?, mode: Mode, limit: Limit? = nil, labels: Labels? = nil,
        goal: LabelGoal? = nil
    ) {
        (self.reject, self.keep, self.mode, self.limit) = (reject, keep, mode, limit)
        (self.labels, self.goal) = (labels, goal)
    }

    /// The same with the devices in place of labels.
    func resolved(_ labelled: LabelledDevices?) -> SearchQuestion {
        guard let labelled else { return self }
        var question = self
        question.reject = reject?.resolved(labelled)
        question.keep = keep?.resolved(labelled)
        return question
    }

    /// The attributes that the question looks at.
    var keys: [String] {
        let filterKey: [String] = if case .narrowestFilter(let key) = mode { [key] } else { [] }
        return [reject, keep].compactMap(\.self).flatMap(\.keys) + filterKey + (labels?.keys ?? [])
    }

    /// Flags that neither the account nor a record has, and attributes that no record has: other captures may have these.
    func unknownNames(among records: [KeptRecord], _ account: Account) -> [Diagnostic] {
        let flags = records.reduce(into: Set(account.catalogue.declaredNames)) { $0.formUnion($1.flags) }
        let keys = records.reduce(into: Set(InformationKeys.all)) { $0.formUnion($1.attributes.lazy.map(\.key)) }
        func unknown(
            _ names: [String], but known: Set<String>, _ severity: Diagnostic.Severity, in option: String,
            _ problem: String
        ) -> [Diagnostic] {
            Set(names).subtracting(known).sorted().map { name in
                Diagnostic(
                    severity: severity, file: option, message: "\(problem) \(name.quoted)",
                    hint: Suggestion.hint(for: name, among: known.sorted()))
            }
        }
        return [("--reject", reject), ("--keep", keep)].flatMap { option, expression in
            guard let expression else { return [] as [Diagnostic] }
            return unknown(
                expression.flags, but: flags, .error, in: option, "neither the account nor a record has the flag")
                + unknown(expression.keys, but: keys, .warning, in: option, "no record has a value for")
        }
    }
}

/// The condition that labelled devices set to the edits of a search.
package struct LabelGoal: Sendable {
    /// Returns true if the verdicts on labelled devices are good enough.
    let isMet: @Sendable (LabelOutcome) -> Bool
    /// The labels of which there must be a device: of none, everything is true.
    let needed: [DeviceLabel]

    package init(needed: [DeviceLabel], isMet: @escaping @Sendable (LabelOutcome) -> Bool) {
        (self.needed, self.isMet) = (needed, isMet)
    }
}

/// The verdicts of an account on labelled devices: a device is rejected if one of its attestations fails at least.
package struct LabelOutcome: Hashable, Sendable {
    /// The bad devices, and those that are rejected.
    package var bad = 0
    package var caught = 0
    /// The good devices, and those that are rejected.
    package var good = 0
    package var blocked = 0

    package init() {}

    /// Counts devices of one label.
    mutating func count(_ devices: Int, _ label: DeviceLabel, isRejected: Bool) {
        switch label {
        case .bad:
            bad += devices
            if isRejected { caught += devices }
        case .good:
            good += devices
            if isRejected { blocked += devices }
        case .unknown: break
        }
    }

    /// The verdicts that records have.
    init(_ records: [KeptRecord], _ labelled: LabelledDevices) {
        let devices = Set(records.map(\.device))
        let rejected = Set(records.lazy.filter { !$0.passed }.map(\.device))
        for device in devices { count(1, labelled[device], isRejected: rejected.contains(device)) }
    }
}
