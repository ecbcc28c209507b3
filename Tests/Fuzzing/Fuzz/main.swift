internal import CFuzzer
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

// The name of the target is the first argument; libFuzzer takes the others.
let name = CommandLine.arguments.dropFirst().first ?? ""
guard let target = FuzzTarget(rawValue: name) else {
    print("usage: fuzz \(FuzzTarget.allCases.map(\.rawValue).joined(separator: "|")) [options of libFuzzer] [corpus…]")
    exit(3)
}
FuzzTarget.chosen.withLock { $0 = target }
var words = unsafe ([CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)).map { unsafe strdup($0) } + [nil]
var count = Int32(CommandLine.arguments.count - 1)
let status = unsafe words.withUnsafeMutableBufferPointer { buffer in
    var start = buffer.baseAddress
    // SAFETY: the words live through the call, and end with a null pointer. The callback reads within its bounds.
    return unsafe LLVMFuzzerRunDriver(&count, &start) { start, size in
        let chosen = FuzzTarget.chosen.withLock(\.self)
        unsafe chosen.feed(Array(UnsafeBufferPointer(start: start, count: size)))
        return 0
    }
}
exit(status)
