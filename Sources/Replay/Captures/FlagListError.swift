package import PolicyEngine

/// Why a text is not a list of flags.
package enum FlagListError: Error {
    /// A name is empty or holds white space.
    case invalidName(String, list: String)
    /// A name cannot join the catalogue.
    case refused(FlagError)

    package var description: String {
        switch self {
        case .invalidName(let name, let list):
            name.isEmpty
                ? "empty name in the list of flags `\(list)`"
                : "`\(name)` in the list of flags holds white space; flags are joined by commas alone"
        case .refused(let error): error.description
        }
    }
}
