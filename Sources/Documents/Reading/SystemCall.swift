#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Calls of the system under names that no member of a type has, whatever the system's library is called.
package enum SystemCall {
    /// Closes a descriptor: 0, or -1 with `errno`.
    @discardableResult
    package static func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }

    /// Reads from a descriptor: the number of bytes, or -1 with `errno`.
    ///
    /// SAFETY: the caller has room for `count` bytes at the start.
    @unsafe
    package static func readBytes(_ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        unsafe read(descriptor, start, count)
    }

    /// Writes to a descriptor: the number of bytes, or -1 with `errno`.
    ///
    /// SAFETY: the caller has `count` bytes at the start.
    @unsafe
    package static func writeBytes(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
        unsafe write(descriptor, start, count)
    }

    /// The time at which a file was written last, in seconds and nanoseconds since 1970.
    static func written(_ status: stat) -> (Int, Int) {
        #if canImport(Darwin)
            (Int(status.st_mtimespec.tv_sec), Int(status.st_mtimespec.tv_nsec))
        #else
            (Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec))
        #endif
    }

    /// The time at which anything about a file was changed last, in seconds and nanoseconds since 1970.
    static func changed(_ status: stat) -> (Int, Int) {
        #if canImport(Darwin)
            (Int(status.st_ctimespec.tv_sec), Int(status.st_ctimespec.tv_nsec))
        #else
            (Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec))
        #endif
    }
}
