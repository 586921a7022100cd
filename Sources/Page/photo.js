// One photo: large, against the camera's own picture, with all that is known of it and all that can be done to it.

import { get, object, post, query } from "./api.js";
import { Adjustments, resetButton, settingsOf } from "./adjustments.js";
import { askForName, attempt, complain, notice } from "./dialogs.js";
import { Compare } from "./compare.js";
import { editOf, whenEditsChange } from "./edits.js";
import { button, element, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { setKeys } from "./keys.js";
import { knownLooks } from "./known-looks.js";
import { currentID, order } from "./orders.js";
import { editProblem, photoFacts } from "./photo-facts.js";
import { lastWall, revise } from "./photo-wall.js";
import { edgeFor } from "./pictures.js";
import { mayEdit } from "./session.js";
import { TryOut } from "./try-out.js";
import { captured, megapixels } from "./words.js";

const address = (id) => `#/photo/${encodeURIComponent(id)}`;

export async function showPhoto(place, route) {
    const page = new PhotoPage(place);
    await page.load(route.argument);
    return {
        close: () => page.close(),
        follow(next) {
            page.load(next.argument).catch(complain);
            return true;
        },
    };
}

class PhotoPage {
    constructor(place) {
        this.compare = new Compare();
        this.tryOut = new TryOut({
            show: (picture) => this.showTried(picture),
            tell: (text, error) => {
                say(this.said, text);
                this.said.classList.toggle("problem", Boolean(error));
            },
        });
        this.said = element("p", { class: "said quiet", role: "status" });
        this.title = element("h1", {});
        this.about = element("p", { class: "quiet" });
        this.previous = element("a", { class: "button", "aria-label": "Previous photo", title: "Previous (←)" }, "‹");
        this.next = element("a", { class: "button", "aria-label": "Next photo", title: "Next (→)" }, "›");
        this.actions = element("div", { class: "actions" });
        this.views = element("div", { class: "actions views", role: "group", "aria-label": "View" });
        this.panel = element("aside", { class: "panel", "aria-label": "Details" });
        replace(place,
            element("div", { class: "photo-head" },
                element("a", { class: "button", href: "#/gallery", "aria-label": "Back to gallery", title: "Gallery (Esc)", onclick: (event) => this.back(event) }, "←"),
                element("div", { class: "photo-title" }, this.title, this.about),
                element("div", { class: "actions" }, this.previous, this.next)),
            element("div", { class: "photo-body" },
                element("div", { class: "photo-main" }, this.compare.element, element("div", { class: "photo-bar" }, this.views, this.actions)),
                this.panel));
        const again = calmly(() => this.changedElsewhere(), 300);
        this.stops = [listen("library", (event) => this.libraryChanged(event, again)), listen("batches", () => this.ordered && again()),
            whenEditsChange(() => this.photo && this.showEdit()), () => again.stop()];
        setKeys("Photo", this.keys());
    }

    close() {
        this.isClosed = true;
        this.tryOut.stop();
        for (const stop of this.stops) stop();
    }

    // A key that is pressed meanwhile means the photo that comes.
    load(id) {
        if (this.coming !== id) {
            this.coming = id;
            this.loaded = this.read(id).finally(() => {
                if (this.coming === id) this.coming = null;
            });
        }
        return this.loaded;
    }

    // To the neighbour of the photo that is shown, or is about to be.
    turn(way) {
        this.loaded.then(() => {
            const id = this.photo[way];
            if (!id) return;
            location.hash = address(id);
            this.load(id).catch(complain);
        });
    }

    async read(id) {
        const [photo, looks] = await Promise.all([get(`/v1/photos/${encodeURIComponent(id)}`), knownLooks()]);
        if (this.isClosed) return;
        this.looks = looks;
        this.ordered = null;
        this.tryOut.stop();
        this.photo = photo;
        document.title = `${photo.name} · Rawmill`;
        say(this.title, photo.name);
        say(this.about, [photo.folder, `${photo.width} × ${photo.height} (${megapixels(photo)} MP)`, captured(photo.captured), photo.camera].filter(Boolean).join(" · "));
        this.link(this.previous, photo.previous);
        this.link(this.next, photo.next);
        this.compare.zoom(false);
        this.compare.size(photo.width, photo.height);
        this.view(photo.cameraPreview && this.shownView === "camera" ? "camera" : "photo");
        this.showActions();
        this.showPanel();
        this.showEdit();
        // The neighbours come at once when asked for.
        for (const near of [photo.next, photo.previous]) if (near) new Image().src = object(near, "preview", { edge: this.edge });
    }

    get edge() {
        return edgeFor(this.compare.element.clientWidth || 1024);
    }

    link(anchor, id) {
        if (id) anchor.href = address(id);
        else anchor.removeAttribute("href");
        anchor.setAttribute("aria-disabled", String(!id));
    }

    back(event) {
        event?.preventDefault();
        location.hash = lastWall();
    }

    // "photo" alone, "camera" against the camera's picture, "before" the try-out against the photo as it is.
    view(kind) {
        this.shownView = kind;
        const { photo, compare } = this;
        const tried = this.tryOut.address;
        const own = object(photo.id, compare.zoomed ? "photo" : "preview", compare.zoomed ? {} : { edge: this.edge });
        const edit = editOf(photo.id);
        const coming = edit?.state === "rendering" ? edit.preview : null;
        compare.show(tried ?? coming ?? own, tried ? "on trial" : coming ? `${edit.look}, being rendered` : photo.look, photo.name);
        if (kind === "camera") compare.against(object(photo.id, "camera"), "camera", () => this.lacksCamera(photo));
        else if (kind === "before") compare.against(own, "as it is");
        else compare.against(null, "");
        compare.compare(kind !== "photo");
        this.showViews();
    }

    // A RAW tells only when it is read whether the camera put a picture into it.
    lacksCamera(photo) {
        photo.cameraPreview = false;
        if (this.photo !== photo || this.shownView !== "camera") return;
        notice("The camera put no picture into this RAW.", { remedy: "There is no picture to compare with." });
        this.view("photo");
    }

    showTried(picture) {
        this.compare.show(picture, "on trial", this.photo.name);
        this.compare.rightLabel.textContent = "on trial";
        this.showViews();
    }

    showViews() {
        const choice = (kind, label, there = true, title = "") => there && button(label, () => this.view(kind),
            { "aria-pressed": String(this.shownView === kind), title });
        replace(this.views,
            choice("photo", "Photo"),
            choice("camera", "Compare with camera", this.photo.cameraPreview, "Compare with the camera's picture (C)"),
            choice("before", "Before/after", this.tryOut.address !== null, "Compare your changes with the current photo (B)"),
            button("1 : 1", () => this.toggleZoom(), { "aria-pressed": String(Boolean(this.compare.zoomed)), title: "Show at 1:1 (Z)" }));
    }

    toggleZoom() {
        this.compare.zoom(!this.compare.zoomed);
        this.view(this.shownView);
    }

    showActions() {
        const { photo } = this;
        replace(this.actions,
            mayEdit() ? this.undo = button("Undo", () => this.revise("undo"), { disabled: !photo.canUndo, title: "Undo the last edit (U)" }) : null,
            mayEdit() ? this.redo = button("Redo", () => this.revise("redo"), { disabled: !photo.canRedo, title: "Redo (R)" }) : null,
            element("a", { class: "button", href: object(photo.id, "photo", { download: 1 }), download: photo.name, title: "Download the photo (D)" }, "Photo ↓"),
            photo.raw?.isThere
                ? element("a", { class: "button", href: object(photo.id, "raw", { download: 1 }), download: photo.raw.name, title: photo.raw.name }, "RAW ↓")
                : null);
    }

    showPanel() {
        const { photo } = this;
        replace(this.panel,
            photo.degraded ? element("p", { class: "strip warn" }, photo.degraded) : null,
            this.developSection(),
            ...photoFacts(photo, { address, revert: mayEdit() ? (number) => this.revise("revert", { to: number }) : null }),
            mayEdit() ? element("div", { class: "actions" }, button("Add to album…", () => this.addToAlbum(), { title: "Add to an album (A)" })) : null);
    }

    developSection() {
        const { photo } = this;
        if (!mayEdit()) return null;
        if (photo.final) {
            return element("section", {}, element("h2", {}, "Develop"), element("p", { class: "quiet" }, photo.final));
        }
        const settings = settingsOf(photo);
        this.adjustments = new Adjustments({ looks: this.looks, settings, changed: () => this.adjusted() });
        // The reference of the look as the list has it, so that only a real change counts.
        this.adjustments.settings.look = this.adjustments.values.look = matching(this.looks, settings.look, photo.look);
        this.adjustments.controls.get("look").show();
        this.apply = button("Apply", () => this.render(), { class: "primary", disabled: true, title: "Apply to this photo (Ctrl+Enter)" });
        this.wasSettings = { ...this.adjustments.settings };
        return element("section", { class: "develop" },
            element("div", { class: "section-head" }, element("h2", {}, "Develop"),
                element("a", { href: `#/looks${query({ photo: photo.id })}` }, "All looks")),
            this.adjustments.element, this.said,
            element("div", { class: "actions" }, this.apply, resetButton(this.adjustments, () => this.wasSettings)));
    }

    adjusted() {
        this.apply.disabled = !this.adjustments.isChanged;
        if (this.adjustments.isChanged) {
            this.compare.zoom(false);
            this.tryOut.wish(this.photo.id, this.adjustments.tryValues(), this.compare.frame.clientWidth);
        } else {
            this.tryOut.stop();
            this.view(this.shownView === "before" ? "photo" : this.shownView);
        }
    }

    async render() {
        if (!this.adjustments?.isChanged) return;
        const photo = this.photo;
        const ordered = await attempt(() => order([photo.id], this.adjustments.changes()), this.apply);
        if (ordered === undefined) return;
        this.ordered = ordered ?? true;
        this.apply.disabled = true;
        say(this.said, "Rendering…");
    }

    // The preview of an edit is shown until the photo is there.
    showEdit() {
        const edit = editOf(this.photo.id);
        if (!edit && !this.showsEdit) return;
        this.showsEdit = Boolean(edit);
        this.view(this.shownView);
        const isFailed = edit?.state === "failed";
        if (isFailed) this.ordered = null;
        say(this.said, isFailed ? editProblem(edit) : edit?.preview ? "Preview. The photo is still rendering…" : edit ? "Rendering…" : "");
        this.said.classList.toggle("problem", isFailed);
    }

    async revise(verb, more) {
        await attempt(async () => {
            const [change] = await revise(verb, [this.photo.id], more);
            if (change?.after) this.goTo(change.after.id);
        });
    }

    goTo(id) {
        // Who went on to another screen is not fetched back.
        if (this.isClosed) return;
        const next = id ?? this.photo.id;
        if (next !== this.photo.id) location.replace(address(next));
        this.load(next).catch(complain);
    }

    libraryChanged(event, again) {
        const change = event.changes?.find((one) => one.before === this.photo?.id);
        if (change?.after) this.goTo(change.after.id ?? change.after);
        else again();
    }

    // Something changed in the library: perhaps this photo has another revision now.
    async changedElsewhere() {
        if (!this.photo) return;
        const { photo } = this;
        const id = await currentID(photo);
        // Who turned, or undid something, meanwhile has a later answer.
        if (id && id !== photo.id && this.photo === photo && !this.coming) this.goTo(id);
    }

    async addToAlbum() {
        const known = await attempt(async () => (await get("/v1/albums")).albums.map((album) => album.name));
        const name = known && await askForName("Add this photo to an album", "Album name", "Add", { known });
        if (!name) return;
        await attempt(async () => {
            if (!known.includes(name)) await post("/v1/albums", { name });
            await post("/v1/albums/add", { name, photos: [this.photo.id] });
            await this.load(this.photo.id);
        });
    }

    keys() {
        const keys = [
            { keys: ["ArrowLeft", "k"], text: "Previous photo", run: (event) => { if (event.target.type === "range") return false; this.turn("previous"); return true; } },
            { keys: ["ArrowRight", "j"], text: "Next photo", run: (event) => { if (event.target.type === "range") return false; this.turn("next"); return true; } },
            { keys: ["c"], text: "Compare with the camera's picture; arrow keys move the slider", run: () => this.toggleView("camera") },
            { keys: ["b"], text: "Compare your changes with the current photo", run: () => this.tryOut.address !== null && this.toggleView("before") },
            { keys: ["z"], text: "Show at 1:1, or fit", run: () => this.toggleZoom() },
            { keys: ["d"], text: "Download the photo", run: () => this.actions.querySelector("a")?.click() },
            { keys: ["Escape"], text: "Back to gallery", run: () => this.back() },
        ];
        if (!mayEdit()) return keys;
        return [...keys,
            { keys: ["e"], text: "Go to the controls", run: () => this.adjustments?.element.querySelector("select, input")?.focus() },
            { keys: ["Ctrl+Enter"], text: "Apply your changes", run: () => { this.render(); } },
            { keys: ["u"], text: "Undo the last edit", run: () => { this.loaded.then(() => this.photo.canUndo && this.revise("undo")); } },
            { keys: ["r"], text: "Redo", run: () => { this.loaded.then(() => this.photo.canRedo && this.revise("redo")); } },
            { keys: ["a"], text: "Add to an album", run: () => { this.addToAlbum(); } },
        ];
    }

    toggleView(kind) {
        if (kind === "camera" && !this.photo.cameraPreview) return;
        this.view(this.shownView === kind ? "photo" : kind);
        if (this.compare.comparing) this.compare.slider.focus({ preventScroll: true });
    }
}

function matching(looks, ...references) {
    for (const reference of references) {
        const exact = looks.find((look) => look.reference === reference);
        if (exact) return exact.reference;
    }
    return looks.find((look) => look.name === references[0])?.reference ?? references[0];
}
