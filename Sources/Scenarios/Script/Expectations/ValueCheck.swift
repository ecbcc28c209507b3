internal import Documents
internal import PolicyEngine

/// Of each call: the secure string.
struct ValueCheck: FetchCheckKind, EachFetchCheck {
    static let forms = [(key: "value", schema: JSONSchema.text)]
    let text: String
    var reach: Set<AccountPart> { [.secureStrings] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.text(entry.value, "`value`").map(ValueCheck.init)
    }

    func mismatch(_ fetch: ExaminedFetch, in _: SimulatedService) -> ActualValue? {
        let value = fetch.end.value
        return value.hasSameBytes(as: text) ? nil : ActualValue(text: value ?? "none, \(fetch.result)")
    }
}
