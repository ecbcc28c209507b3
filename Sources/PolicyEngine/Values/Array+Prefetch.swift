public import CPrefetch

extension Array {
    /// Asks for an element to be fetched from memory, without waiting for it.
    ///
    /// - Parameter index: An index of the array.
    @inlinable @inline(__always)
    package func prefetch(_ index: Int) {
        unsafe withUnsafeBufferPointer { buffer in
            // SAFETY: nothing is read; the processor ignores an address that it cannot fetch.
            let start = unsafe buffer.baseAddress.map { unsafe UnsafeRawPointer($0 + index) }
            unsafe prefetch_memory(start)
            // An element may lie in two lines of the cache.
            let size = MemoryLayout<Element>.stride
            if 64 % size != 0 { unsafe prefetch_memory(start.map { unsafe $0 + (size - 1) }) }
        }
    }
}
