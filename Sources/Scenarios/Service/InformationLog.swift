internal import PolicyEngine

/// The records that the service keeps of the latest attestations (R10, step 14; manual, Device Filters).
struct InformationLog {
    /// The latest new devices.
    var newDevices = Ring<DeviceInformation>(capacity: Self.deviceLimit)
    /// The latest devices that matched a filter which captures.
    var filteredDevices = Ring<DeviceInformation>(capacity: Self.deviceLimit)
    /// The latest attestations, of whatever device.
    var fetches = Ring<Fetch>(capacity: Self.fetchLimit)
    /// The latest attestation of each device with an entry of its own.
    var entries: [DeviceIndex: DeviceInformation] = [:]

    struct Fetch {
        let device: DeviceIndex
        let time: Instant
    }

    /// The number of new devices that are kept, and of filtered ones.
    static let deviceLimit = 100
    /// The number of fetches that are kept.
    static let fetchLimit = 1000

    /// Keeps an attestation where it belongs.
    mutating func record(_ decision: Decision, on attestation: borrowing Attestation, engine: borrowing Engine) {
        fetches.append(Fetch(device: decision.device, time: decision.time))
        let isCaptured = engine.capturesInformation(decision)
        let hasEntry = engine.hasEntry(decision.device)
        guard decision.isNewDevice || isCaptured || hasEntry else { return }
        let information = DeviceInformation(attestation: copy attestation, decision: decision)
        if decision.isNewDevice { newDevices.append(information) }
        if isCaptured { filteredDevices.append(information) }
        if hasEntry { entries[decision.device] = information }
    }
}

/// The record of one attestation: the attestation as it was sent, and the decision.
struct DeviceInformation {
    let attestation: Attestation
    let decision: Decision
}

/// The latest elements, up to a fixed count; earlier ones are discarded.
struct Ring<Element> {
    private let capacity: Int
    private var elements: [Element] = []
    // The index of the oldest element, which the next one replaces once the ring is full.
    private var oldest = 0

    /// - Parameter capacity: The number that are kept, at least 1.
    init(capacity: Int) {
        precondition(capacity > 0, "a ring keeps something")
        self.capacity = capacity
    }

    /// Adds an element, instead of the oldest when the ring is full.
    mutating func append(_ element: Element) {
        guard elements.count == capacity else { return elements.append(element) }
        elements[oldest] = element
        oldest = (oldest + 1) % capacity
    }

    /// The elements, oldest first.
    var inOrder: [Element] { Array(elements[oldest...] + elements[..<oldest]) }

    /// Discards everything.
    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        oldest = 0
    }
}
