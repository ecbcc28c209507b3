internal import Accounts
internal import Documents
internal import PolicyEngine

/// A regular expression for one value or the start of some, of a filter that rejects or bans, which is found in values that go
/// on with another digit, too.
enum OpenEndedPattern: LintCheck {
    static let information = LintInformation(
        code: "open-ended-pattern",
        why: "a search is found in longer values, too, so devices are rejected that were not meant",
        mend: "end the pattern with the value, by `$`, or with what has to follow, such as `[.]`",
        trips: "filters: [{name: lab, key: ip, regex: '^192[.]0[.]2[.]1', reject: true}]\n",
        passes: "filters: [{name: lab, key: ip, regex: '^192[.]0[.]2[.]1$', reject: true}]\n")

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        let filters = linted.account.filters
        let inputs = Set(filters.filter(stopsDevices).flatMap { $0.inputs ?? [] })
        return filters.compactMap { filter in
            guard stopsDevices(filter) || inputs.contains(filter.name), case .regex(let key, let pattern) = filter.test,
                let longer = longerValue(of: key, foundBy: pattern.source)
            else { return nil }
            return LintFinding(
                message: "filter \(filter.name.quoted) searches \(pattern.source.quoted), which is found in "
                    + "\(longer.quoted), too", position: linted.position(ofFilter: filter.name))
        }
    }

    private static func stopsDevices(_ filter: Filter) -> Bool { !filter.options.isDisjoint(with: [.reject, .ban]) }

    // Of values that continue by a digit; the others, such as signatures, have one length.
    private static func longerValue(of key: String, foundBy source: String) -> String? {
        guard ["ip", "app-version", "sdk-version", "device"].contains(key), let text = plainText(source),
            let last = text.utf8.last, last.isDigit
        else { return nil }
        guard key == "ip" else { return text + "0" }
        // No number of an address is above 255, and none has a zero before other digits.
        let number = text.split(separator: ".").last.flatMap { Int($0) } ?? 0
        return 1...25 ~= number ? text + "0" : nil
    }

    // The text that a pattern without choices searches for, dots in whatever form.
    private static func plainText(_ source: String) -> String? {
        let text = source.replacing("\\.", with: ".").replacing("[.]", with: ".").drop { $0 == "^" }
        return text.contains(where: "\\[](){}*+?|^$".contains) ? nil : String(text)
    }
}
