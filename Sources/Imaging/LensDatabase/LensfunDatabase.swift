internal import CLensfun
public import Lenses

/// The Lensfun database of this machine: Debian's, its updates, and the user's own folder.
public enum LensfunDatabase {
    /// Reads the database, which takes a tenth of a second.
    ///
    /// - Returns: nil if there is none.
    public static func table() -> LensTable? {
        guard let database = unsafe lf_db_new() else { return nil }
        defer { unsafe lf_db_destroy(database) }
        guard unsafe lf_db_load(database) == LF_NO_ERROR else { return nil }
        let lenses = unsafe entries(lf_db_get_lenses(database)).compactMap { unsafe LensRecord($0.pointee) }
        let cameras = unsafe entries(lf_db_get_cameras(database)).map { unsafe CameraRecord($0.pointee) }
        let compatible = unsafe entries(lf_db_get_mounts(database)).map { unsafe mount($0.pointee) }
        let mounts = Dictionary(compatible.filter { !$0.1.isEmpty }, uniquingKeysWith: { $0 + $1 })
        let table = LensTable(cameras: cameras, lenses: lenses, compatibleMounts: mounts)
        return table.lenses.isEmpty ? nil : table
    }

    private static func mount(_ mount: lfMount) -> (String, [String]) {
        unsafe (texts(mount.Name).first ?? "", entries(mount.Compat).map { unsafe String(cString: $0) })
    }

    fileprivate static func entries<Entry>(
        _ list: UnsafePointer<UnsafePointer<Entry>?>?
    ) -> [UnsafePointer<Entry>] {
        guard let list = unsafe list else { return unsafe [] }
        var found: [UnsafePointer<Entry>] = unsafe []
        var index = 0
        while let entry = unsafe list[index] {
            unsafe found.append(entry)
            index += 1
        }
        return unsafe found
    }

    fileprivate static func entries<Entry>(
        _ list: UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>?
    ) -> [UnsafePointer<Entry>] {
        guard let list = unsafe list else { return unsafe [] }
        var found: [UnsafePointer<Entry>] = unsafe []
        var index = 0
        while let entry = unsafe list[index] {
            unsafe found.append(UnsafePointer(entry))
            index += 1
        }
        return unsafe found
    }

    /// The texts of a name in several languages: the default, then pairs of language and text, separated by zeros, with
    /// an empty one at the end.
    fileprivate static func texts(_ name: UnsafePointer<CChar>?) -> [String] {
        guard var next = unsafe name else { return [] }
        var parts: [String] = []
        while true {
            let part = unsafe String(cString: next)
            if part.isEmpty { break }
            parts.append(part)
            unsafe next += part.utf8.count + 1
        }
        var texts: [String] = []
        for index in parts.indices where index == 0 || index % 2 == 0 {
            if !texts.contains(parts[index]) { texts.append(parts[index]) }
        }
        return texts
    }
}

extension CameraRecord {
    fileprivate init(_ camera: lfCamera) {
        unsafe self.init(
            makers: LensfunDatabase.texts(camera.Maker), models: LensfunDatabase.texts(camera.Model),
            variant: LensfunDatabase.texts(camera.Variant).first ?? "",
            mount: camera.Mount.map { unsafe String(cString: $0) } ?? "", cropFactor: camera.CropFactor)
    }
}

extension LensRecord {
    /// Converts a lens; nil without measurements that can be corrected.
    fileprivate init?(_ lens: lfLens) {
        let distortion = unsafe LensfunDatabase.entries(lens.CalibDistortion).compactMap {
            unsafe DistortionPoint($0.pointee)
        }
        let colour = unsafe LensfunDatabase.entries(lens.CalibTCA).compactMap { unsafe LateralColourPoint($0.pointee) }
        let vignetting = unsafe LensfunDatabase.entries(lens.CalibVignetting).compactMap {
            unsafe VignettingPoint($0.pointee)
        }
        guard !distortion.isEmpty || !colour.isEmpty || !vignetting.isEmpty else { return nil }
        unsafe self.init(
            makers: LensfunDatabase.texts(lens.Maker), names: LensfunDatabase.texts(lens.Model),
            mounts: LensfunDatabase.entries(lens.Mounts).map { unsafe String(cString: $0) },
            focalLengths: SIMD2(lens.MinFocal, lens.MaxFocal), minAperture: lens.MinAperture,
            sensor: CalibrationSensor(
                cropFactor: lens.CropFactor, aspectRatio: lens.AspectRatio, centre: SIMD2(lens.CenterX, lens.CenterY)),
            distortion: distortion, lateralColour: colour, vignetting: vignetting)
    }
}

extension DistortionPoint {
    fileprivate init?(_ point: lfLensCalibDistortion) {
        let model: Model
        switch point.Model {
        case LF_DIST_MODEL_POLY3: model = .poly3
        case LF_DIST_MODEL_POLY5: model = .poly5
        case LF_DIST_MODEL_PTLENS: model = .ptlens
        default: return nil
        }
        let terms = point.Terms
        self.init(model: model, focalLength: point.Focal, terms: SIMD3(terms.0, terms.1, terms.2))
    }
}

extension LateralColourPoint {
    fileprivate init?(_ point: lfLensCalibTCA) {
        let terms = point.Terms
        switch point.Model {
        case LF_TCA_MODEL_LINEAR:
            self.init(focalLength: point.Focal, red: SIMD3(terms.0, 0, 0), blue: SIMD3(terms.1, 0, 0))
        case LF_TCA_MODEL_POLY3:
            // By power, red and blue alternating.
            self.init(
                focalLength: point.Focal, red: SIMD3(terms.0, terms.2, terms.4), blue: SIMD3(terms.1, terms.3, terms.5))
        default: return nil
        }
    }
}

extension VignettingPoint {
    fileprivate init?(_ point: lfLensCalibVignetting) {
        guard point.Model == LF_VIGNETTING_MODEL_PA else { return nil }
        let terms = point.Terms
        self.init(
            focalLength: point.Focal, aperture: point.Aperture, distance: point.Distance,
            terms: SIMD3(terms.0, terms.1, terms.2))
    }
}
