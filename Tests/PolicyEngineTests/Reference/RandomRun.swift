@testable import PolicyEngine
@testable import TestSupport

/// A random account and a random stream of attestations, judged by the engine and by the reference side by side.
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
        let expected: Outcome
        let actual: Outcome
    }

    init(seed: UInt64) throws {
        chance = SplitMix64(seed: ~seed)
        accounts = AccountGenerator(seed: chance.next())
        account = accounts.account()
        observations = ObservationGenerator(seed: chance.next(), declared: account.flags.map(\.name))
        service = Service(try Account(account), keptValues: chance.pick([.max, 2, 0]))
        reference = ReferenceEvaluator(account)
    }

    /// Lets something happen to the account now and then, and one attestation.
    mutating func step() throws -> Step {
        if chance.happens(4) { try changeAccount() }
        if chance.happens(2) {
            service.clearDeviceState()
            reference.clearDeviceState()
        }
        let observation = observations.next()
        return Step(
            observation: observation,
            expected: reference.attest(observation),
            actual: try service.attest(observation)
        )
    }

    private mutating func changeAccount() throws {
        account = accounts.change(of: account)
        service.change(to: try Account(account), at: observations.now)
        reference.change(to: account, at: observations.now)
    }
}
