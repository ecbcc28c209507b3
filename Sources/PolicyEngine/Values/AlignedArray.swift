/// Elements one behind the other, for what is kept of each device or value.
///
/// Two things make it faster than an array there. It starts at the start of a line of the processor's cache, so that an
/// element whose size divides that of a line never lies in two. And it mostly grows without copying (``AlignedMemory``).
// SAFETY: memory is written only by who is its only owner.
@safe
@usableFromInline
package struct AlignedArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
    @usableFromInline var memory: AlignedMemory
    // The first element.
    @usableFromInline var start: UnsafeMutablePointer<Element>
    /// The number of elements.
    @usableFromInline package internal(set) var count = 0

    // The number of elements that the memory has room for.
    @usableFromInline var room = 0

    /// Makes an empty one.
    @inlinable
    package init() {
        memory = AlignedMemory()
        unsafe start = memory.bind(to: Element.self)
    }

    /// Adds an element.
    ///
    /// - Complexity: O(1) amortised.
    @inlinable
    package mutating func append(_ element: Element) { append(repeating: element, count: 1) }

    /// Adds elements that are the same.
    ///
    /// - Complexity: O(count) amortised.
    @inlinable
    package mutating func append(repeating element: Element, count added: Int) {
        precondition(added >= 0, "no less than nothing is added")
        defer { keepMemory() }
        own()
        if count + added > room { grow(to: count + added) }
        // SAFETY: `added` elements have room behind the others, and nobody else has the memory.
        unsafe (start + count).initialize(repeating: element, count: added)
        count += added
    }

    /// An element.
    @inlinable
    package subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count, "the element is there")
            defer { keepMemory() }
            // SAFETY: it has a value.
            return unsafe start[index]
        }
        _modify {
            precondition(index >= 0 && index < count, "the element is there")
            defer { keepMemory() }
            own()
            // SAFETY: it has a value, and nobody else has the memory.
            yield unsafe &start[index]
        }
    }

    /// Has an element fetched from the computer's memory, without waiting for it.
    @inlinable
    package func prefetch(_ index: Int) {
        precondition(index >= 0 && index < count, "the element is there")
        defer { keepMemory() }
        // SAFETY: it has a value.
        unsafe UnsafePointer(start + index).prefetch()
    }

    /// Hands over the memory of the elements.
    @unsafe
    @inlinable
    package func withUnsafeStart<Result>(_ body: (UnsafePointer<Element>) -> Result) -> Result {
        defer { keepMemory() }
        return unsafe body(start)
    }

    /// Hands over the memory of the elements, to write into it.
    @unsafe
    @inlinable
    package mutating func withUnsafeMutableStart<Result>(
        _ body: (UnsafeMutablePointer<Element>) -> Result
    ) -> Result {
        defer { keepMemory() }
        own()
        return unsafe body(start)
    }

    // Whoever uses the address of an element needs the memory until then.
    @inlinable
    @inline(__always)
    func keepMemory() { withExtendedLifetime(memory) {} }

    // Copies share memory until one of them changes.
    @inlinable
    mutating func own() {
        if !isKnownUniquelyReferenced(&memory) { copyMemory() }
    }

    @usableFromInline
    @inline(never)
    mutating func copyMemory() {
        memory = memory.copy(of: count * MemoryLayout<Element>.stride)
        room = count
        unsafe start = memory.bind(to: Element.self)
    }

    @usableFromInline
    @inline(never)
    mutating func grow(to needed: Int) {
        let size = MemoryLayout<Element>.stride
        room = Swift.max(needed, 2 * room, 4 * AlignedMemory.line / size)
        memory.resize(to: room * size, keeping: count * size)
        unsafe start = memory.bind(to: Element.self)
    }
}

extension AlignedArray: RandomAccessCollection {
    @inlinable package var startIndex: Int { 0 }
    @inlinable package var endIndex: Int { count }
}
