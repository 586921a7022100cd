extension PhotoFact {
    /// The facts of a photo, in the order of storage and display. A new one needs a property of `PhotoFacts`, a line
    /// here, and code that reads it from the RAW.
    public static let all: [PhotoFact] = [
        PhotoFact("make", \.make, label: "camera make", field: "make", origin: .identity),
        PhotoFact("model", \.model, label: "camera model", field: "model", origin: .identity),
        PhotoFact(
            "captured", \.captured, label: "captured", field: nil, origin: .identity,
            shown: { String($0.prefix(10).replacing(":", with: "-") + $0.dropFirst(10)) }),
        PhotoFact("degraded", \.degraded, label: nil, field: "degraded", origin: .identity),
        PhotoFact("lens", \.lens, label: "lens correction", field: nil, origin: .identity),
        PhotoFact(
            "rating", \.rating, in: -1...5, label: "rating", field: nil, origin: .people,
            shown: { $0 == 0 ? nil : $0 < 0 ? "rejected" : String(repeating: "★", count: Int($0)) }),
        PhotoFact("lensName", \.lensName, label: "lens", field: nil, origin: .exif),
        PhotoFact(
            "exposureSeconds", \.exposureSeconds, in: 0.000_001...1_000_000, label: "exposure", field: "shutter",
            origin: .exif, shown: { $0 < 0.3 ? "1/\(short((1 / $0).rounded())) s" : "\(short($0)) s" }),
        PhotoFact(
            "aperture", \.aperture, in: 0.1...1000, label: "aperture", field: "aperture", origin: .exif,
            shown: { "f/\(short($0))" }),
        PhotoFact("iso", \.iso, in: 1...100_000_000, label: "ISO", field: "iso", origin: .exif),
        PhotoFact(
            "focalLength", \.focalLength, in: 0.1...100_000, label: "focal length", field: "focal", origin: .exif,
            shown: { "\(short($0)) mm" }),
        PhotoFact(
            "focalLength35", \.focalLength35, in: 1...100_000, label: "focal length in 35 mm", field: "focal35",
            origin: .exif, shown: { "\($0) mm" }),
        PhotoFact("keywords", \.keywords, label: nil, field: nil, origin: .people),
    ]

    private static func short(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
    }
}
