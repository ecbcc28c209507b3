internal import Figures
internal import PolicyEngine

/// Counts, for each device, how often which of some numbers met it.
///
/// Most devices meet one number only, which is kept beside the device.
struct DeviceTally {
    private var devices: [Entry] = []
    private var more: [Entry] = []

    private struct Entry: BitwiseCopyable {
        var count = 0
        var number: UInt32 = 0
        // The index of the device's next entry in `more`, counted from 1; 0 for none.
        var next: UInt32 = 0
    }

    /// Asks for the memory of a device before it is needed.
    func prefetch(_ device: Int) {
        if device < devices.count { devices.prefetch(device) }
    }

    /// Counts a number.
    @inline(__always)
    mutating func count(_ number: Int, of device: Int) {
        if device >= devices.count {
            devices.append(contentsOf: repeatElement(Entry(), count: device + 1 - devices.count))
        }
        let number = UInt32(truncatingIfNeeded: number)
        if devices[device].number != number {
            if devices[device].count > 0 { return countAnother(number, of: device) }
            devices[device].number = number
        }
        devices[device].count += 1
    }

    private mutating func countAnother(_ number: UInt32, of device: Int) {
        var index = devices[device].next
        while index > 0 {
            if more[Int(index) - 1].number == number {
                more[Int(index) - 1].count += 1
                return
            }
            index = more[Int(index) - 1].next
        }
        more.append(Entry(count: 1, number: number, next: devices[device].next))
        devices[device].next = UInt32(more.count)
    }

    /// Goes through the numbers that met a device, and how often each did.
    func forEachNumber(of device: Int, _ body: (_ number: Int, _ count: Int) -> Void) {
        guard device < devices.count, devices[device].count > 0 else { return }
        body(Int(devices[device].number), devices[device].count)
        var index = devices[device].next
        while index > 0 {
            let entry = more[Int(index) - 1]
            body(Int(entry.number), entry.count)
            index = entry.next
        }
    }
}

/// Counts how often each of some bits was set, by whole sets of bits at a time and without a branch for each bit.
///
/// The counts of the latest sets are kept as binary numbers across words: `digits.0` holds the lowest digit of every bit's
/// count, `digits.1` the next one. Example: after `0b011` and `0b001`, the lower bit was set twice and the higher one once, so
/// `digits.0` is `0b010`, and `digits.1` is `0b001`.
struct BitTally<Bits: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var digits: (Bits, Bits, Bits, Bits, Bits, Bits) = (0, 0, 0, 0, 0, 0)
    // The number of sets that the digits still have room for.
    private var room = Self.capacity
    // By bit: the counts of all sets before those.
    private var counts = Array(repeating: 0, count: Bits.bitWidth)

    /// The highest number of six digits.
    private static var capacity: Int { 63 }

    /// Counts the bits of a set.
    @inline(__always)
    mutating func add(_ bits: Bits) {
        if room == 0 { spread() }
        room &-= 1
        var carry = bits
        Self.add(&carry, to: &digits.0)
        Self.add(&carry, to: &digits.1)
        Self.add(&carry, to: &digits.2)
        Self.add(&carry, to: &digits.3)
        Self.add(&carry, to: &digits.4)
        digits.5 ^= carry
    }

    @inline(__always)
    private static func add(_ carry: inout Bits, to digit: inout Bits) {
        let next = digit & carry
        digit ^= carry
        carry = next
    }

    /// Counts the bits of a set that came several times.
    mutating func add(_ bits: Bits, times: Int) {
        var rest = bits
        while rest != 0 {
            counts[rest.trailingZeroBitCount] += times
            rest &= rest - 1
        }
    }

    /// The number of times that each bit was set, from the lowest on.
    var all: [Int] {
        var spread = self
        spread.spread()
        return spread.counts
    }

    @inline(never)
    private mutating func spread() {
        let all = [digits.0, digits.1, digits.2, digits.3, digits.4, digits.5]
        for (exponent, digit) in all.enumerated() {
            var rest = digit
            while rest != 0 {
                counts[rest.trailingZeroBitCount] += 1 << exponent
                rest &= rest - 1
            }
        }
        digits = (0, 0, 0, 0, 0, 0)
        room = Self.capacity
    }
}
