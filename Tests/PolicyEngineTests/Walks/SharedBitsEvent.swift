/// What happens to one of two apps on an iPhone, or to the account that judges it.
struct SharedBitsEvent: Hashable, Sendable, CustomStringConvertible {
    /// 0 or 1.
    let app: Int
    let event: IPhoneEvent

    var description: String { "\(event) of \(app)" }
}
