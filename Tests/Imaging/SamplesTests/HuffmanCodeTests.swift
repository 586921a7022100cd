import Testing

@testable import Samples

@Suite("Huffman codes") struct HuffmanCodeTests {
    @Test("A code is prefix-free, no longer than 16 bits, and never all ones", arguments: 0..<40)
    func isUsable(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let steepness = random.next() % 40
        let frequencies = (0..<HuffmanCode.symbols).map { symbol -> Int in
            random.next() % 4 == 0 ? 0 : Int(1 << (UInt64(symbol) * steepness / 17)) + Int(random.next() % 3)
        }
        let code = HuffmanCode(frequencies: frequencies)
        var sum = 0.0
        for symbol in 0..<HuffmanCode.symbols {
            let length = code.lengths[symbol]
            #expect((length > 0) == (frequencies[symbol] > 0))
            guard length > 0 else { continue }
            #expect(length <= 16)
            #expect(code.codes[symbol] != (1 << length) - 1)
            sum += 1 / Double(1 << length)
        }
        #expect(sum < 1)
    }

    @Test("Frequent categories have codes no longer than rare ones")
    func isOptimalInOrder() {
        let frequencies = (0..<HuffmanCode.symbols).map { 1 << $0 }
        let code = HuffmanCode(frequencies: frequencies)
        for symbol in 1..<HuffmanCode.symbols { #expect(code.lengths[symbol] <= code.lengths[symbol - 1]) }
    }

    @Test("Adobe's code joins the higher of two equally rare categories first, and falls back to equal lengths")
    func adobe() {
        var frequencies = [Int](repeating: 0, count: HuffmanCode.symbols)
        frequencies[3...6] = [5, 1, 1, 20]
        let code = HuffmanCode(adobeFrequencies: frequencies)
        // The unused symbol joins category 5 first, then that pair category 4.
        #expect(code.lengths[3...6].map(Int.init) == [2, 3, 4, 1])
        let steep = HuffmanCode(adobeFrequencies: (0..<HuffmanCode.symbols).map { 1 << (2 * $0) })
        #expect(steep.lengths.allSatisfy { (4...5).contains($0) })
    }
}
