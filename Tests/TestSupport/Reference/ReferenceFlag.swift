/// A flag that an account declares (R2.2).
struct ReferenceFlag: Hashable, Sendable {
    let name: String
    let isRisk: Bool
}
