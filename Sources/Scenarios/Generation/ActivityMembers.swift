internal import PolicyEngine

/// The devices of one rhythm, and how often each of them attests compared with the others.
struct ActivityMembers {
    let rhythm: Rhythm
    /// Numbers over all groups.
    private(set) var devices: [UInt32] = []
    /// By place in ``devices``; all weights of all rhythms together stay below 2^63.
    private(set) var weights: [UInt64] = []

    /// Sorts the devices of groups by rhythm, in the order in which rhythms come up first.
    ///
    /// A device of a group without other activity has the same share of all attestations as any other; its group's
    /// weight multiplies that, and its rank within the group makes it more or less, so that the group's share stays.
    static func of(_ groups: [DeviceGroup]) -> [ActivityMembers] {
        let shares = groups.map { UInt64($0.count) * UInt64($0.activity.weight) }
        // As fine as it can be.
        let shift = max(1, shares.reduce(0, +).leadingZeroBitCount) - 1
        var (all, first) = ([ActivityMembers](), 0)
        for (group, share) in zip(groups, shares) {
            let known = all.firstIndex { $0.rhythm == group.activity.rhythm }
            let place = known ?? all.count
            if known == nil { all.append(ActivityMembers(rhythm: group.activity.rhythm)) }
            all[place].add(group, from: first, share: share << UInt64(shift))
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

    /// How much comes of these devices in a span of time, where one day of all of them is their weight.
    func activity(in span: Range<Instant>) -> UInt128 {
        let weight = weights.reduce(UInt128(0)) { $0 + UInt128($1) }
        return weight * UInt128(rhythm.activity(in: span)) / UInt128(rhythm.dailyActivity)
    }
}
