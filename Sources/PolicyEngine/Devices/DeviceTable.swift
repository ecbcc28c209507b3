/// Gives every device ID a dense number, so that what is known of a device lies in flat arrays.
public struct DeviceTable: Sendable {
    private var identifiers = AlignedArray<DeviceID>()
    // Open addressing with linear probing; a slot holds the upper half of the hash and the number plus one.
    private var slots: [Slot]
    private let seed = ByteHash.process.seed
    // The hashes of the devices that are interned together.
    private var hashes: [UInt64] = []

    private struct Slot {
        var tag: UInt32
        var number: UInt32  // 0: free
    }

    /// Makes an empty table.
    public init() {
        slots = Array(repeating: Slot(tag: 0, number: 0), count: 1024)
    }

    /// The number of devices in the table.
    package var count: Int { identifiers.count }

    /// The ID behind a number.
    public subscript(device: DeviceIndex) -> DeviceID { identifiers[device.offset] }

    /// The number of a device, given one at first sight.
    ///
    /// - Complexity: O(1) amortised; allocates only as the table grows.
    public mutating func intern(_ identifier: DeviceID) -> DeviceIndex {
        intern(identifier, hash: identifier.hash(seed: seed))
    }

    @inline(__always)
    private mutating func intern(_ identifier: DeviceID, hash: UInt64) -> DeviceIndex {
        let slot = slot(of: identifier, hash: hash)
        if slots[slot].number != 0 { return DeviceIndex(number: slots[slot].number - 1) }
        precondition(identifiers.count < Int(UInt32.max) - 1, "more devices than numbers for them")
        identifiers.append(identifier)
        slots[slot] = Slot(tag: UInt32(truncatingIfNeeded: hash >> 32), number: UInt32(identifiers.count))
        if identifiers.count * 4 > slots.count * 3 { grow() }
        return DeviceIndex(number: UInt32(identifiers.count - 1))
    }

    /// The numbers of many devices, given some at first sight; waiting for memory overlaps.
    ///
    /// - Parameters:
    ///   - identifiers: The devices.
    ///   - numbers: Takes the numbers, in that order.
    package mutating func intern(_ identifiers: [DeviceID], into numbers: inout [DeviceIndex]) {
        numbers.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        let mask = slots.count - 1
        for identifier in identifiers { hashes.append(identifier.hash(seed: seed)) }
        for hash in hashes { slots.prefetch(Int(truncatingIfNeeded: hash) & mask) }
        for hash in hashes {
            let number = slots[Int(truncatingIfNeeded: hash) & mask].number
            if number != 0 { self.identifiers.prefetch(Int(number) - 1) }
        }
        for index in identifiers.indices { numbers.append(intern(identifiers[index], hash: hashes[index])) }
    }

    /// The number of a device that has one.
    package func index(of identifier: DeviceID) -> DeviceIndex? {
        let number = slots[slot(of: identifier, hash: identifier.hash(seed: seed))].number
        return number == 0 ? nil : DeviceIndex(number: number - 1)
    }

    private func slot(of identifier: DeviceID, hash: UInt64) -> Int {
        let mask = slots.count - 1
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].number != 0 {
            if slots[slot].tag == tag, identifiers[Int(slots[slot].number - 1)] == identifier { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private mutating func grow() {
        slots = Array(repeating: Slot(tag: 0, number: 0), count: slots.count * 2)
        for (offset, identifier) in identifiers.enumerated() {
            let hash = identifier.hash(seed: seed)
            let slot = slot(of: identifier, hash: hash)
            slots[slot] = Slot(tag: UInt32(truncatingIfNeeded: hash >> 32), number: UInt32(offset + 1))
        }
    }
}

/// A device by its dense number in a ``DeviceTable``: the order of first sight.
public struct DeviceIndex: Hashable, Comparable, Sendable {
    /// Counted from 0.
    @usableFromInline package let number: UInt32

    @inlinable
    init(number: UInt32) {
        self.number = number
    }

    /// The device at an array index.
    @inlinable
    package init(offset: Int) {
        self.init(number: UInt32(offset))
    }

    /// The number as an array index.
    @inlinable package var offset: Int { Int(number) }

    /// True if the left device was seen first.
    public static func < (left: DeviceIndex, right: DeviceIndex) -> Bool { left.number < right.number }
}
