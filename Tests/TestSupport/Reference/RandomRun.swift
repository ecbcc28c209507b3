internal import PolicyEngine

/// A random account and a random stream of attestations, evaluated by the engine and by the reference side by side.
struct RandomRun {
    private var chance: SplitMix64
    private var accounts: AccountGenerator
    private var observations: ObservationGenerator
    private var account: ReferenceAccount
    private(set) var service: Service
    private(set) var reference: ReferenceEvaluator

    /// An attestation and what both made of it.
    struct Step {
        let observation: Observation
        let expected: NamedDecision
        let actual: NamedDecision
    }

    init(seed: UInt64) throws {
        var chance = SplitMix64(seed: ~seed)
        let (accounts, observations) = (SplitMix64(seed: chance.next()), SplitMix64(seed: chance.next()))
        try self.init(chance, accounts: accounts, observations: observations)
    }

    /// Draws by bytes: a third of them says what happens when, a third the accounts, and a third the attestations.
    init(tape: [UInt8]) throws {
        let third = tape.count / 3
        try self.init(
            SplitMix64(tape: tape.prefix(third)), accounts: SplitMix64(tape: tape[third..<2 * third]),
            observations: SplitMix64(tape: tape[(2 * third)...]))
    }

    private init(_ chance: SplitMix64, accounts: SplitMix64, observations: SplitMix64) throws {
        self.chance = chance
        self.accounts = AccountGenerator(accounts)
        account = self.accounts.account()
        self.observations = ObservationGenerator(observations, declared: account.flags.map(\.name))
        service = Service(try Account(account), keptValues: self.chance.pick([.max, 2, 0]))
        reference = ReferenceEvaluator(account)
    }

    /// Lets something happen to the account now and then, and one attestation.
    mutating func step() throws -> Step {
        let observation = try advance()
        return Step(
            observation: observation,
            expected: reference.attest(observation),
            actual: try service.attest(observation)
        )
    }

    /// Lets the same happen.
    ///
    /// - Parameter rules: The rules that are read otherwise, one after the other.
    /// - Returns: The rules on which the decision rests according to the engine, and those by whose other reading the reference
    ///   decides otherwise.
    mutating func step(rereading rules: [DecidedRule]) throws -> (named: DecidedRules, needed: DecidedRules) {
        let (observation, before) = (try advance(), reference)
        let expected = reference.attest(observation)
        let needed = rules.filter { rule in
            var other = before
            other.otherReading = rule
            return other.attest(observation) != expected
        }
        return (service.decidedRules(of: try service.decide(observation)), DecidedRules(needed))
    }

    private mutating func advance() throws -> Observation {
        if chance.happens(4) { try changeAccount() }
        if chance.happens(2) {
            service.clearDeviceState()
            reference.clearDeviceState()
        }
        return observations.next()
    }

    private mutating func changeAccount() throws {
        account = accounts.change(of: account)
        service.change(to: try Account(account), at: observations.now)
        reference.change(to: account, at: observations.now)
    }
}
