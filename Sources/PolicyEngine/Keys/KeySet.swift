/// The key set of an account: up to ten keys by name (manual, Managing Key Sets).
public struct KeySet: Hashable, Sendable {
    /// The keys in the order in which they were added; all have names.
    public private(set) var keys: [TokenKey] = []
    /// The number that the next key without a name is named by; numbers of removed keys are not used again.
    package private(set) var nextNumber = 1

    /// True if the account lists the keys of its key set, be it none; else a simulation takes any key to be there (R14.2a).
    package private(set) var isListed = false

    /// Makes a set of which nothing is said.
    public init() {}

    /// Makes the set one of which all keys are known, though there be none.
    package mutating func list() { isListed = true }

    /// The key of a name; `nil` where there is none.
    public func key(named id: String) -> TokenKey? { keys.first { $0.isNamed(id) } }

    /// The names in order.
    package var ids: [String] { keys.compactMap(\.id) }

    /// Adds a key, under the next number where it has no name.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isNumbered: True if it gets the next number whatever its name.
    /// - Throws: ``KeySetError/duplicate(_:)``, ``KeySetError/limitReached(_:)``.
    public mutating func append(_ key: TokenKey, isNumbered: Bool = false) throws(KeySetError) {
        let (number, id) = numbered(isNumbered ? nil : key.id)
        guard self.key(named: id) == nil else { throw .duplicate(id) }
        guard keys.count < TokenLimits.keySetKeys else { throw .limitReached(id) }
        guard let named = key.renamed(id) else { throw .duplicate(id) }
        keys.append(named)
        nextNumber = number
        list()
    }

    /// Removes a key.
    ///
    /// - Throws: ``KeySetError/unknown(_:known:)``.
    public mutating func remove(_ id: String) throws(KeySetError) {
        guard let index = keys.firstIndex(where: { $0.isNamed(id) }) else { throw .unknown(id, known: ids) }
        keys.remove(at: index)
    }

    /// Continues numbering from a number on, as a file says it.
    package mutating func number(from number: Int) { nextNumber = max(nextNumber, number) }

    /// The name that a key gets, and the number after it.
    package func numbered(_ id: String?) -> (next: Int, id: String) {
        if let id { return (nextNumber, id) }
        var number = nextNumber
        while key(named: "\(number)") != nil { number += 1 }
        return (number + 1, "\(number)")
    }
}

/// Why a key set cannot be changed.
public enum KeySetError: Error, Hashable, Sendable {
    /// There is a key of that name.
    case duplicate(String)
    /// It would be the 11th key (R16).
    case limitReached(String)
    /// There is no key of that name.
    case unknown(String, known: [String])
}

extension KeySetError: CustomStringConvertible {
    /// The error in words: lower case, no final period.
    public var description: String {
        switch self {
        case .duplicate(let id): "key `\(id)` exists already"
        case .limitReached(let id): "key `\(id)` is one too many; a key set has at most \(TokenLimits.keySetKeys)"
        case .unknown(let id, _): "there is no key `\(id)` in the key set"
        }
    }
}
