import Pixels
import Testing

struct StreamingTests {
    @Test("Samples go past the caches to any place, from any place, however many, and nothing beside them is touched")
    func anywhere() {
        let samples = (0..<256).map { _ in UInt16.random(in: 1...(.max)) }
        for start in 0..<40 {
            for count in [0, 1, 31, 32, 33, 64, 95, 100, 128] {
                for offset in [0, 1, 7] {
                    let target = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 256)
                    defer { target.deallocate() }
                    target.initialize(repeating: 0)
                    samples.withUnsafeBytes { bytes in
                        guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
                        Streaming.copy(from + 2 * offset, to: to + start, count: count)
                        Streaming.settle()
                    }
                    let before = [UInt16](repeating: 0, count: start)
                    let after = [UInt16](repeating: 0, count: 256 - start - count)
                    #expect(Array(target) == before + samples[offset..<offset + count] + after)
                }
            }
        }
    }
}
