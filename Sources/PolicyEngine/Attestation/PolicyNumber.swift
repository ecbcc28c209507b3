/// A policy of an account by its place in a ``CompiledAccount``: the account's own, the filtered one, then those of
/// device entries.
public struct PolicyNumber: Hashable, Sendable {
    let number: UInt8

    /// The account's own policy.
    static let account = PolicyNumber(number: 0)

    /// The number as an array index.
    package var offset: Int { Int(number) }

    init(number: UInt8) {
        self.number = number
    }
}
