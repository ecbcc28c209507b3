/// A device with settings of its own (R6.1).
struct ReferenceDevice: Hashable, Sendable {
    let device: String
    var policy: ReferencePolicy?
    /// `ban`, `unban`, or nothing.
    var banMode: String?
}
