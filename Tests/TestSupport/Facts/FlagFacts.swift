/// The catalogue of flags (R2.1), as `docs/RULES.md` has it.
enum FlagFacts {
    /// The rows of the copy, in catalogue order.
    static let all = FlagFact.rows(of: RulesDocument.section("Flags")).rows(37)
    /// The number of flags that an account can declare beside them (R2.2).
    static let room = 128 - all.count
    /// The names, in catalogue order.
    static let names = all.map(\.name)
    /// The flags that make a device risky.
    static let risks = Set(all.filter(\.isRisk).map(\.name))
}
