/// An event of one of two apps on an iPhone, or of the account that evaluates it.
struct SharedBitsEvent: Hashable, Sendable, CustomStringConvertible {
    /// 0 or 1.
    let app: Int
    let event: IPhoneEvent

    var description: String { "\(event) of \(app)" }
}
