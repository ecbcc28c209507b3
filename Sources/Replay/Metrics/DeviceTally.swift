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

    /// The numbers of all devices up to the last one that was counted.
    var indices: Range<Int> { devices.indices }

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
