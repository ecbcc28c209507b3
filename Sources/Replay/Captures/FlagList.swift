package import PolicyEngine

/// A comma-joined list of flags, as captures write it.
package enum FlagList {
    /// Reads a list; flags that nobody knew so far join the catalogue (R2.2).
    ///
    /// - Throws: ``FlagListError``; the catalogue is then as before.
    package static func read(_ text: String, catalogue: inout FlagCatalogue) throws(FlagListError) -> FlagSet {
        var (flags, extended) = (FlagSet.empty, catalogue)
        for name in try names(in: text) {
            do throws(FlagError) {
                flags.insert(try extended.intern(observed: name))
            } catch {
                throw .refused(error)
            }
        }
        catalogue = extended
        return flags
    }

    /// Reads a list of known flags.
    ///
    /// - Parameter spelling: Recognises names in another spelling.
    /// - Returns: `nil` where a name is not known.
    /// - Throws: ``FlagListError`` for a text that is no list, and for a known flag in another spelling.
    static func known(
        _ text: String, in catalogue: FlagCatalogue, spelling: FlagSpelling
    ) throws(FlagListError) -> FlagSet? {
        var flags: FlagSet? = .empty
        for name in try names(in: text) {
            if let flag = catalogue.flag(named: name) {
                flags?.insert(flag)
                continue
            }
            flags = nil
            if let meant = spelling.flag(meantBy: name[...]) { throw .misspelt(name, meant: meant) }
        }
        return flags
    }

    /// The names in a list, whatever they are.
    ///
    /// - Throws: ``FlagListError/invalidName(_:list:)`` for the first that is none.
    @discardableResult
    static func names(in text: String) throws(FlagListError) -> [String] {
        var names: [String] = []
        // By bytes: a comma with a mark behind it is one character, and still a comma.
        for part in text.utf8.split(separator: comma, omittingEmptySubsequences: false) {
            let name = String(Substring(part))
            if name.isEmpty || name.utf8.contains(where: isWhite) { throw .invalidName(name, list: text) }
            names.append(name)
        }
        return names
    }

    /// True if bytes that are not empty have the form of a list; allocates nothing.
    static func isSound(_ bytes: Span<UInt8>) -> Bool {
        var before = comma
        for offset in bytes.indices {
            let byte = bytes[offset]
            if isWhite(byte) || (byte == comma && before == comma) { return false }
            before = byte
        }
        return before != comma
    }

    private static let comma = UInt8(ascii: ",")

    // A space would make `rooted` an unknown flag, which no policy rejects.
    private static func isWhite(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }
}

/// Why a text is not a list of flags.
package enum FlagListError: Error {
    /// A name is empty or holds white space.
    case invalidName(String, list: String)
    /// A name is that of a known flag in another spelling.
    case misspelt(String, meant: String)
    /// A name cannot join the catalogue.
    case refused(FlagError)

    package var description: String {
        switch self {
        case .invalidName(let name, let list):
            name.isEmpty
                ? "empty name in the list of flags `\(list)`"
                : "`\(name)` in the list of flags holds white space; flags are joined by commas alone"
        case .misspelt(let name, let meant):
            "`\(name)` in the list of flags is not read as `\(meant)`; flags are written as in the catalogue, and joined by "
                + "commas alone"
        case .refused(let error): error.description
        }
    }

    /// Advice on what to do about it, where there is some.
    package var hint: String? {
        if case .misspelt(_, let meant) = self { "did you mean `\(meant)`?" } else { nil }
    }
}
