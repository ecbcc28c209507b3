package import Accounts
package import Documents
internal import Figures
internal import PolicyEngine
package import Replay

/// Looks for the parts of an account that decide nothing in captures.
///
/// Removing one part can make another one matter: of two filters that reject the same devices, one has to stay. So parts are removed
/// together, as many as leave every verdict and every lifetime as it was (``CaptureWhatIf``), and a comparison with the account as
/// it is confirms the result, annotations included.
package struct IdlePartSearch {
    private let request: ReplayRequest
    private let review: FilterReview
    private let progress: Progress

    /// - Parameters:
    ///   - request: The captures, which are read more than once, how they are read, and the account.
    ///   - review: The positions of the account's filters.
    ///   - progress: Shows from time to time how far a replay is.
    package init(_ request: ReplayRequest, _ review: FilterReview, progress: Progress = Progress()) {
        var request = request
        request.askOnlyForFigures()
        (self.request, self.review, self.progress) = (request, review, progress)
    }

    /// Reads the captures some times, and once more for each part that another one needs.
    ///
    /// - Returns: The effects of the parts, unless there are errors among the diagnostics.
    package func run() -> (found: IdleParts?, diagnostics: Diagnostics) {
        let parts = RemovablePart.all(of: request.account)
        let preset = presetFlags(besides: parts)
        let uses = PartUses(of: parts + preset.map { .flag($0) }, request, progress: progress)
        var diagnostics = uses.diagnostics
        guard !diagnostics.hasErrors else { return (nil, diagnostics) }
        diagnostics.add(review.warnings(on: request.account.filters, attributes: uses.attributes))
        let known = Dictionary(uniqueKeysWithValues: zip(parts, uses.parts))
        var trial = RemovalTrial(request, uses: known, areNewDevicesKnown: uses.areNewDevicesKnown, progress)
        let removed = uses.attestations > 0 ? trial.removed() : []
        let unmatched = zip(preset, uses.parts.dropFirst(parts.count)).filter { $1.attestations == 0 }.map(\.0)
        let found = IdleParts(
            parts: examined(parts, known, removed, trial), removed: removed,
            wide: uses.attestations > 0 ? WideFilter.all(in: request, progress) : [],
            preset: (request.account.policy.rejection.base.rawValue, preset.count, unmatched),
            attestations: uses.attestations, devices: uses.devices, span: uses.span, unevaluated: trial.unevaluated)
        return (found, diagnostics)
    }

    // The flags that the policy rejects because its preset does.
    private func presetFlags(besides parts: [RemovablePart]) -> [String] {
        let account = request.account
        return account.catalogue.declaredFlags.filter { name, flag in
            account.policy.rejection.status(of: flag) != .accepts && !account.policy.rejection.rejectsEverything
                && !parts.contains(.flag(name))
        }.map(\.name)
    }

    private func examined(
        _ parts: [RemovablePart], _ uses: [RemovablePart: PartUse], _ removed: [RemovablePart], _ trial: RemovalTrial
    ) -> [IdleParts.Part] {
        var muted = request
        muted.account = request.account.muting(removed)
        let isAnyMatched = removed.contains { uses[$0]?.attestations ?? 0 > 0 }
        let without = isAnyMatched ? PartUses(of: removed, muted, progress: progress).parts : []
        let rest = Dictionary(uniqueKeysWithValues: zip(removed, without))
        return parts.map { part in
            let use = uses[part] ?? PartUse()
            guard removed.contains(part) else {
                let effect: IdleParts.Effect =
                    trial.isWatching(part, removed) ? .watching : trial.isUnknown(part) ? .unknown : .used
                return .init(part: part, effect: effect, use: use, caughtBy: [])
            }
            guard use.attestations > 0, let after = rest[part] else {
                return .init(part: part, effect: .unmatched, use: use, caughtBy: [])
            }
            let isCaught = after.attestations > 0 && after.failing == after.attestations
            let names = after.rejections.map { (name: $0.key, devices: $0.value) }.sorted {
                $0.devices == $1.devices ? ExactText($0.name) < ExactText($1.name) : $0.devices > $1.devices
            }
            return .init(part: part, effect: isCaught ? .shadowed : .idle, use: use, caughtBy: isCaught ? names : [])
        }
    }
}

/// Tries to remove parts of an account together.
private struct RemovalTrial {
    private let request: ReplayRequest
    private let uses: [RemovablePart: PartUse]
    private let progress: Progress
    private let areNewDevicesKnown: Bool
    // The parts whose removal alone may do something, as far as it is known.
    private var unknown: Set<RemovablePart> = []
    /// Devices on which not all is known.
    private(set) var unevaluated = 0

    private enum Outcome {
        case same, other
        /// Something that is not known may be other.
        case unknown
    }

    init(
        _ request: ReplayRequest, uses: [RemovablePart: PartUse], areNewDevicesKnown: Bool, _ progress: Progress
    ) {
        (self.request, self.uses, self.progress) = (request, uses, progress)
        self.areNewDevicesKnown = areNewDevicesKnown
    }

    private var account: Account { request.account }

    func isUnknown(_ part: RemovablePart) -> Bool { unknown.contains(part) || isInDoubt(part) }

    // Lifetimes and annotations leave out everything that depends on new devices, where nobody knows which were new.
    private func isInDoubt(_ part: RemovablePart) -> Bool {
        guard case .filter(let name) = part, !areNewDevicesKnown, uses[part]?.attestations ?? 0 > 0 else {
            return false
        }
        let inputs = account.filters.first { $0.name == name }?.inputs ?? []
        let isForNew = (inputs + [name]).contains { options(of: $0).contains(.newDevicesOnly) }
        return isForNew && !options(of: name).subtracting([.newDevicesOnly, .reject]).isEmpty
    }

    /// The parts that can be removed together: none of the others can be removed besides.
    mutating func removed() -> [RemovablePart] {
        var removed: [RemovablePart] = []
        while true {
            let candidates = candidates(besides: removed)
            let outcomes = outcomes(ofRemoving: candidates.map { removed + [$0] })
            unknown = Set(zip(candidates, outcomes).filter { $1 == .unknown }.map(\.0))
            let more = together(zip(candidates, outcomes).filter { $1 == .same }.map(\.0), after: removed)
            guard !more.isEmpty else { return confirmed(removed) }
            removed += more
        }
    }

    // Of parts that do the same, the first of these goes: one that matched nothing, a filter, one that matched few devices, the
    // later one. An input goes after its conjunctions, which would never match without it.
    private func candidates(besides removed: [RemovablePart]) -> [RemovablePart] {
        let all = RemovablePart.all(of: account).enumerated().filter {
            !removed.contains($1) && isRemovable($1, removed)
        }
        return all.sorted { rank($0).lexicographicallyPrecedes(rank($1)) }.map(\.element)
    }

    private func rank(_ part: (offset: Int, element: RemovablePart)) -> [Int] {
        let use = uses[part.element] ?? PartUse()
        let kind =
            switch part.element {
            case .filter: 0
            case .entry: 1
            case .flag: 2
            }
        return [use.attestations == 0 ? 0 : 1, kind, use.devices, -part.offset]
    }

    // An effect that no decision shows keeps a part that matched something.
    private func isRemovable(_ part: RemovablePart, _ removed: [RemovablePart]) -> Bool {
        let isMatched = uses[part]?.attestations ?? 0 > 0
        switch part {
        case .filter(let name):
            guard !isNeeded(name, removed) else { return false }
            let captures = options(of: name).contains(.captureDeviceInformation)
            return !isMatched || !captures && !isWatching(part, removed) && !isInDoubt(part)
        case .entry(let id):
            guard let entry = account.devices.first(where: { $0.id == id }), isMatched else { return true }
            return entry.pinMode == nil && entry.banMode == nil && entry.probeURL == nil
        case .flag: return true
        }
    }

    /// True for a filter that matched something and has no action, by itself or through a conjunction.
    func isWatching(_ part: RemovablePart, _ removed: [RemovablePart]) -> Bool {
        guard case .filter(let name) = part, uses[part]?.attestations ?? 0 > 0 else { return false }
        return options(of: name).subtracting(.newDevicesOnly).isEmpty && !isNeeded(name, removed)
    }

    private func options(of name: String) -> Filter.Options {
        account.filters.first { $0.name == name }?.options ?? []
    }

    // By a conjunction that stays.
    private func isNeeded(_ name: String, _ removed: [RemovablePart]) -> Bool {
        account.filters.contains { $0.inputs?.contains(name) == true && !removed.contains(.filter($0.name)) }
    }

    // As many of some parts as can go together, each of which can go alone. All parts up to one are tried at once.
    private mutating func together(_ parts: [RemovablePart], after removed: [RemovablePart]) -> [RemovablePart] {
        var (taken, rest) = ([RemovablePart](), parts[...])
        while !rest.isEmpty {
            let outcomes = outcomes(ofRemoving: rest.indices.map { removed + taken + rest[...$0] })
            let count = (outcomes.lastIndex(of: .same) ?? -1) + 1
            taken += rest.prefix(count)
            // The next one does something without these.
            rest = rest.dropFirst(count + 1)
        }
        return taken
    }

    // The fate of verdicts and lifetimes without some parts, for several choices of these.
    private mutating func outcomes(ofRemoving choices: [[RemovablePart]]) -> [Outcome] {
        guard !choices.isEmpty else { return [] }
        // The account itself shows how much is not known anyway.
        let accounts = [account] + choices.map { account.without($0) }
        let edits = CaptureWhatIf(request, edits: accounts, progress: progress).run().edits
        guard let own = edits.first else { return choices.map { _ in .unknown } }
        unevaluated = own.unevaluatedDevices
        return edits.dropFirst().map { edit in
            if edit.rejected.attestations + edit.accepted.attestations > 0 || edit.changesLifetimes { return .other }
            return edit.unevaluatedDevices > own.unevaluatedDevices ? .unknown : .same
        }
    }

    // A comparison sees all that a token says. If it finds a difference, parts are removed one by one: those that were found first, then
    // the others, since some of those that stay after all may do what these do.
    private mutating func confirmed(_ removed: [RemovablePart]) -> [RemovablePart] {
        guard !removed.isEmpty, !isSame(without: removed) else { return removed }
        var kept: [RemovablePart] = []
        for part in removed + candidates(besides: removed) where isRemovable(part, kept) {
            let all = kept + [part]
            if outcomes(ofRemoving: [all]) == [.same], isSame(without: all) { kept = all }
        }
        return kept
    }

    private func isSame(without parts: [RemovablePart]) -> Bool {
        let asked = ComparisonRequest(replay: request, after: account.without(parts))
        guard let changes = CaptureComparison(asked, progress: progress).run().comparison?.changes else { return false }
        return changes.rejected.attestations == 0 && changes.accepted.attestations == 0
            && changes.annotations.attestations == 0
            && changes.lifetimes.allSatisfy { $0.before == $0.after || $0.attestations == 0 }
    }
}
