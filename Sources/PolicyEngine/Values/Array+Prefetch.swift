public import CPrefetch

extension Array {
    /// Asks for an element to be fetched from memory, without waiting for it.
    ///
    /// - Parameter index: An index of the array.
    @inlinable @inline(__always)
    package func prefetch(_ index: Int) {
        unsafe withUnsafeBufferPointer { buffer in
            // SAFETY: nothing is read; the processor ignores an address that it cannot fetch.
            unsafe prefetch_memory(buffer.baseAddress.map { unsafe UnsafeRawPointer($0 + index) })
        }
    }
}
