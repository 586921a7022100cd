internal import Decode
internal import Encode
public import Jobs
public import Manifests
internal import PictureFormat
internal import Pixels
public import RenderJobs
public import Storage

extension RenderContext {
    /// Extracts the camera's picture from a job's RAW, as an upright JPEG. Nothing is rendered.
    ///
    /// - Parameters:
    ///   - size: requested size.
    ///   - job: names the source.
    ///   - files: the job's files.
    ///   - blank: receives the picture; stays empty if the RAW has none.
    /// - Returns: the reason why the RAW cannot be read; nil on success.
    public mutating func cameraPicture(
        _ size: CameraPictureSize, of job: Job, _ files: SourceFiles, into blank: BlankFile
    ) -> Failure? {
        defer { source.release() }
        do throws(Failure) {
            _ = try source.read(job.source, files)
            if let shown = try source.orientedPreview(of: job.source, isSmall: size == .small) {
                try write(shown, of: job.source, into: blank)
            }
            return nil
        } catch {
            return error
        }
    }

    private func write(_ shown: OrientedPreview, of raw: Source, into blank: BlankFile) throws(Failure) {
        let jpeg: [UInt8]
        switch shown.picture.format {
        case .jpeg: jpeg = shown.picture.bytes
        case .rgb8: jpeg = try encoded(shown.picture, of: raw)
        }
        guard let upright = UprightJPEG.made(of: jpeg, orientation: shown.orientation) else { return }
        _ = try catchingLibraryErrors { () throws(StorageError) in
            let written = unsafe upright.withUnsafeBytes { bytes in
                Result { () throws(StorageError) in try unsafe blank.fill(with: bytes) }
            }
            return try written.get()
        }
    }

    /// Encodes an uncompressed picture, as old cameras embed, scaled down if it is large.
    private func encoded(_ picture: EmbeddedPreview, of raw: Source) throws(Failure) -> [UInt8] {
        guard let small = SmallPicture(subsampling: picture.bytes, size: picture.size) else { return [] }
        return try catchingEncodeErrors(of: raw.raw.file) { () throws(EncodeError) in
            var encoder = JPEGEncoder(profiles: profiles)
            try encoder.encode(OutputImage(small), quality: RenderSettings.previewQuality, segments: .bare)
            return unsafe encoder.withBytes { unsafe Array($0) }
        }
    }
}

extension OutputImage {
    /// Converts RGB to Y′CbCr (ITU-T T.871).
    fileprivate init(_ picture: SmallPicture) {
        func plane(_ red: Float, _ green: Float, _ blue: Float, _ offset: Float) -> Plane<UInt8> {
            let plane = Plane<UInt8>(width: picture.size.width, height: picture.size.height)
            for y in 0..<picture.size.height {
                let row = unsafe plane.row(y)
                for x in 0..<picture.size.width {
                    let pixel = (y * picture.size.width + x) * 3
                    let value =
                        red * Float(picture.samples[pixel]) + green * Float(picture.samples[pixel + 1])
                        + blue * Float(picture.samples[pixel + 2]) + offset
                    unsafe row[x] = UInt8(max(0, min(255, value.rounded())))
                }
            }
            return plane
        }
        self.init(
            luma: plane(0.299, 0.587, 0.114, 0), cb: plane(-0.168736, -0.331264, 0.5, 128),
            cr: plane(0.5, -0.418688, -0.081312, 128), subsampling: .none, colourSpace: .sRGB)
    }
}
