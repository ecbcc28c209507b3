package import PolicyEngine

/// The service's answer to a question for the meaning of a response code (R12.3), in its own form.
package enum ResponseCodeAnswer {
    /// The answer as JSON, indented by two spaces, newline included.
    ///
    /// - Parameters:
    ///   - meaning: The meaning of the code; `nil` for one that is invalid.
    ///   - catalogue: The flags of the account.
    /// - Returns: An object with `status`, which is `passed`, `failed` or `arc invalid`, and `deviceProperties`, the
    ///   names of the flags in catalogue order.
    package static func text(of meaning: ResponseMeaning?, catalogue: FlagCatalogue) -> String {
        JSONValue.ordered([status(of: meaning), properties(of: meaning, catalogue)]).indented()
    }

    /// The service's answer about a token (R23.2): the meaning of its code, and its claims.
    ///
    /// - Parameters:
    ///   - meaning: The meaning of its code; `nil` if it has none, or one that is invalid.
    ///   - claims: Its claims; `nil` if nobody of the account can read them.
    ///   - catalogue: The flags of the account.
    package static func text(
        of meaning: ResponseMeaning?, claims: ReceivedClaims?, catalogue: FlagCatalogue
    ) -> String {
        var members: [(key: String, value: JSONValue)] = []
        if let device = claims?.text(of: "did") { members.append(("did", .string(device))) }
        members.append(status(of: meaning))
        if let claims { members.append(("claims", claims.json)) }
        if let expiry = claims?.expiry { members.append(("expiryTime", .string("\(expiry.dateAndTime) UTC"))) }
        return JSONValue.ordered(members + [properties(of: meaning, catalogue)]).indented()
    }

    private static func properties(
        of meaning: ResponseMeaning?, _ catalogue: FlagCatalogue
    ) -> (key: String, value: JSONValue) {
        let names = catalogue.names(of: meaning?.flags ?? .empty)
        return ("deviceProperties", .array(names.map { .string($0) }))
    }

    private static func status(of meaning: ResponseMeaning?) -> (key: String, value: JSONValue) {
        ("status", .string(status(of: meaning)))
    }

    private static func status(of meaning: ResponseMeaning?) -> String {
        guard let meaning else { return "arc invalid" }
        return meaning.passed ? "passed" : "failed"
    }
}
