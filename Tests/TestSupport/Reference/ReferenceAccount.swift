/// An account in words.
struct ReferenceAccount: Hashable, Sendable {
    var name: String
    var flags: [ReferenceFlag] = []
    var policy = ReferencePolicy()
    /// Thousandths of a percent: 100 000 is everything.
    var sampledThousandths = 0
    var propagation = 0
    var grace = 10
    var filters: [ReferenceFilter] = []
    var devices: [ReferenceDevice] = []

    /// The rule sets beside `default`.
    static let declaredRules = ["alt-rules", "third-rules"]
}
