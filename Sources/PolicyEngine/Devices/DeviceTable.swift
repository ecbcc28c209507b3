/// Gives every device ID a dense number, so that what is known of a device lies in flat arrays.
public struct DeviceTable: Sendable {
    private var identifiers: [DeviceID] = []
    // Open addressing with linear probing; a slot holds the upper half of the hash and the number plus one.
    private var slots: [Slot]
    private let seed = ByteHash.process.seed

    private struct Slot {
        var tag: UInt32
        var number: UInt32  // 0: free
    }

    /// Makes an empty table.
    public init() {
        slots = Array(repeating: Slot(tag: 0, number: 0), count: 1024)
    }

    /// How many devices have a number.
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

    /// Asks for where the devices of a batch are looked for to be fetched from memory.
    package func fetchSlots(_ batch: inout DeviceBatch) {
        let mask = slots.count - 1
        batch.hashes.removeAll(keepingCapacity: true)
        for identifier in batch.identifiers {
            let hash = identifier.hash(seed: seed)
            batch.hashes.append(hash)
            slots.prefetch(Int(truncatingIfNeeded: hash) & mask)
        }
    }

    /// Asks for the IDs that those of a batch will be compared with to be fetched from memory; behind
    /// ``fetchSlots(_:)``.
    package func fetchIdentifiers(_ batch: borrowing DeviceBatch) {
        let mask = slots.count - 1
        for hash in batch.hashes {
            let number = slots[Int(truncatingIfNeeded: hash) & mask].number
            if number != 0 { identifiers.prefetch(Int(number) - 1) }
        }
    }

    /// Finds the numbers of the devices of a batch, given some at first sight; behind ``fetchSlots(_:)``.
    package mutating func intern(_ batch: inout DeviceBatch) {
        batch.devices.removeAll(keepingCapacity: true)
        for index in batch.identifiers.indices {
            batch.devices.append(intern(batch.identifiers[index], hash: batch.hashes[index]))
        }
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

/// Devices that are looked for together, so that waiting for memory overlaps.
package struct DeviceBatch: Sendable {
    /// The devices.
    package var identifiers: [DeviceID] = []
    /// Their numbers, in the same order, once they were found.
    package fileprivate(set) var devices: [DeviceIndex] = []
    fileprivate var hashes: [UInt64] = []

    /// Makes a batch without devices.
    package init() {}
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

    /// Whether the left device was seen first.
    public static func < (left: DeviceIndex, right: DeviceIndex) -> Bool { left.number < right.number }
}
