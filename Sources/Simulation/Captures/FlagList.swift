internal import PolicyEngine

/// A comma-joined list of flags, as captures write it.
enum FlagList {
    /// Reads a list; flags that nobody knew so far join the catalogue (R2.2).
    ///
    /// - Throws: ``FlagListError``; the catalogue is then as before.
    static func read(_ text: String, catalogue: inout FlagCatalogue) throws(FlagListError) -> FlagSet {
        var (flags, extended) = (FlagSet.empty, catalogue)
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            // A space would make `rooted` an unknown flag, which no policy rejects.
            guard !name.isEmpty, !name.utf8.contains(where: { $0 <= UInt8(ascii: " ") }) else {
                throw .invalidName(String(name), list: text)
            }
            do throws(FlagError) {
                flags.insert(try extended.intern(observed: String(name)))
            } catch {
                throw .refused(error)
            }
        }
        catalogue = extended
        return flags
    }
}
