internal import Documents
internal import PolicyEngine

/// Of each fetch or call: the client's status, or the result of a proof.
struct ResultCheck: FetchCheckKind, EachFetchCheck {
    // A word is of each, a map says how many ended in each way.
    static var forms: [(key: String, schema: JSONSchema)] {
        ["result", "proof"].map { key in
            let words = StepKinds.expecting.filter { $0.checks.contains(key) }.flatMap { $0.results }.unique
            return (key, .any(of: [.words(words), .map(of: .reference(to: "count"), keys: .words(words), atLeast: 1)]))
        }
    }
    let text: String
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        let (what, words) = (entry.key.quoted, type(of: loader.step).results)
        let counts = NamedRanges.load(entry.value, what, &loader.reader) { $1.choice($0, what, from: words) }
        if let counts { return ResultCountCheck(wanted: counts) }
        return loader.reader.choice(entry.value, what, from: words).map(ResultCheck.init)
    }

    func mismatch(_ fetch: ExaminedFetch, in _: SimulatedService) -> ActualValue? {
        guard let result = fetch.end.result else { return ActualValue(text: ExaminedFetch.noFetch) }
        return result == text ? nil : .word(result)
    }
}

/// Of all fetches or calls: how many ended in each way.
struct ResultCountCheck: FetchCheck {
    let wanted: NamedRanges
    var reach: Set<AccountPart> { [] }

    // Results are what happens, and are not rewritten. They say something without a token, too.
    func result(_: CheckFindings, _ figures: ExaminedFigures, accounts _: [Int]) -> CheckResult {
        var result = wanted.result(figures.results)
        result.correction = nil
        return result
    }
}
