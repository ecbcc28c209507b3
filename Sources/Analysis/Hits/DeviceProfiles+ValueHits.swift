package import Figures
package import Replay

extension DeviceProfiles {
    /// The newly rejected devices by the values of each key; keys in their order.
    ///
    /// - Parameter top: The most values of a key.
    package func valueHits(top: Int) -> [ValueHits] {
        let values = values
        var counts = values.map { ValueHits.Value($0.text) }
        forEachDevice { numbers, count in
            for index in numbers.indices {
                let number = Int(numbers[index])
                counts[number].devices += count.devices
                counts[number].rejected += count.affected
            }
        }
        return keys.indices.map { key in
            let hit = values.indices.filter { values[$0].key == key && counts[$0].rejected > 0 }
            let sorted = hit.sorted { left, right in
                let (before, after) = (counts[left].rejected, counts[right].rejected)
                return before == after ? values[left].precedes(values[right]) : before > after
            }
            var hits = ValueHits(key: keys[key])
            (hits.different, hits.values) = (hit.count, sorted.prefix(top).map { counts[$0] })
            return hits
        }
    }
}
