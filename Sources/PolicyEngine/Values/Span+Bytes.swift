internal import CLibrary

extension Span<UInt8> {
    /// True if the bytes start with those of a text.
    package func begins(with prefix: StaticString) -> Bool {
        let length = prefix.utf8CodeUnitCount
        guard count >= length else { return false }
        return prefix.withUTF8Buffer { expected in
            // SAFETY: the buffer is the literal's own and lives for ever; every offset is below its count.
            for offset in 0..<length where unsafe self[offset] != expected[offset] { return false }
            return true
        }
    }
}

extension UInt8 {
    /// True if the byte is one of `a` through `z`.
    package var isLowercaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }

    /// True if the byte is one of `A` through `Z` or `a` through `z`.
    package var isLetter: Bool { isLowercaseLetter || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

    /// True if the byte is a digit of hexadecimal numbers, in either case.
    var isHexDigit: Bool {
        isDigit || UInt8(ascii: "A")...UInt8(ascii: "F") ~= self || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self
    }

    /// True if the byte is a letter or digit of base64, or `+` or `/`.
    package var isBase64Digit: Bool {
        isDigit || isLetter || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
    }
}

extension Span<UInt8> {
    /// True if every byte is ASCII.
    var isASCII: Bool {
        unsafe withUnsafeBufferPointer { buffer in
            var (bits, offset) = (UInt64(0), 0)
            // SAFETY: a word is loaded only where eight bytes are left, a byte where one is.
            let bytes = UnsafeRawBufferPointer(buffer)
            while offset + 8 <= bytes.count {
                bits |= unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            while offset < bytes.count {
                bits |= UInt64(unsafe bytes[offset])
                offset += 1
            }
            return bits & 0x8080_8080_8080_8080 == 0
        }
    }

    /// True if both hold the same bytes.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        hasSameBytes(in: 0..<count, as: other, in: 0..<other.count)
    }

    /// True if a part of these bytes is the same as a part of others.
    @inlinable @inline(__always)
    package func hasSameBytes(in range: Range<Int>, as other: Span<UInt8>, in otherRange: Range<Int>) -> Bool {
        guard range.count == otherRange.count, range.upperBound <= count, otherRange.upperBound <= other.count else {
            return false
        }
        let (length, left, right) = (range.count, range.lowerBound, otherRange.lowerBound)
        guard length >= 8 else {
            for offset in 0..<length where self[left &+ offset] != other[right &+ offset] { return false }
            return true
        }
        guard length <= 64 else { return hasSameLongBytes(in: range, as: other, from: right) }
        // SAFETY: both ranges were checked to lie inside their memory, and each word lies inside its range.
        var offset = 0
        while offset &+ 8 < length {
            if unsafe word(uncheckedAt: left &+ offset) != other.word(uncheckedAt: right &+ offset) { return false }
            offset &+= 8
        }
        // The last word overlaps the one before it.
        return unsafe word(uncheckedAt: left &+ length &- 8) == other.word(uncheckedAt: right &+ length &- 8)
    }

    // A call is faster from some length on. Both ranges were checked.
    @usableFromInline
    func hasSameLongBytes(in range: Range<Int>, as other: Span<UInt8>, from start: Int) -> Bool {
        unsafe withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                // SAFETY: both ranges were checked to lie inside their buffers.
                return unsafe memcmp(left + range.lowerBound, right + start, range.count) == 0
            }
        }
    }
}

extension Span<UInt8> {
    /// True if these bytes come before others in the order of dictionaries.
    func precedes(_ other: Span<UInt8>) -> Bool {
        let shared = Swift.min(count, other.count)
        let order = unsafe withUnsafeBufferPointer { left in
            unsafe other.withUnsafeBufferPointer { right -> Int32 in
                guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                // SAFETY: both buffers have at least as many bytes as are compared.
                return unsafe memcmp(left, right, shared)
            }
        }
        return order == 0 ? count < other.count : order < 0
    }
}

extension Span<UInt8> {
    /// Copies a part of these bytes behind those of an array.
    package func append(_ range: Range<Int>, to array: inout [UInt8]) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "the range lies inside the bytes")
        unsafe withUnsafeBufferPointer { buffer in
            // SAFETY: the range was checked, and the copy is made before the borrow ends.
            unsafe array.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }
}

extension Span<UInt8> {
    /// The eight bytes at an offset as a number, the first the lowest.
    @inlinable @inline(__always)
    package func word(at offset: Int) -> UInt64 {
        // SAFETY: every pattern of bits is a number; the offset is checked.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The same where the caller knows that the bytes are there.
    @unsafe
    @inlinable @inline(__always)
    package func word(uncheckedAt offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }
}
