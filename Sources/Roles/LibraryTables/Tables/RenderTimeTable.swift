internal import Database
public import Manifests

/// Render times of one camera's photos.
public struct RenderTime: Hashable, Sendable {
    /// The camera, as in `PhotoFacts.camera`.
    public let camera: String
    /// The engine that rendered them.
    public let engine: UInt32
    /// Number of photos.
    public let photos: Int
    /// The time of all stages for all photos.
    public let microseconds: UInt64

    /// Memberwise initializer.
    public init(camera: String, engine: UInt32, photos: Int, microseconds: UInt64) {
        self.camera = camera
        self.engine = engine
        self.photos = photos
        self.microseconds = microseconds
    }

    /// Render times by camera and engine. Photos that were not rendered, or have no times, do not count.
    public static func all(of renditions: [Rendition]) -> [RenderTime] {
        struct Kind: Hashable {
            let camera: String
            let engine: UInt32
        }
        var sums: [Kind: (photos: Int, microseconds: UInt64)] = [:]
        for rendition in renditions where rendition.reused == nil && !rendition.timings.isEmpty {
            let kind = Kind(camera: rendition.facts.camera, engine: rendition.engine)
            var sum = sums[kind] ?? (0, 0)
            sum.photos += 1
            sum.microseconds += rendition.timings.reduce(0) { min(longest, $0 + min(longest, $1.microseconds)) }
            sums[kind] = sum
        }
        return sums.map {
            RenderTime(
                camera: $0.key.camera, engine: $0.key.engine, photos: $0.value.photos,
                microseconds: $0.value.microseconds)
        }
    }

    /// One hour. Workers may report any number; this limit keeps sums within a row.
    private static let longest: UInt64 = 3_600_000_000
}

/// An estimate of photos' render time.
public struct RenderEstimate: Hashable, Sendable {
    /// Seconds with one render process.
    public let seconds: Double
    /// Number of photos with measured cameras; the others count with their average.
    public let measured: Int

    /// Memberwise initializer.
    public init(seconds: Double, measured: Int) {
        self.seconds = seconds
        self.measured = measured
    }
}

/// The table `render_times`: render times by camera and engine. Functions throw `LibraryError`.
public struct RenderTimeTable {
    /// Above this number of photos, earlier ones count half, so that the present machines decide.
    private static let memory = 1000
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Adds render times, within the transaction that merges the photos.
    public func add(_ times: [RenderTime]) throws {
        try database.perform { connection in
            for time in times {
                _ = try connection.run(
                    """
                    INSERT INTO render_times VALUES (?, ?, ?, ?) ON CONFLICT (camera, engine) DO UPDATE SET
                        photos = excluded.photos + CASE WHEN render_times.photos < \(Self.memory)
                            THEN render_times.photos ELSE render_times.photos / 2 END,
                        microseconds = excluded.microseconds + CASE WHEN render_times.photos < \(Self.memory)
                            THEN render_times.microseconds ELSE render_times.microseconds / 2 END
                    """, time.camera, Int64(time.engine), time.photos, time.microseconds)
            }
        }
    }

    /// All render times, ordered by camera and engine.
    public func all() throws -> [RenderTime] {
        try database.perform { connection in
            try connection.all(
                "SELECT camera, engine, photos, microseconds FROM render_times ORDER BY camera, engine"
            ) { row in
                RenderTime(
                    camera: row.text(0), engine: UInt32(clamping: row.integer(1)), photos: Int(row.integer(2)),
                    microseconds: UInt64(clamping: row.integer(3)))
            }
        }
    }

    /// Estimates photos' render time from earlier photos of their cameras, with the newest engine that rendered any.
    ///
    /// - Parameter cameras: number of photos by camera.
    /// - Returns: nil if no photo was measured.
    public func estimate(of cameras: [String: Int]) throws -> RenderEstimate? {
        let newest = Dictionary(try all().lazy.filter { $0.photos > 0 }.map { ($0.camera, $0) }) { $1 }
        let known = cameras.compactMap { camera, count in newest[camera].map { (time: $0, count: count) } }
        let others = known.isEmpty ? Array(newest.values) : known.map(\.time)
        let photos = others.reduce(0.0) { $0 + Double($1.photos) }
        guard photos > 0 else { return nil }
        let average = others.reduce(0.0) { $0 + Double($1.microseconds) } / photos
        let measured = known.reduce(0) { $0 + $1.count }
        let unknown = cameras.values.reduce(0, +) - measured
        let microseconds = known.reduce(Double(unknown) * average) {
            $0 + Double($1.count) * Double($1.time.microseconds) / Double($1.time.photos)
        }
        return RenderEstimate(seconds: microseconds / 1e6, measured: measured)
    }
}
