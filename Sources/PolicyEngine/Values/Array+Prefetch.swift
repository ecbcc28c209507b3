public import CPrefetch

extension Array {
    /// Has an element fetched from memory, without waiting for it.
    ///
    /// - Parameter index: An index of the array.
    @inlinable @inline(__always)
    package func prefetch(_ index: Int) {
        precondition(index >= 0 && index < count, "the element is there")
        unsafe withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            // SAFETY: the first and the last byte of an element of the array are read.
            let start = unsafe UnsafeRawPointer(base + index)
            unsafe prefetch_memory(start)
            // An element may lie in two lines of the cache.
            let size = MemoryLayout<Element>.stride
            if 64 % size != 0 { unsafe prefetch_memory(start + (size - 1)) }
        }
    }
}
