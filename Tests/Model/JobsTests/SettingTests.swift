import Digest
import Jobs
import PictureFormat
import Testing

@Suite("Settings") struct SettingTests {
    private func recipe() throws -> Recipe { Recipe(look: try RecipeTests.look()) }

    /// For each setting, a text that is not its default, and an invalid one.
    static let texts: [(name: String, text: String, line: String, wrong: String)] = [
        ("strength", "0.5", "look-strength=0.5", "1.5"), ("exposure", "-1", "exposure=-1.0", "11"),
        ("white-balance", "5200,-10", "white-balance=5200.0,-10.0", "900"),
        ("long-edge", "2048", "long-edge=2048", "3"),
        ("quality", "80", "quality=80", "101"), ("colour-space", "display-p3", "colour-space=display-p3", "P3"),
        ("format", "avif", "format=avif", "gif"), ("noise", "0", "noise-reduction=off", "2"),
        ("strip", "serial,location", "strip=location,serial", "all,owner"),
        ("subsampling", "444", "subsampling=444", "411"), ("progressive", "true", "progressive=on", "on"),
        ("hdr", "1", "hdr=on", "yes"), ("sharpen", "0", "sharpening=0.0", "-0.1"), ("lens", "off", "lens=off", "on"),
        ("brightness", "exposed", "brightness=exposed", "dark"),
    ]

    @Test("A user's text becomes a line of the canonical text, and can be read again", arguments: texts)
    func written(name: String, text: String, line: String, wrong: String) throws {
        let setting = try #require(RecipeSetting.named(name))
        var recipe = try recipe()
        #expect(setting.isUsual(in: recipe))
        #expect(!setting.set(wrong, in: &recipe))
        #expect(setting.set(text, in: &recipe))
        #expect(setting.line(of: recipe) == line)
        #expect(recipe.canonicalText.contains("\n\(line)\n"))
        #expect(!setting.isUsual(in: recipe))
        var again = try self.recipe()
        #expect(setting.set(setting.text(in: recipe), in: &again))
        #expect(again == recipe)
        setting.reset(in: &again)
        #expect(try again == self.recipe())
    }

    @Test("Every setting is tested, and its default is one of its values")
    func complete() throws {
        let options = RecipeSetting.all.compactMap(\.option)
        #expect(options.map(\.name).filter { name in !Self.texts.contains { $0.name == name } } == [])
        for setting in RecipeSetting.all {
            guard let usual = setting.option?.usual else { continue }
            #expect(setting.isValue(usual), "\(setting.key)")
        }
        #expect(Set(SettingOption.all.map(\.name)).count == SettingOption.all.count)
        #expect(Set(RecipeSetting.all.map(\.key)).count == RecipeSetting.all.count)
    }

    @Test("A setting that another format lacks is named")
    func formats() throws {
        var recipe = try recipe()
        recipe.format = .tiff
        recipe.quality = 80
        #expect(recipe.problem?.contains("quality") == true)
        (recipe.quality, recipe.hasGainMap) = (Recipe.usualQuality, true)
        #expect(recipe.problem?.contains("hdr") == true)
    }
}
