extension PhotoFact {
    /// The facts of a photo, in the order in which they are stored and shown. A new one needs a property of `PhotoFacts`, a
    /// line here, and what reads it from the RAW.
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
        PhotoFact("keywords", \.keywords, label: nil, field: nil, origin: .people),
    ]
}
