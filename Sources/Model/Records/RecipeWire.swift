internal import Digest
internal import Jobs
internal import PictureFormat
internal import Wire

extension ColourSpace {
    var wire: Rawmill__V1__ColourSpace {
        switch self {
        case .sRGB: RAWMILL__V1__COLOUR_SPACE__COLOUR_SPACE_SRGB
        case .displayP3: RAWMILL__V1__COLOUR_SPACE__COLOUR_SPACE_DISPLAY_P3
        case .adobeRGB: RAWMILL__V1__COLOUR_SPACE__COLOUR_SPACE_ADOBE_RGB
        }
    }
}

extension JPEGSubsampling {
    var wire: Rawmill__V1__JPEGSubsampling {
        switch self {
        case .auto: RAWMILL__V1__JPEGSUBSAMPLING__JPEG_SUBSAMPLING_AUTO
        case .quarter: RAWMILL__V1__JPEGSUBSAMPLING__JPEG_SUBSAMPLING_420
        case .half: RAWMILL__V1__JPEGSUBSAMPLING__JPEG_SUBSAMPLING_422
        case .full: RAWMILL__V1__JPEGSUBSAMPLING__JPEG_SUBSAMPLING_444
        }
    }
}

extension PhotoFormat {
    var wire: Rawmill__V1__PhotoFormat {
        switch self {
        case .jpeg: RAWMILL__V1__PHOTO_FORMAT__PHOTO_FORMAT_JPEG
        case .tiff: RAWMILL__V1__PHOTO_FORMAT__PHOTO_FORMAT_TIFF
        case .png: RAWMILL__V1__PHOTO_FORMAT__PHOTO_FORMAT_PNG
        case .avif: RAWMILL__V1__PHOTO_FORMAT__PHOTO_FORMAT_AVIF
        case .jxl: RAWMILL__V1__PHOTO_FORMAT__PHOTO_FORMAT_JXL
        }
    }
}

extension PrivateDetail {
    var wire: Rawmill__V1__PrivateDetail {
        switch self {
        case .location: RAWMILL__V1__PRIVATE_DETAIL__PRIVATE_DETAIL_LOCATION
        case .paths: RAWMILL__V1__PRIVATE_DETAIL__PRIVATE_DETAIL_PATHS
        case .serial: RAWMILL__V1__PRIVATE_DETAIL__PRIVATE_DETAIL_SERIAL
        case .owner: RAWMILL__V1__PRIVATE_DETAIL__PRIVATE_DETAIL_OWNER
        }
    }
}

extension Recipe {
    /// The settings with fields of the record. All others are lines of the canonical text.
    private static let fields: Set<String> = [
        "look-strength", "exposure", "white-balance", "long-edge", "quality", "colour-space", "format",
        "noise-reduction", "strip", "subsampling", "progressive", "hdr", "sharpening", "lens", "lens-table",
        "camera-profiles",
    ]
    private static let lines = RecipeSetting.all.filter { !fields.contains($0.key) }

    func wire(_ arena: Arena) -> Rawmill__V1__Recipe {
        var recipe = Rawmill__V1__Recipe()
        rawmill__v1__recipe__init(&recipe)
        recipe.look = arena.bytes(Array(look.name.utf8))
        recipe.look_version = look.version
        recipe.look_digest = arena.bytes(look.digest.bytes)
        recipe.look_strength = lookStrength
        recipe.exposure_stops = exposureStops
        recipe.temperature_kelvin = whiteBalance?.kelvin ?? 0
        recipe.tint = whiteBalance?.tint ?? 0
        recipe.long_edge_pixels = longEdgePixels ?? 0
        recipe.quality = quality
        recipe.colour_space = colourSpace.wire
        recipe.keeps_noise = noiseReduction == 0 ? 1 : 0
        recipe.has_noise_reduction = noiseReduction == nil ? 0 : 1
        recipe.noise_reduction = noiseReduction ?? 0
        recipe.has_sharpening = sharpening == Self.usualSharpening ? 0 : 1
        recipe.sharpening = sharpening == Self.usualSharpening ? 0 : sharpening
        recipe.keeps_lens = keepsLens ? 1 : 0
        recipe.lens_table = arena.bytes(lensTable?.bytes ?? [])
        let details = PrivateDetail.allCases.filter(stripped.contains).map(\.wire)
        recipe.stripped = arena.array(details)
        recipe.n_stripped = details.count
        recipe.subsampling = subsampling.wire
        recipe.progressive = isProgressive ? 1 : 0
        recipe.gain_map = hasGainMap ? 1 : 0
        recipe.format = format.wire
        if let cameraProfiles { recipe.camera_profiles = arena.bytes(cameraProfiles.bytes) }
        let settings = Self.lines.compactMap { $0.line(of: self) }
        recipe.settings = arena.array(settings.map { arena.bytes(Array($0.utf8)) })
        recipe.n_settings = settings.count
        return recipe
    }

    init(wire recipe: Rawmill__V1__Recipe) throws(RecordError) {
        let name = try recipe.look.text("recipe.look")
        let digest = try recipe.look_digest.digest("recipe.look_digest")
        // Versions count up from 1, and there must always be a next one.
        let version = try inRange(recipe.look_version, 1...1_000_000_000, "recipe.look_version")
        guard let look = LookReference(name: name, version: version, digest: digest) else {
            throw .malformed("recipe.look is not a valid look name: \(name)")
        }
        var stripped: Set<PrivateDetail> = []
        for detail in values(recipe.n_stripped, recipe.stripped) {
            stripped.insert(try known(detail, "recipe.stripped") { (detail: PrivateDetail) in detail.wire })
        }
        // Older recipes have no value.
        let subsampling: JPEGSubsampling =
            recipe.subsampling.rawValue == 0
            ? .auto
            : try known(recipe.subsampling, "recipe.subsampling") { (choice: JPEGSubsampling) in choice.wire }
        // JPEG has the number of a missing field.
        let format: PhotoFormat =
            recipe.format.rawValue == 0
            ? .jpeg : try known(recipe.format, "recipe.format") { (format: PhotoFormat) in format.wire }
        self.init(
            look: look, lookStrength: recipe.look_strength, exposureStops: recipe.exposure_stops,
            whiteBalance: recipe.temperature_kelvin == 0
                ? nil : WhiteBalance(kelvin: recipe.temperature_kelvin, tint: recipe.tint),
            longEdgePixels: recipe.long_edge_pixels == 0 ? nil : recipe.long_edge_pixels, format: format,
            quality: recipe.quality, subsampling: subsampling, isProgressive: recipe.progressive != 0,
            hasGainMap: recipe.gain_map != 0,
            colourSpace: try known(recipe.colour_space, "recipe.colour_space") { (space: ColourSpace) in space.wire },
            noiseReduction: recipe.has_noise_reduction != 0
                ? recipe.noise_reduction : recipe.keeps_noise != 0 ? 0 : nil,
            sharpening: recipe.has_sharpening == 0 ? Self.usualSharpening : recipe.sharpening,
            keepsLens: recipe.keeps_lens != 0,
            lensTable: recipe.lens_table.len == 0 ? nil : try recipe.lens_table.digest("recipe.lens_table"),
            stripped: stripped,
            cameraProfiles: recipe.camera_profiles.len == 0
                ? nil : try recipe.camera_profiles.digest("recipe.camera_profiles"))
        for line in values(recipe.n_settings, recipe.settings) { try read(line.text("recipe.settings")) }
        if let problem { throw .malformed("recipe: \(problem)") }
    }

    private mutating func read(_ line: String) throws(RecordError) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw .malformed("recipe.settings: \(line)") }
        guard let setting = Self.lines.first(where: { $0.key == parts[0] }), setting.read(parts[1], into: &self) else {
            throw .newerWriter("recipe.settings: \(line)")
        }
    }
}
