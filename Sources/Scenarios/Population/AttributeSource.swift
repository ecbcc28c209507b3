internal import CLibrary
internal import Documents
internal import PolicyEngine

/// The source of an attribute's value for the devices of a group.
indirect enum AttributeSource: Sendable {
    /// All devices have this text.
    case text(String)
    /// Each device has an address of this block.
    case block(AddressBlock)
    /// Each device has one of several; the shares are running totals up to 100 %.
    case choice([(source: AttributeSource, upTo: Percentage)])

    /// The value for one device.
    ///
    /// - Parameter makeGenerator: Makes what it is drawn with; not needed where all have the same.
    func value(drawnWith makeGenerator: () -> SeededGenerator) -> String {
        if case .text(let text) = self { return text }
        var generator = makeGenerator()
        return draw(&generator)
    }

    private func draw(_ generator: inout SeededGenerator) -> String {
        switch self {
        case .text(let text): return text
        case .block(let block): return block.draw(&generator)
        case .choice(let choices):
            let draw = generator.next()
            // The totals grow, so that the first that holds the number is found by halving.
            var (lower, upper) = (0, choices.count - 1)
            while lower < upper {
                let middle = (lower + upper) / 2
                if choices[middle].upTo.contains(draw) { upper = middle } else { lower = middle + 1 }
            }
            return choices[lower].source.draw(&generator)
        }
    }

    /// The texts that it can be; none of a block.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .block: []
        case .choice(let choices): choices.flatMap(\.source.texts)
        }
    }

    /// The blocks of addresses that it can be of.
    var blocks: [AddressBlock] {
        switch self {
        case .text: []
        case .block(let block): [block]
        case .choice(let choices): choices.flatMap(\.source.blocks)
        }
    }
}

/// A block of IPv4 or IPv6 addresses, such as `10.0.0.0/8`.
struct AddressBlock: Hashable, Sendable {
    // The address in network order: 4 or 16 bytes.
    private let network: [UInt8]
    private let prefixLength: Int

    /// Reads a block.
    ///
    /// - Returns: `nil` when the text is none, or its address has bits behind the prefix.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[1]), String(length) == parts[1],
            let address = Self.address(String(parts[0])), 0...address.count * 8 ~= length
        else { return nil }
        network = address
        prefixLength = length
        guard Self.masked(address, keeping: length) == address else { return nil }
    }

    /// True if a text is an address of the block, in the form in which it is drawn.
    func holds(_ text: String) -> Bool {
        guard let address = Self.address(text), address.count == network.count else { return false }
        return Self.masked(address, keeping: prefixLength) == network
            && ExactText(Self.text(of: address)) == ExactText(text)
    }

    /// Draws an address of the block, each equally likely.
    func draw(_ generator: inout SeededGenerator) -> String {
        var random: [UInt8] = []
        while random.count < network.count {
            let bits = generator.next()
            random += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (UInt64($0) * 8)) }
        }
        let fixed = Self.masked(Array(repeating: 255, count: network.count), keeping: prefixLength)
        let address = network.indices.map { network[$0] | random[$0] & ~fixed[$0] }
        return Self.text(of: address)
    }

    private static func masked(_ address: [UInt8], keeping length: Int) -> [UInt8] {
        address.indices.map { index in
            let kept = min(8, max(0, length - index * 8))
            return address[index] & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }

    private static func address(_ text: String) -> [UInt8]? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            let result = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the buffer has the size that the family's address takes.
                unsafe inet_pton(family, text, buffer.baseAddress)
            }
            if result == 1 { return bytes }
        }
        return nil
    }

    private static func text(of address: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        _ = unsafe address.withUnsafeBytes { source in
            unsafe text.withUnsafeMutableBufferPointer { target in
                // SAFETY: the target has room for the longest address, and its size is given.
                unsafe inet_ntop(family, source.baseAddress, target.baseAddress, socklen_t(target.count))
            }
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
