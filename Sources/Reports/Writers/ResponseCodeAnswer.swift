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
        var output = JSONBytes()
        output.raw("{\n  \"status\": ")
        output.string(status(of: meaning))
        output.raw(",\n  \"deviceProperties\": ")
        write(catalogue.names(of: meaning?.flags ?? .empty), to: &output)
        output.raw("\n}\n")
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private static func status(of meaning: ResponseMeaning?) -> String {
        guard let meaning else { return "arc invalid" }
        return meaning.passed ? "passed" : "failed"
    }

    private static func write(_ names: [String], to output: inout JSONBytes) {
        guard !names.isEmpty else { return output.raw("[]") }
        output.raw("[")
        for (index, name) in names.enumerated() {
            output.raw(index == 0 ? "\n    " : ",\n    ")
            output.string(name)
        }
        output.raw("\n  ]")
    }
}
