internal import HTTP
internal import PolicyEngine

/// Names of domains in requests.
enum DomainName {
    /// The domain that a text names, which may be a whole URL, as the app gives it (R23.4a; manual, Token Fetch Errors).
    ///
    /// - Parameter field: The field that is wrong if the text names none.
    /// - Throws: ``Refusal``.
    static func inURL(_ text: String, field: String) throws(Refusal) -> String {
        if let name = APIDomain.name(in: text) { return name }
        throw .badField(
            field, "that is neither a domain nor a URL with https: BAD_URL",
            hint: "such as api.example.com or https://api.example.com/v1")
    }
}
