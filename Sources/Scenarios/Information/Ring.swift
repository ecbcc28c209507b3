/// The latest so many of something; earlier ones are discarded.
struct Ring<Element> {
    private let capacity: Int
    private var elements: [Element] = []
    // Where the next one goes once the ring is full: the place of the oldest.
    private var oldest = 0

    /// - Parameter capacity: How many are kept, at least 1.
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
