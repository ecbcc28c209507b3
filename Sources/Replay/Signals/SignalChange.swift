/// A change of the records of some devices: what the platform or the SDK is assumed to say of them.
package enum SignalChange: Hashable, Sendable {
    /// The flag was observed, too.
    case add(String)
    /// The flag was not observed.
    case remove(String)
    /// The attribute has another value; a record that lacks it gets it.
    case set(key: String, value: String)
}

extension SignalChange: CustomStringConvertible {
    /// `add rooted`, `remove frida` or `set app-cert to DE:AD`.
    package var description: String {
        switch self {
        case .add(let flag): "add \(flag)"
        case .remove(let flag): "remove \(flag)"
        case .set(let key, let value): "set \(key) to \(value)"
        }
    }
}
