public import CPrefetch

extension UnsafePointer {
    /// Has the value at the address fetched from the computer's memory, without waiting for it.
    @unsafe
    @inlinable @inline(__always)
    package func prefetch() {
        // SAFETY: there is a value at the address, as the caller knows; its first and its last byte are read.
        let start = unsafe UnsafeRawPointer(self)
        unsafe prefetch_memory(start)
        // It may lie in two lines of the cache.
        let size = MemoryLayout<Pointee>.stride
        if AlignedMemory.line % size != 0 { unsafe prefetch_memory(start + (size - 1)) }
    }
}

extension Array {
    /// Has an element fetched from the computer's memory, without waiting for it.
    ///
    /// - Parameter index: An index of the array.
    @inlinable @inline(__always)
    package func prefetch(_ index: Int) {
        precondition(index >= 0 && index < count, "the element is there")
        // SAFETY: it has a value.
        unsafe withUnsafeBufferPointer { unsafe $0.baseAddress.map { unsafe ($0 + index).prefetch() } }
    }
}
