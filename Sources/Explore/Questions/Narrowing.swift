package import HTTP
package import PolicyEngine

/// The part of the captures that a question is about.
package struct Narrowing: Hashable, Sendable {
    /// A value of a key that devices have to show.
    package struct Shown: Hashable, Sendable {
        package let key: String
        package let value: String
    }

    /// The first time; `nil` for none.
    package let from: Instant?
    /// The time behind the last; `nil` for none.
    package let to: Instant?
    /// The values that devices have to show, each at least once.
    package let shown: [Shown]

    /// The key of the names of the filters that match a device.
    package static let filters = "filters"

    /// The key of the label of a device.
    package static let label = "label"

    /// True if the part depends on the filters of an account.
    package var asksForFilters: Bool { shown.contains { $0.key == Self.filters } }

    /// True if the part depends on labels.
    package var asksForLabels: Bool { shown.contains { $0.key == Self.label } }

    /// The part in words: `attestations from 2020-07-23T08:00:00Z on, by devices that showed flags rooted`; `nil` for all of
    /// the captures.
    ///
    /// - Parameter hiding: Hides what a value of a key says of people.
    package func words(hiding: (_ value: String, _ key: String) -> String) -> String? {
        let times = [from.map { "from \($0) on" }, to.map { "before \($0)" }].compactMap(\.self)
        let values = shown.map { "\($0.key) \(hiding($0.value, $0.key))" }.joined(separator: " and ")
        let words = times + (shown.isEmpty ? [] : ["by devices that showed \(values)"])
        return isEmpty ? nil : "attestations " + words.joined(separator: ", ")
    }

    /// The values as expressions that select attestations, one for each.
    ///
    /// - Returns: `nil` where an expression cannot say one: the names of filters, a flag that decisions bring, a double quote.
    package var expressions: [String]? {
        let all = shown.map(\.expression)
        let known = all.compactMap(\.self)
        return known.count == all.count ? known : nil
    }

    /// The values as one expression that selects attestations. In place of the name of a filter it has what the filter tests.
    ///
    /// - Parameter account: The account with the filters.
    /// - Returns: `nil` where there are no values, or an expression cannot say one.
    package func expression(under account: Account) -> String? {
        let all = shown.map { $0.key == Self.filters ? account.expression(ofFilter: $0.value) : $0.expression }
        let known = all.compactMap(\.self)
        return known.count == all.count && !known.isEmpty ? known.joined(separator: " and ") : nil
    }

    /// All of the captures.
    package static let whole = Narrowing(from: nil, to: nil, shown: [])

    /// True if the question is about all of the captures.
    package var isEmpty: Bool { from == nil && to == nil && shown.isEmpty }
}

extension Narrowing.Shown {
    // The flags that a decision may have and its attestation not.
    private static let ofDecisions: Set = ["did-ban", "did-unban", "new-did", "risky-device", "app-not-registered"]

    fileprivate var expression: String? {
        switch key {
        case Narrowing.filters: nil
        case Narrowing.label: "label:\(value)"
        case "flags": Self.ofDecisions.contains(value) ? nil : "flag:\(value)"
        default: value.contains("\"") ? nil : "\(key)=\"\(value)\""
        }
    }
}

extension Account {
    fileprivate func expression(ofFilter name: String) -> String? {
        guard let filter = filters.first(where: { $0.name == name }), !filter.options.contains(.newDevicesOnly) else {
            return nil
        }
        switch filter.test {
        case .exact(let key, let value): return value.contains("\"") ? nil : "\(key)=\"\(value)\""
        case .regex(let key, let pattern): return pattern.source.contains("\"") ? nil : "\(key)~\"\(pattern.source)\""
        case .conjunction(let inputs):
            let tests = inputs.compactMap(expression)
            return tests.count == inputs.count ? tests.joined(separator: " and ") : nil
        }
    }
}

extension Question {
    /// The part of the captures that the question is about.
    ///
    /// - Throws: ``Refusal`` for an instant that is none, or an item without a key or a value.
    package func narrowing() throws(Refusal) -> Narrowing {
        Narrowing(from: try instant("from"), to: try instant("to"), shown: try shown)
    }

    private func instant(_ name: String) throws(Refusal) -> Instant? {
        guard let text = try text(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw .badField(name, "this is no instant", hint: "such as 2020-07-23T08:00:00Z")
        }
        return instant
    }

    private var shown: [Narrowing.Shown] {
        get throws(Refusal) {
            var shown: [Narrowing.Shown] = []
            for members in try objects("narrow") {
                guard let key = members["key"], let value = members["value"], members.count == 2 else {
                    throw .badField(
                        "narrow", "an item has a key and a value", hint: #"such as {"key":"flags","value":"rooted"}"#)
                }
                shown.append(Narrowing.Shown(key: key, value: value))
            }
            return shown
        }
    }
}
