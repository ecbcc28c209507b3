/// A filter in words (R7.1).
struct ReferenceFilter: Hashable, Sendable {
    let name: String
    let test: Test
    var options: Set<Option> = []

    enum Test: Hashable, Sendable {
        case exact(key: String, value: String)
        case regex(key: String, pattern: SimplePattern)
        case conjunction([String])
    }

    enum Option: Hashable, Sendable, CaseIterable {
        case newDevicesOnly, capture, reject, ban, risky, executesFilteredPolicy
    }
}
