/// A flag added to a rejection policy by hand, or removed from it (R4.4).
struct ReferenceEdit: Hashable, Sendable {
    let adds: Bool
    let flag: String
}
