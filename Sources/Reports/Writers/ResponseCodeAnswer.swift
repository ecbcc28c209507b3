internal import Documents
package import PolicyEngine

/// What the service answers to somebody who asks for the meaning of a response code (R12.3), in its own form.
package enum ResponseCodeAnswer {
    /// The answer as JSON, indented by two spaces, newline included.
    ///
    /// - Parameters:
    ///   - meaning: What the code means; `nil` for one that is invalid.
    ///   - catalogue: The flags of the account.
    /// - Returns: An object with `status`, which is `passed`, `failed` or `arc invalid`, and `deviceProperties`, the
    ///   names of the flags in catalogue order.
    package static func text(of meaning: ResponseMeaning?, catalogue: FlagCatalogue) -> String {
        let names = catalogue.names(of: meaning?.flags ?? .empty)
        let answer = JSONValue.ordered([
            ("status", .string(status(of: meaning))), ("deviceProperties", .array(names.map { .string($0) })),
        ])
        return answer.indented()
    }

    private static func status(of meaning: ResponseMeaning?) -> String {
        guard let meaning else { return "arc invalid" }
        return meaning.passed ? "passed" : "failed"
    }
}
