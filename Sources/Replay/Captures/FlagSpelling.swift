internal import PolicyEngine

/// Recognises flags of the catalogue in names that are written in another way, such as `ROOTED`, `did_ban`, `["rooted"]`
/// and `rooted|xposed`: taken as flags of their own, no policy would reject them.
struct FlagSpelling {
    // Those of the catalogue alone: which records are malformed does not depend on an account, so captures can be split
    // before there is one.
    private let known = NameLikeness(FlagCatalogue().declaredNames + [FlagCatalogue.misspelt])

    /// The first known flag that a name seems to mean: the whole of it without marks, or what is between its marks.
    ///
    /// - Parameter name: The name of no flag.
    func flag(meantBy name: Substring) -> String? {
        let parts = Self.parts(of: name, dividedBy: Self.isMark)
        return known.name(like: parts.joined()) ?? parts.lazy.compactMap { known.name(like: $0) }.first ?? list(name)
    }

    // `vendor:rooted` is a flag of somebody else, `rooted:xposed` and `rooted:1` are not.
    private func list(_ name: Substring) -> String? {
        let parts = Self.parts(of: name) { ":/.".unicodeScalars.contains($0) }
        let flags = parts.map { known.name(like: $0) }
        let isList = zip(parts, flags).allSatisfy { part, flag in flag != nil || part == "1" || part == "true" }
        return isList ? flags.lazy.compactMap(\.self).first : nil
    }

    private static func parts(of name: Substring, dividedBy isDivider: (Unicode.Scalar) -> Bool) -> [String] {
        name.unicodeScalars.split(whereSeparator: isDivider).map { String(Substring($0)) }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        !("-_.:/".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
            || scalar.properties.numericType != nil)
    }
}
