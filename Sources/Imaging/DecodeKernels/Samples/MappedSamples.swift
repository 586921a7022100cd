/// Samples of eight bits, each by a table of its channel.
public enum MappedSamples {
    /// What the samples stand for. The first is of the first table's channel, the next one of the next table's, and so on.
    ///
    /// - Parameter tables: one or three of 256 entries; with others the result is empty.
    public static func map(_ samples: [UInt8], by tables: [[UInt16]]) -> [UInt16] {
        guard tables.count == 1 || tables.count == 3, tables.allSatisfy({ $0.count == 256 }) else { return [] }
        return [UInt16](unsafeUninitializedCapacity: samples.count) { mapped, count in
            samples.withUnsafeBufferPointer { samples in
                for (channel, table) in tables.enumerated() {
                    table.withUnsafeBufferPointer { table in
                        for x in stride(from: channel, to: samples.count, by: tables.count) {
                            mapped[x] = table[Int(samples[x])]
                        }
                    }
                }
            }
            count = samples.count
        }
    }
}
