internal import PolicyEngine

/// The steps of R10 under one account, as statements: for one device, record by record.
struct AccountRules {
    private let account: Account
    private let space: DeviceSpace
    private let side: Int
    // By flag of the space: the account's number of it; `nil` for one that it does not know.
    private let numbers: [Flag?]
    private let removal: RemovedRegistrations
    // The formula of a ban that was persisted before the current record (R6.3).
    private var isBanned = Formula.no

    /// - Parameters:
    ///   - space: The space of devices.
    ///   - side: The account, by its index.
    init(_ space: DeviceSpace, side: Int) {
        (self.space, self.side) = (space, side)
        account = space.accounts[side]
        let numbers = space.flags.map(account.catalogue.namedFlag)
        self.numbers = numbers
        removal = RemovedRegistrations(account)
    }

    /// Evaluates the next record.
    ///
    /// - Parameters:
    ///   - number: The record.
    ///   - model: The model that holds it.
    ///   - isLast: True if its verdict is needed.
    /// - Returns: The formula that the record passes, if its verdict is needed.
    mutating func evaluate(
        _ number: Int, of model: RuleModel, isLast: Bool, _ constraints: inout Constraints, _ budget: ProofBudget
    ) throws(Undecided) -> Formula {
        let record = model.records[number]
        var flags = Flags(observed: record.flags, numbers: numbers)
        if record.isFirst { flags[.newDevice] = .yes }
        flags[.appNotRegistered] = constraints.name(flags[.appNotRegistered] || removal.holds(record, space))
        // Steps 3 and 5.
        let isUnbanned = constraints.name(flags[.deviceUnban] || model.isDevice(among: entries(mode: .unban)))
        let isPending = model.isDevice(among: entries(mode: .ban)) && !isUnbanned
        let bannedBefore = flags[.deviceBan]
        flags[.deviceUnban] = isUnbanned
        flags[.deviceBan] = constraints.name(!isUnbanned && (bannedBefore || isBanned || isPending))
        for flag in Engine.unseenByFailover { flags[flag] = flags[flag] && !record.isInOutage }
        // Step 6.
        let isRisky = Formula.disjunction(account.catalogue.riskFlags.map { flags[$0] })
        // Steps 7 and 8.
        let matches = try matches(number, flags, model, &constraints, budget)
        let bans = constraints.name(matches.any(.ban) && !isUnbanned)
        flags[.deviceBan] = constraints.name(flags[.deviceBan] || bans)
        flags[.riskyDevice] = constraints.name(isRisky || matches.any(.risky))
        isBanned = constraints.name(isBanned || isPending || bans)
        return isLast ? constraints.name(verdict(flags, matches, record, model)) : .no
    }

    private func entries(mode: BanMode) -> [DeviceID] {
        account.devices.filter { $0.banMode == mode }.map(\.id)
    }

    // MARK: Flags

    /// The flags that are set, by the account's numbers.
    private struct Flags {
        private var byNumber: [Flag: Formula] = [:]
        /// By flag of the space: those that the account does not know.
        private let others: [Formula]
        private let numbers: [Flag?]

        init(observed: [Formula], numbers: [Flag?]) {
            others = observed
            self.numbers = numbers
            for (formula, number) in zip(observed, numbers) {
                if let number { byNumber[number] = formula }
            }
        }

        subscript(flag: Flag) -> Formula {
            get { byNumber[flag] ?? .no }
            set { byNumber[flag] = newValue }
        }

        /// The formula that a flag of the space is set.
        func isSet(_ index: Int) -> Formula { numbers[index].map { self[$0] } ?? others[index] }
    }

    // MARK: Filters

    private struct Matches {
        var acting: [(options: Filter.Options, holds: Formula)] = []
        var inputs: [Int: Formula] = [:]

        /// The formula that a filter with an option matches.
        func any(_ option: Filter.Options) -> Formula {
            .disjunction(acting.filter { $0.options.contains(option) }.map(\.holds))
        }

        mutating func add(_ use: FilterUses.Use, _ holds: Formula) {
            acting.append((use.options, holds))
            if let index = use.index { inputs[index] = holds }
        }
    }

    private func matches(
        _ number: Int, _ flags: Flags, _ model: RuleModel, _ constraints: inout Constraints, _ budget: ProofBudget
    ) throws(Undecided) -> Matches {
        let record = model.records[number]
        let uses = space.filters[side]
        var matches = Matches()
        // The failover has no filters (R14.3).
        let restricted = { (options: Filter.Options, holds: Formula) in
            (options.contains(.newDevicesOnly) ? holds && flags[.newDevice] : holds) && !record.isInOutage
        }
        for filter in uses.ordinary {
            let (key, index) = filter.position
            let holds = space.attribute(named: key).map { record.classes[$0][index] } ?? model.identityClasses[index]
            matches.add(filter.use, restricted(filter.use.options, holds))
        }
        for filter in uses.ofFlags {
            var ways: [Formula] = []
            for test in filter.tests {
                guard let list = space.listTest(test, side: side) else { continue }
                ways.append(
                    try list.passes(
                        flags.isSet, record: number, side: side, isLoose: model.isLoose, &constraints, budget))
            }
            matches.add(filter.use, restricted(filter.use.options, .disjunction(ways)))
        }
        for (inputs, options) in uses.conjunctions {
            let holds = Formula.conjunction(inputs.map { matches.inputs[$0] ?? .no })
            matches.acting.append((options, constraints.name(restricted(options, holds))))
        }
        return matches
    }

    // MARK: Verdict

    // Steps 9 and 10.
    private func verdict(
        _ flags: Flags, _ matches: Matches, _ record: RuleModel.Record, _ model: RuleModel
    ) -> Formula {
        let rejects = matches.any(.reject)
        var (own, alternatives): ([DeviceID], [Formula]) = ([], [])
        for entry in account.devices where !entry.id.isFilteredPolicy {
            guard let policy = entry.policy else { continue }
            own.append(entry.id)
            alternatives.append(model.isDevice(among: [entry.id]) && passes(policy, flags, rejects))
        }
        var general = passes(account.policy, flags, rejects)
        if let filtered = account.effectiveFilteredPolicy {
            let isFiltered =
                matches.any(.executeFilteredPolicy) || (model.isSampled[side] && !record.isInOutage)
            general = (isFiltered && passes(filtered, flags, rejects)) || (!isFiltered && general)
        }
        return .disjunction(alternatives + [!model.isDevice(among: own) && general])
    }

    private func passes(_ policy: SecurityPolicy, _ flags: Flags, _ rejects: Formula) -> Formula {
        let rejection = policy.rejection
        if rejection.rejectsEverything { return .no }
        let isXposed = flags[.xposed]
        let causes =
            rejection.rejecting.map { flags[$0] }
            + rejection.rejectingUnlessXposed.map { flags[$0] && !isXposed }
        return !.disjunction(causes + (rejection.ignoresFilters ? [] : [rejects]))
    }
}

/// The removed registrations of an account: a record of such an app counts as of an app without one (R15.2).
struct RemovedRegistrations {
    private let removed: [Registration]
    private let left: [Registration]

    init(_ account: Account) {
        removed = account.removedRegistrations
        left = account.registrations ?? []
    }

    /// The formula that a record is of such an app.
    func holds(_ record: RuleModel.Record, _ space: DeviceSpace) -> Formula {
        guard !removed.isEmpty else { return .no }
        let app = App(record: record, space: space)
        return .disjunction(removed.map(app.isMatched)) && !.disjunction(left.map(app.isMatched))
    }

    // The app that a record describes.
    private struct App {
        let record: RuleModel.Record
        let space: DeviceSpace

        // R15.1, for a capture: an app with `app-id-sig` is one of Android.
        func isMatched(by registration: Registration) -> Formula {
            let isAndroid = !isAbsent("app-id-sig")
            let isPackage: Formula
            let isBundle: Formula
            switch registration.kind {
            case .package: (isPackage, isBundle) = (.yes, .no)
            case .bundle: (isPackage, isBundle) = (.no, .yes)
            case .bundleOnAndroid: (isPackage, isBundle) = (!isAndroid, isAndroid)
            }
            let signed =
                (isPackage && has(registration.signature, "app-sig"))
                || (isBundle && has(registration.signature, "app-id-sig"))
            return .conjunction([
                signed, registration.package.map { has($0, "appid") } ?? .yes,
                registration.matchedVersions.map { .disjunction($0.map { has($0, "app-version") }) } ?? .yes,
                registration.libraryID.map { isAbsent("sdkid") || has($0, "sdkid") } ?? .yes,
                registration.expiry.map { !isLate($0) } ?? .yes,
            ])
        }

        private func has(_ value: String, _ key: String) -> Formula {
            guard let attribute = space.attribute(named: key),
                let number = space.classNumber(of: .exact(key: key, value: value))
            else { return .no }
            return record.classes[attribute][number]
        }

        private func isAbsent(_ key: String) -> Formula {
            space.attribute(named: key).map { record.values[$0][0] } ?? .yes
        }

        private func isLate(_ expiry: Instant) -> Formula {
            space.expiries.firstIndex(of: expiry).map { record.isLate[$0] } ?? .no
        }
    }
}
