internal import Documents
package import Figures
package import PolicyEngine
package import Replay

/// The conditions that edits of an account have to meet, and the edits that are tried.
package struct SearchQuestion: Sendable {
    /// The records that must fail, and those that must pass; `nil` asks for nothing.
    private(set) var reject, keep: RecordExpression?
    /// The records that are to be let in as narrowly as possible; `nil` asks for nothing.
    package var exempt: RecordExpression?
    let mode: Mode
    /// The limits of the edits; `nil` for none.
    let limit: SearchLimit?
    /// The labels that expressions and limits look at; `nil` for none.
    let labels: Labels?
    /// The labels on which limits rest, and of which there must be a device.
    let needed: [DeviceLabel]

    /// The start of the part of the captures on which answers are reported, but not looked for; `nil` for none.
    package var holdOut: Instant?
    /// The level of intervals; `nil` for none.
    package var confidence: ConfidenceLevel?

    /// The edits that are tried, and the best of them.
    package enum Mode: Hashable, Sendable {
        /// Every kind of edit; the fewest are best.
        case fewestEdits(atMost: Int = Mode.usualEdits)
        /// Edits of the policy; those are best that reject the fewest devices in all.
        case loosestPolicy(atMost: Int = Mode.usualEdits)
        /// One new filter on an attribute; that is best which rejects the fewest devices in all.
        case narrowestFilter(key: String)
        /// The edits that let in devices, and the fewest others.
        case narrowestExemption

        /// The maximum number of edits, unless another one is asked for.
        package static let usualEdits = 2

        /// The maximum number of edits.
        package var maximumEdits: Int {
            switch self {
            case .fewestEdits(let most), .loosestPolicy(let most): most
            case .narrowestFilter: 1
            // With its inputs and the filtered policy, or the entries of ten devices.
            case .narrowestExemption: 10
            }
        }

        /// True if the answer is best that rejects least in all, rather than that with the fewest edits.
        var isLoosest: Bool { if case .fewestEdits = self { false } else { true } }
    }

    /// - Parameters:
    ///   - reject: The records that must fail; `nil` for none.
    ///   - keep: The records that must pass; `nil` for none.
    ///   - mode: The edits that are tried, and the best of them.
    ///   - limit: The limits of the edits; `nil` for none.
    ///   - labels: The labels that expressions and limits look at; `nil` for none.
    ///   - needed: The labels on which limits rest, and of which there must be a device.
    package init(
        reject: RecordExpression?, keep: RecordExpression?, mode: Mode, limit: SearchLimit? = nil,
        labels: Labels? = nil, needed: [DeviceLabel] = []
    ) {
        (self.reject, self.keep, self.mode, self.limit) = (reject, keep, mode, limit)
        (self.labels, self.needed) = (labels, needed)
    }

    /// The same with the devices in place of labels.
    func resolved(_ labelled: LabelledDevices?) -> SearchQuestion {
        guard let labelled else { return self }
        var question = self
        question.reject = reject?.resolved(labelled)
        question.keep = keep?.resolved(labelled)
        question.exempt = exempt?.resolved(labelled)
        return question
    }

    /// The attributes that the question looks at.
    var keys: [String] {
        let filterKey: [String] =
            switch mode {
            case .narrowestFilter(let key): [key]
            case .narrowestExemption: InformationKeys.given
            case .fewestEdits, .loosestPolicy: []
            }
        return [reject, keep, exempt].compactMap(\.self).flatMap(\.keys) + filterKey + (labels?.keys ?? [])
    }

    /// Flags that neither the account nor a record has, and attributes that no record has: other captures may have these.
    func unknownNames(among records: [KeptRecord], _ account: Account) -> [Diagnostic] {
        let flags = records.reduce(into: Set(account.catalogue.declaredNames)) { $0.formUnion($1.flags) }
        let keys = records.reduce(into: Set(InformationKeys.all)) { $0.formUnion($1.attributes.lazy.map(\.key)) }
        let (rejected, exempted) = (exempt == nil ? "--reject" : "--but-reject", "--exempt")
        return [(rejected, reject), ("--keep", keep), (exempted, exempt)].flatMap { option, expression in
            expression?.unknownNames(in: option, flags: flags, keys: keys) ?? []
        }
    }
}

/// The limits that the edits of a search have to keep.
package struct SearchLimit: Sendable {
    /// Returns true if the figures of a part of the captures are within all of them.
    let allows: @Sendable (SearchFigures) -> Bool
    /// Returns the p-value of the hypothesis that the figures of all devices are outside of one of them; `nil` where the
    /// captures are not taken for a sample.
    package var pValue: (@Sendable (SearchFigures) -> Double)?

    package init(_ allows: @escaping @Sendable (SearchFigures) -> Bool) { self.allows = allows }
}

/// The figures of edits on a part of the captures, which limits hold against.
package struct SearchFigures: Hashable, Sendable {
    /// All devices.
    package var devices = 0
    /// Those that newly fail though nobody asked for it.
    package var besides = 0
    /// Those that are not evaluated, so that they may newly fail though nobody asked for it.
    package var unevaluated = 0
    /// The verdicts on labelled devices.
    package var labels = LabelOutcome()
}

/// The verdicts of an account on labelled devices: a device is rejected if one of its attestations fails at least.
///
/// A device that is not evaluated counts as missed, or as blocked.
package struct LabelOutcome: Hashable, Sendable {
    /// The bad devices, and those that are rejected.
    package var bad = 0
    package var caught = 0
    /// The good devices, and those that are or may be rejected.
    package var good = 0
    package var blocked = 0
    /// The devices with a label that are not evaluated.
    package var unevaluated = 0

    package init() {}

    /// Counts devices of one label.
    ///
    /// - Parameter isRejected: `nil` where it is not known.
    mutating func count(_ devices: Int, _ label: DeviceLabel, isRejected: Bool?) {
        switch label {
        case .bad:
            bad += devices
            if isRejected == true { caught += devices }
        case .good:
            good += devices
            if isRejected != false { blocked += devices }
        case .unknown: return
        }
        if isRejected == nil { unevaluated += devices }
    }

    /// The verdicts that records have.
    ///
    /// - Parameters:
    ///   - records: The records in the order of time; what is not known of one may affect later ones of its device.
    ///   - first: The index of the first one that counts.
    init(_ records: [KeptRecord], from first: Int = 0, _ labelled: LabelledDevices) {
        let counted = records[min(first, records.count)...]
        let unevaluated = records.unevaluatedDevices
        let rejected = Set(counted.lazy.filter { !$0.passed }.map(\.device))
        for device in Set(counted.map(\.device)) {
            count(
                1, labelled[device],
                isRejected: unevaluated.contains(device) ? nil : rejected.contains(device))
        }
    }
}
