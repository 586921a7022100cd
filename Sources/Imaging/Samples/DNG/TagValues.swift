enum DNGCompressionCode {
    static let none: UInt16 = 1
    static let jpeg: UInt16 = 7
}

enum Photometric {
    static let yCbCr: UInt16 = 6
    static let colourFilterArray: UInt16 = 32803
    static let linearRaw: UInt16 = 34892
}
