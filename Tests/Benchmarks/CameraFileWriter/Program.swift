import CameraFiles
import Glibc
import Samples

/// `camera-files FOLDER [MEGAPIXELS [FORM…]]`: writes one scene in the formats of cameras and converters, a file for
/// each form.
@main
enum Program {
    static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let folder = words.first else { return print("usage: camera-files FOLDER [MEGAPIXELS [FORM…]]") }
        let size = Sample.size(megapixels: words.dropFirst().first.flatMap { Double($0) } ?? 24)
        let wanted = words.dropFirst(2)
        for form in CameraForm.all where wanted.isEmpty || wanted.contains(form.name) {
            let path = "\(folder)/\(form.name)"
            guard let file = fopen(path, "wb") else { return print("\(path) could not be made.") }
            let bytes = form.bytes(size)
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        }
    }
}
