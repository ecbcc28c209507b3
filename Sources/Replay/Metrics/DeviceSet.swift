/// A set of devices by number: a hash table while it is small, then a bit for each.
struct DeviceSet {
    private var few: Set<UInt32> = []
    // By number; empty while there are few.
    private var words: [UInt64] = []
    /// The number of devices.
    private(set) var count = 0

    private static let fewLimit = 512

    /// Adds a device.
    mutating func insert(_ device: Int) {
        if words.isEmpty {
            guard few.insert(UInt32(device)).inserted else { return }
            count += 1
            if count > Self.fewLimit { spread() }
        } else {
            insertBit(device)
        }
    }

    /// The devices of both sets.
    func union(_ other: DeviceSet) -> DeviceSet {
        var union = self
        for device in other.elements { union.insert(device) }
        return union
    }

    private mutating func insertBit(_ device: Int) {
        let (word, bit) = (device >> 6, UInt64(1) << UInt64(device & 63))
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        guard words[word] & bit == 0 else { return }
        words[word] |= bit
        count += 1
    }

    private mutating func spread() {
        let devices = few
        few = []
        count = 0
        for device in devices { insertBit(Int(device)) }
    }

    /// True if a device is in the set.
    func contains(_ device: Int) -> Bool {
        guard !words.isEmpty else { return few.contains(UInt32(device)) }
        return device >> 6 < words.count && words[device >> 6] & 1 << UInt64(device & 63) != 0
    }

    /// The number of devices that are not in another set.
    func count(besides other: DeviceSet) -> Int {
        other.count == 0 ? count : elements.count { !other.contains($0) }
    }

    /// The devices, in no order.
    var elements: [Int] {
        var elements = few.map { Int($0) }
        for (index, word) in words.enumerated() where word != 0 {
            for bit in 0..<64 where word & 1 << UInt64(bit) != 0 { elements.append(index << 6 | bit) }
        }
        return elements
    }
}
