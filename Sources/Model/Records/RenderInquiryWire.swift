internal import Digest
public import Manifests
internal import PictureFormat
internal import Processes
internal import Wire

extension RenderInquiry {
    /// The protobuf message `RenderInquiry`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `RenderInquiry` of at most `limit` bytes.
    public init(record bytes: [UInt8], limit: Int) throws(RecordError) {
        self = try unpacked(
            bytes, limit: limit, allocating: RecordLimit.inquiryAllocation(bytes), rawmill__v1__render_inquiry__unpack
        ) { (inquiry) throws(RecordError) in try RenderInquiry(wire: inquiry) }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RenderInquiry {
        var inquiry = Rawmill__V1__RenderInquiry()
        rawmill__v1__render_inquiry__init(&inquiry)
        switch self {
        case .libraries:
            var libraries = Rawmill__V1__LibrariesInquiry()
            rawmill__v1__libraries_inquiry__init(&libraries)
            inquiry.inquiry_case = RAWMILL__V1__RENDER_INQUIRY__INQUIRY_LIBRARIES
            inquiry.libraries = arena.pointer(to: libraries)
        case .cameras:
            var cameras = Rawmill__V1__CamerasInquiry()
            rawmill__v1__cameras_inquiry__init(&cameras)
            inquiry.inquiry_case = RAWMILL__V1__RENDER_INQUIRY__INQUIRY_CAMERAS
            inquiry.cameras = arena.pointer(to: cameras)
        case .cameraProfile(let bytes):
            inquiry.inquiry_case = RAWMILL__V1__RENDER_INQUIRY__INQUIRY_CAMERA_PROFILE
            inquiry.camera_profile = arena.bytes(bytes)
        case .cameraProfiles(let files):
            var profiles = Rawmill__V1__ProfileFiles()
            rawmill__v1__profile_files__init(&profiles)
            profiles.files = arena.list(files.map { $0.wire(arena) })
            profiles.n_files = files.count
            inquiry.inquiry_case = RAWMILL__V1__RENDER_INQUIRY__INQUIRY_CAMERA_PROFILES
            inquiry.camera_profiles = arena.pointer(to: profiles)
        }
        return inquiry
    }

    private init(wire inquiry: Rawmill__V1__RenderInquiry) throws(RecordError) {
        switch inquiry.inquiry_case {
        case RAWMILL__V1__RENDER_INQUIRY__INQUIRY_LIBRARIES: self = .libraries
        case RAWMILL__V1__RENDER_INQUIRY__INQUIRY_CAMERAS: self = .cameras
        case RAWMILL__V1__RENDER_INQUIRY__INQUIRY_CAMERA_PROFILE: self = .cameraProfile(inquiry.camera_profile.array)
        case RAWMILL__V1__RENDER_INQUIRY__INQUIRY_CAMERA_PROFILES:
            let profiles = try required(inquiry.camera_profiles, "camera_profiles")
            var files: [NamedFile] = []
            for file in list(profiles.n_files, profiles.files) {
                files.append(NamedFile(name: try file.name.text("files.name"), bytes: file.content.array))
            }
            self = .cameraProfiles(files)
        default: throw .newerWriter("the inquiry has an unknown kind")
        }
    }
}

extension RenderInquiry.NamedFile {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__ProfileFile {
        var file = Rawmill__V1__ProfileFile()
        rawmill__v1__profile_file__init(&file)
        file.name = arena.text(name, limit: .max)
        file.content = arena.bytes(bytes)
        return file
    }
}

extension RenderInquiryAnswer {
    /// The protobuf message `RenderInquiryAnswer`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `RenderInquiryAnswer` of at most `limit` bytes.
    public init(record bytes: [UInt8], limit: Int) throws(RecordError) {
        self = try unpacked(
            bytes, limit: limit, allocating: RecordLimit.inquiryAllocation(bytes),
            rawmill__v1__render_inquiry_answer__unpack
        ) { (answer) throws(RecordError) in try RenderInquiryAnswer(wire: answer) }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__RenderInquiryAnswer {
        var answer = Rawmill__V1__RenderInquiryAnswer()
        rawmill__v1__render_inquiry_answer__init(&answer)
        switch self {
        case .libraries(let libraries, let knowsCamerasAfter2020):
            var loaded = Rawmill__V1__LoadedLibraries()
            rawmill__v1__loaded_libraries__init(&loaded)
            loaded.libraries = arena.list(libraries.map { $0.wire(arena) })
            loaded.n_libraries = libraries.count
            loaded.knows_cameras_after_2020 = knowsCamerasAfter2020 ? 1 : 0
            answer.answer_case = RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_LIBRARIES
            answer.libraries = arena.pointer(to: loaded)
        case .cameras(let cameras, let libRaw):
            var known = Rawmill__V1__KnownCameras()
            rawmill__v1__known_cameras__init(&known)
            known.cameras = arena.list(cameras.map { $0.wire(arena) })
            known.n_cameras = cameras.count
            known.libraw_version = arena.text(libRaw, limit: .max)
            answer.answer_case = RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_CAMERAS
            answer.cameras = arena.pointer(to: known)
        case .cameraProfiles(let bytes):
            answer.answer_case = RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_CAMERA_PROFILES
            answer.camera_profiles = arena.bytes(bytes)
        case .refused(let reason):
            answer.answer_case = RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_REFUSED
            answer.refused = arena.text(reason, limit: RecordLimit.message)
        }
        return answer
    }

    private init(wire answer: Rawmill__V1__RenderInquiryAnswer) throws(RecordError) {
        switch answer.answer_case {
        case RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_LIBRARIES:
            let loaded = try required(answer.libraries, "libraries")
            var libraries: [LoadedLibrary] = []
            for library in list(loaded.n_libraries, loaded.libraries) {
                libraries.append(try LoadedLibrary(wire: library))
            }
            self = .libraries(libraries, knowsCamerasAfter2020: loaded.knows_cameras_after_2020 != 0)
        case RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_CAMERAS:
            let known = try required(answer.cameras, "cameras")
            var cameras: [KnownCamera] = []
            for camera in list(known.n_cameras, known.cameras) { cameras.append(try KnownCamera(wire: camera)) }
            self = .cameras(cameras, libRaw: try known.libraw_version.text("libraw_version"))
        case RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_CAMERA_PROFILES:
            self = .cameraProfiles(answer.camera_profiles.array)
        case RAWMILL__V1__RENDER_INQUIRY_ANSWER__ANSWER_REFUSED: self = .refused(try answer.refused.text("refused"))
        default: throw .newerWriter("the answer has an unknown kind")
        }
    }
}

extension LoadedLibrary {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__RenderLibrary {
        var library = Rawmill__V1__RenderLibrary()
        rawmill__v1__render_library__init(&library)
        library.name = arena.text(name, limit: .max)
        library.version = arena.optionalText(version)
        library.file = arena.optionalText(file)
        return library
    }

    fileprivate init(wire library: Rawmill__V1__RenderLibrary) throws(RecordError) {
        self.init(
            name: try library.name.text("libraries.name"), version: try text(library.version, "libraries.version"),
            file: try text(library.file, "libraries.file"))
    }
}

extension KnownCamera {
    fileprivate func wire(_ arena: Arena) -> Rawmill__V1__CameraSupport {
        var camera = Rawmill__V1__CameraSupport()
        rawmill__v1__camera_support__init(&camera)
        camera.make = arena.text(make, limit: .max)
        camera.model = arena.text(model, limit: .max)
        camera.unpacker = unpacker.wire
        camera.colour_matrix = hasColourMatrix ? 1 : 0
        return camera
    }

    fileprivate init(wire camera: Rawmill__V1__CameraSupport) throws(RecordError) {
        self.init(
            make: try camera.make.text("cameras.make"), model: try camera.model.text("cameras.model"),
            unpacker: try known(camera.unpacker, "cameras.unpacker") { (unpacker: Unpacker) in unpacker.wire },
            hasColourMatrix: camera.colour_matrix != 0)
    }
}

extension KnownCamera.Unpacker {
    fileprivate var wire: Rawmill__V1__SampleUnpacker {
        switch self {
        case .rawmill: RAWMILL__V1__SAMPLE_UNPACKER__SAMPLE_UNPACKER_RAWMILL
        case .libraw: RAWMILL__V1__SAMPLE_UNPACKER__SAMPLE_UNPACKER_LIBRAW
        }
    }
}
