public import Jobs

extension LibraryVerification {
    /// A defect of a library.
    public struct Finding: Hashable, Sendable {
        /// The defect. The raw value is for programs.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            case photoMissing = "photo-missing"
            case photoChanged = "photo-changed"
            case previewMissing = "preview-missing"
            case previewChanged = "preview-changed"
            case rootUnseen = "root-unseen"
            case rawMissing = "raw-missing"
            case rawChanged = "raw-changed"
            case cameraPhotoMissing = "camera-photo-missing"
            case copyMissing = "copy-missing"
            case copyChanged = "copy-changed"
            case linkMissing = "link-missing"
            case linkWrong = "link-wrong"
            case viewDamaged = "view-damaged"
            case photoEdited = "photo-edited"
            case unknownObject = "unknown-object"
            case unknownPreview = "unknown-preview"
            case unknownPhoto = "unknown-photo"
            case staleTemporary = "stale-temporary"
            case startedAttempt = "started-attempt"
            case unfinishedLink = "unfinished-link"
            case unremovedSource = "unremoved-source"
            case unfinishedRemoval = "unfinished-removal"
            case metadataUnreadable = "metadata-unreadable"
            case metadataNotRead = "metadata-not-read"
            case unreadable
        }

        /// The defect.
        public let kind: Kind
        /// The file; in the root `library` for the library's files.
        public let file: FileReference
        /// Further details; may be empty.
        public let detail: String
        /// True if it was repaired.
        public internal(set) var isRepaired = false

        init(_ kind: Kind, _ file: FileReference, _ detail: String = "") {
            self.kind = kind
            self.file = file
            self.detail = detail
        }

        init(_ kind: Kind, _ path: RelativePath, _ detail: String = "") {
            self.init(kind, FileReference(root: .library, path: path), detail)
        }

        func repaired() -> Finding {
            var copy = self
            copy.isRepaired = true
            return copy
        }
    }
}

extension LibraryVerification.Finding.Kind {
    /// The defect, as a clause to follow the file's name.
    public var statement: String {
        switch self {
        case .photoMissing: "the photo is missing"
        case .photoChanged: "the photo's bytes are not those that were rendered"
        case .previewMissing: "the preview is missing"
        case .previewChanged: "the preview's bytes are not those that were rendered"
        case .rootUnseen: "neither this RAW nor others of its root are there as they were"
        case .rawMissing: "the RAW is not where it was, and the library has no copy of it"
        case .rawChanged: "the RAW's bytes are not those the photo was made from"
        case .cameraPhotoMissing: "the camera's own JPEG is not where it was"
        case .copyMissing: "the RAW's copy is missing"
        case .copyChanged: "the RAW's copy does not have the RAW's bytes"
        case .linkMissing: "the photo is not shown: its file is missing here"
        case .linkWrong: "a file that Rawmill did not put there stands in the photo's place"
        case .viewDamaged: "the photo's bytes have changed here, although no program wrote to it"
        case .photoEdited: "the photo was edited here"
        case .unknownObject: "no photo of the library belongs to this file"
        case .unknownPreview: "no photo of the library belongs to this preview"
        case .unknownPhoto: "the library does not know this file"
        case .staleTemporary: "an unfinished file was left behind"
        case .startedAttempt: "a job was started and has not ended"
        case .unfinishedLink: "a photo's name is about to change"
        case .unfinishedRemoval: "the photo was removed from the library, and its file is still there"
        case .unremovedSource: "a RAW that was moved here has not been removed from its old location"
        case .metadataUnreadable: "its metadata could not be read"
        case .metadataNotRead: "its metadata was not read"
        case .unreadable: "the file cannot be read"
        }
    }

    /// The remedy, as a sentence.
    public var remedy: String {
        switch self {
        case .previewMissing, .previewChanged:
            "If the file is there and whole, run `rawmill library rebuild`, which takes it in. Otherwise restore it from a "
                + "backup, or `touch` its RAW and run `rawmill convert` again, which renders it anew."
        case .photoMissing, .photoChanged:
            "Run `rawmill library verify --repair`, which takes it from photos/ if it is whole there. Otherwise restore it "
                + "from a backup, or `touch` its RAW and run `rawmill convert` again, which renders it anew."
        case .rootUnseen:
            "Is the storage mounted there? RAWs of this root were not checked. If it is, and they have all left it, write a name of "
                + "your choice into .rawmill-root in that folder, and verify again."
        case .rawMissing: "The photo is not affected. Put the RAW back to be able to edit it again."
        case .rawChanged: "The photo is not affected. Run `rawmill convert` for the RAW as it is now."
        case .cameraPhotoMissing:
            "The photo is not affected. Put the JPEG back, or run `rawmill convert` again, which takes note of it."
        case .copyMissing, .copyChanged: "Restore it from a backup. The photo is not affected."
        case .linkMissing, .viewDamaged, .unfinishedLink, .unfinishedRemoval: "Run `rawmill library verify --repair`."
        case .linkWrong: "It stays. Run `rawmill library verify --repair` to show the photo under another name."
        case .photoEdited: "It stays as it is. Run `rawmill library verify --adopt-edits` to keep it as your own edit."
        case .unknownObject:
            "If a conversion is unfinished, run it again first. Otherwise `rawmill library verify --repair` takes in a photo."
        case .unknownPreview:
            "If a conversion is unfinished, run it again first. Otherwise run `rawmill library verify --repair`."
        case .unknownPhoto: "If you put it there, move it elsewhere. Otherwise run `rawmill library verify --repair`."
        case .staleTemporary: "Run `rawmill library verify --repair`."
        case .startedAttempt:
            "Run `rawmill convert` again, or a cluster's workers: the job ends, or they say why it cannot."
        case .unremovedSource:
            "Wait until the coordinator has confirmed it, or run `rawmill convert` again; or remove the RAW by hand."
        case .metadataUnreadable:
            "It stays as it is. It may be damaged, or made to do harm: find out where it came from before you open it."
        case .metadataNotRead: "It stays as it is. When that is put right, verify the library again."
        case .unreadable: "Check the disk and the permissions."
        }
    }
}
