internal import PolicyEngine

/// The devices of one rhythm, and how often each of them attests compared with the others.
struct ActivityMembers {
    let rhythm: Rhythm
    /// Numbers over all groups.
    private(set) var devices: [UInt32] = []
    /// By index in ``devices``; all weights of all rhythms together stay below 2^63.
    private(set) var weights: [UInt64] = []

    /// Sorts the devices of groups by rhythm, in the order in which rhythms come up first.
    ///
    /// A device of a group without other activity has the same share of all attestations as any other; its group's
    /// weight multiplies that, and its rank within the group makes it more or less, so that the group's share stays.
    static func of(_ groups: [DeviceGroup]) -> [ActivityMembers] {
        let shares = groups.map { UInt64($0.count) * UInt64($0.activity.weight) }
        // The finest unit in which all shares together fit into 63 bits.
        let shift = max(1, shares.reduce(0, +).leadingZeroBitCount) - 1
        var (all, first) = ([ActivityMembers](), 0)
        for (group, share) in zip(groups, shares) {
            let known = all.firstIndex { $0.rhythm == group.activity.rhythm }
            let index = known ?? all.count
            if known == nil { all.append(ActivityMembers(rhythm: group.activity.rhythm)) }
            all[index].add(group, from: first, share: share << UInt64(shift))
            first += group.count
        }
        return all
    }

    private init(rhythm: Rhythm) {
        self.rhythm = rhythm
    }

    private mutating func add(_ group: DeviceGroup, from first: Int, share: UInt64) {
        let zipf = ZipfWeights(group.activity.zipf)
        let ranked = (1...group.count).map(zipf.weight(ofRank:))
        let sum = ranked.reduce(UInt128(0)) { $0 + UInt128($1) }
        for (number, weight) in ranked.enumerated() {
            devices.append(UInt32(first + number))
            weights.append(UInt64(UInt128(weight) * UInt128(share) / sum))
        }
    }

    /// The activity of these devices in a span of time, where one day of all of them is their weight.
    func activity(in span: Range<Instant>) -> UInt128 {
        let weight = weights.reduce(UInt128(0)) { $0 + UInt128($1) }
        return weight * UInt128(rhythm.activity(in: span)) / UInt128(rhythm.dailyActivity)
    }
}

/// The weights of Zipf's law, `1 / rank^exponent`, worked out in whole numbers.
///
/// `pow`, `exp` and `log` differ in their last digits from one C library to another, and one digit could move an
/// attestation to another device. Squares and square roots of whole numbers are the same everywhere.
struct ZipfWeights {
    private let exponent: ZipfExponent
    // 2^(-1/2), 2^(-1/4), 2^(-1/8) and so on, as fractions of 2^63.
    private let roots: [UInt64]

    /// The weight of the first rank; others are exact to eleven digits of this one.
    static let first: UInt64 = 1 << 62

    /// Binary places of a logarithm.
    private static let bits = 40

    init(_ exponent: ZipfExponent) {
        self.exponent = exponent
        var (roots, root) = ([UInt64](), UInt64(1) << 62)
        for _ in 0..<Self.bits {
            root = Self.squareRoot(UInt128(root) << 63)
            roots.append(root)
        }
        self.roots = roots
    }

    /// The weight of a rank.
    ///
    /// - Parameter rank: 1 through 2^24.
    /// - Returns: At most ``first``; 0 where it is less than 2^-62 of that.
    func weight(ofRank rank: Int) -> UInt64 {
        guard exponent != .zero else { return Self.first }
        let power = Self.binaryLogarithm(of: UInt64(rank)) * exponent.thousandths / 1000
        let whole = power >> UInt64(Self.bits)
        guard whole < 62 else { return 0 }
        var weight = Self.first
        for (bit, root) in roots.enumerated() where power >> UInt64(Self.bits - 1 - bit) & 1 == 1 {
            let product = weight.multipliedFullWidth(by: root)
            weight = product.high << 1 | product.low >> 63
        }
        return weight >> whole
    }

    // The logarithm in units of 2^-40: squaring doubles a logarithm, which brings its next binary place in front of the point.
    private static func binaryLogarithm(of number: UInt64) -> UInt64 {
        let zeros = UInt64(number.leadingZeroBitCount)
        // The mantissa is from 1 up to 2, in units of 2^-63.
        var (mantissa, logarithm) = (number << zeros, (63 - zeros) << UInt64(bits))
        for bit in (0..<UInt64(bits)).reversed() {
            let square = mantissa.multipliedFullWidth(by: mantissa).high
            let isDoubled = square >> 63 == 1
            if isDoubled { logarithm |= 1 << bit }
            mantissa = isDoubled ? square : square << 1
        }
        return logarithm
    }

    // The greatest number whose square is not greater, a binary digit at a time.
    private static func squareRoot(_ number: UInt128) -> UInt64 {
        var root: UInt64 = 0
        for bit in (0..<64).reversed() {
            let candidate = root | 1 << UInt64(bit)
            if UInt128(candidate) * UInt128(candidate) <= number { root = candidate }
        }
        return root
    }
}
