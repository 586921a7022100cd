import TIFF
import PictureFormat
import Pixels

extension DNGFacts {
    /// False if fields that decide the picture are unreadable or contradict each other. No camera writes such a file:
    /// it is damaged, and guessing would produce a wrong picture.
    var isSound: Bool {
        guard raw.unreadable.isDisjoint(with: Self.decidingTags), main.unreadable.isDisjoint(with: Self.decidingTags)
        else { return false }
        // LibRaw treats the invalid compression 0 as uncompressed.
        return size != nil && raw.compression != 0 && hasDepths && hasChunks
            && [1, 2].contains(raw.integer(.planarConfiguration) ?? 1) && hasFilters
            && hasLevels && [.rowInterleaveFactor, .columnInterleaveFactor].allSatisfy { (raw.integer($0) ?? 1) > 0 }
    }

    private static let decidingTags: Set<TIFFTag> = [
        .predictor, .sampleFormat, .rowInterleaveFactor, .columnInterleaveFactor,
        .imageWidth, .imageLength, .bitsPerSample, .compression, .photometricInterpretation, .stripOffsets,
        .orientation, .samplesPerPixel, .rowsPerStrip, .stripByteCounts, .planarConfiguration, .tileWidth, .tileLength,
        .tileOffsets, .tileByteCounts, .subIFDs, .cfaRepeatPatternDim, .cfaPattern, .dngVersion, .cfaPlaneColor,
        .cfaLayout, .linearizationTable, .blackLevelRepeatDim, .blackLevel, .whiteLevel, .defaultScale,
        .defaultCropOrigin, .defaultCropSize, .colorMatrix1, .colorMatrix2, .analogBalance, .asShotNeutral,
        .calibrationIlluminant1, .calibrationIlluminant2, .activeArea, .newRawImageDigest, .opcodeList1, .opcodeList2,
        .opcodeList3,
    ]

    /// One depth per sample of a pixel, or one for all.
    private var hasDepths: Bool { [1, samplesPerPixel].contains((raw.integers(.bitsPerSample) ?? [1]).count) }

    /// As many strips or tiles as the size needs.
    private var hasChunks: Bool {
        guard let size, let chunks = raw.chunks else { return false }
        let planes = raw.integer(.planarConfiguration) == 2 ? samplesPerPixel : 1
        if raw.has(.tileOffsets) {
            let edges = 1...65_535
            guard let width = raw.integer(.tileWidth), let height = raw.integer(.tileLength), edges.contains(width),
                edges.contains(height)
            else { return false }
            return chunks.count == (size.width + width - 1) / width * ((size.height + height - 1) / height) * planes
        }
        let rows = min(raw.integer(.rowsPerStrip) ?? size.height, size.height)
        return rows > 0 && chunks.count == (size.height + rows - 1) / rows * planes
    }

    /// Whether the planes are distinct valid colours that make up the pattern.
    private var hasFilters: Bool {
        guard isColourFilterArray else { return raw.isSensorPicture }
        let planes = raw.integers(.cfaPlaneColor) ?? [0, 1, 2]
        guard (1...4).contains(planes.count), Set(planes).count == planes.count, planes.allSatisfy({ $0 <= 6 }),
            (1...9).contains(raw.integer(.cfaLayout) ?? 1), let period = raw.integers(.cfaRepeatPatternDim),
            period.count == 2, period.allSatisfy({ $0 <= 65_535 }), let pattern = raw.integers(.cfaPattern),
            pattern.count == period[0] * period[1]
        else { return false }
        guard Set(pattern) == Set(planes) else { return false }
        return period != [2, 2] || Set(planes) != [0, 1, 2] || isBayer(pattern.compactMap { colour($0) })
    }

    private var hasLevels: Bool {
        guard let size, hasPlainSamples || numberForm != nil else { return true }
        guard let black = black(in: size), let lowest = (numberForm == nil ? white : numberWhite)?.min(),
            let highest = black.values.max()
        else { return false }
        return highest < lowest
    }
}
