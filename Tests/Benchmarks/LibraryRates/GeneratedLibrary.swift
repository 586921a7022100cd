import Database
import Digest
import Jobs
import LibraryTables
import Manifests
import PhotoTree

/// A library of any size with rows but no files, for measuring queries.
///
/// Photos are spread over twenty years and a dozen cameras, in one folder per month, as in archives. Most have one
/// recipe; some have one of thirty others. The same number of photos gives the same rows.
struct GeneratedLibrary {
    let folder: String
    let count: Int

    private static let cameras: [(make: String, model: String)] = [
        ("NIKON CORPORATION", "NIKON D850"), ("NIKON CORPORATION", "NIKON D70"), ("Canon", "Canon EOS 5D Mark IV"),
        ("Canon", "Canon EOS 300D"), ("SONY", "ILCE-7M3"), ("FUJIFILM", "X-T3"), ("OLYMPUS", "E-M1"),
        ("Panasonic", "DC-GH5"), ("LEICA CAMERA AG", "LEICA M10"), ("PENTAX", "K-1"), ("Apple", "iPhone 12 Pro"),
        ("Hasselblad", "X1D"),
    ]

    private static func recipes() -> [Recipe] {
        ["neutral", "velvet", "mono"].flatMap { name -> [Recipe] in
            guard let look = LookReference(name: name, version: 1, digest: SHA256Value(of: Array(name.utf8))) else {
                return []
            }
            return (0..<11).map { Recipe(look: look, exposureStops: Double($0 - 5) / 2, quality: $0 == 9 ? 80 : 92) }
        }
    }

    /// Creates the library unless it exists.
    func make() throws {
        if try LibraryStore(folder: folder, mode: .write).counts().photos >= count { return }
        let connection = try Connection(path: "\(folder)/\(LibraryLayout.database)")
        try connection.script("PRAGMA synchronous=OFF")
        let recipes = Self.recipes()
        try connection.transaction {
            for recipe in recipes {
                _ = try connection.run(
                    "INSERT OR IGNORE INTO recipes VALUES (?, ?, ?, ?, ?, ?)", recipe.id.bytes, recipe.look.name,
                    recipe.look.version, Adjustment.identifier, Adjustment.version, recipe.canonicalText)
            }
        }
        for start in stride(from: 0, to: count, by: 10_000) {
            try connection.transaction {
                for number in start..<min(count, start + 10_000) { try insert(number, recipes, connection) }
            }
        }
        try connection.script("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    private func insert(_ number: Int, _ recipes: [Recipe], _ connection: Connection) throws {
        let asset = SHA256Value(of: Array("photo \(number)".utf8))
        let recipe = recipes[number % 5 == 0 ? number / 5 % recipes.count : 5]
        let key = RenditionKey(
            asset: asset, frame: 0, recipe: recipe.id, engine: Engine.version, format: recipe.format)
        // One of 240 months of 28 days, in the order of the numbers.
        let month = number * 240 / count
        let (year, ofYear) = (2005 + month / 12, Self.two(1 + month % 12))
        let day = Self.two(1 + number * 240 % count * 28 / count)
        let camera = Self.cameras[asset.bytes[0] == 0 ? 11 : Int(asset.bytes[1]) % 11]
        let raw = "\(year)/\(ofYear)/IMG_\(number).NEF"
        _ = try connection.run("INSERT INTO assets VALUES (?, ?)", number + 1, asset.bytes)
        _ = try connection.run("INSERT INTO sorted_assets VALUES (?, ?)", asset.bytes, number + 1)
        _ = try connection.run(
            """
            INSERT INTO renditions VALUES
                (?, ?, 0, ?, ?, ?, ?, 6000, 4000, ?, 90000, 1024, 683, 'archive', ?, 25000000, 1, NULL, NULL, NULL, NULL,
                NULL, ?, ?, ?, ?, ?, ?, 'distortion by the file', 0, ?, NULL)
            """, key.bytes, number + 1, recipe.id.bytes, Engine.version, asset.bytes, 5_000_000 + number, asset.bytes,
            Array(raw.utf8), number % 1000 == 7 ? "colours far from the camera's" : nil,
            "\(year):\(ofYear):\(day) \(Self.two(number % 24)):\(Self.two(number % 60)):00", camera.make, camera.model,
            Array("IMG_\(number)".utf8), number, number % 9 == 0 ? number % 5 + 1 : 0)
        _ = try connection.run(
            "INSERT INTO tree VALUES (?, 0, ?, '', x'', ?, ?)", number + 1, recipe.variant, key.bytes,
            Array("photos/archive/\(year)/\(ofYear)/IMG_\(number).\(recipe.variant).jpg".utf8))
        _ = try connection.run(
            "INSERT INTO sightings VALUES (?, 'archive', ?, 25000000, 1, ?)", number + 1, Array(raw.utf8),
            Array("IMG_\(number)".utf8))
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
