package import Figures
package import Replay

extension DeviceProfiles {
    /// The devices that change sides by the values of each key.
    ///
    /// - Parameter top: The most values of a key.
    package func valueHits(top: Int) -> ValueHits {
        let values = values
        var devices = Array(repeating: 0, count: values.count)
        var (rejected, accepted) = (devices, devices)
        forEachDevice { numbers, count in
            for index in numbers.indices {
                devices[Int(numbers[index])] += count.devices
                rejected[Int(numbers[index])] += count.affected
            }
        }
        forEachAcceptedDevice { numbers in
            for index in numbers.indices { accepted[Int(numbers[index])] += 1 }
        }
        func hits(_ turned: [Int]) -> [ValueHits.Key] {
            keys.indices.map { key in
                let hit = values.indices.filter { values[$0].key == key && turned[$0] > 0 }
                let sorted = hit.sorted { left, right in
                    turned[left] == turned[right]
                        ? values[left].precedes(values[right]) : turned[left] > turned[right]
                }
                let shown = sorted.prefix(top).map {
                    ValueHits.Value(values[$0].text, devices: devices[$0], turned: turned[$0])
                }
                return ValueHits.Key(key: keys[key], different: hit.count, values: shown)
            }
        }
        return ValueHits(rejected: hits(rejected), accepted: hits(accepted))
    }
}
