// Drop: files and whole folders from a card, their uploads, and the photos they become.

import { get, post } from "./api.js";
import { attempt, complain, confirm, notice } from "./dialogs.js";
import { button, element, heading, reconcile, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { filesChosen, filesDropped } from "./folders.js";
import { Grid } from "./grid.js";
import { setKeys } from "./keys.js";
import { knownLooks } from "./known-looks.js";
import { dropPicture, preview, showPicture, watchPicture } from "./pictures.js";
import { mayChange, mayEdit, session } from "./session.js";
import { withCompanions } from "./shots.js";
import { localDrop, queueState, startDrop, stopDrop, whenQueueChanges } from "./upload-queue.js";
import { bytes, count, counted, moment } from "./words.js";

const address = (id) => `#/drop/${encodeURIComponent(id)}`;
const options = { look: "neutral", title: "" };
const canDrop = () => mayChange() && session().canConvert !== false;

export async function showDrop(place, route) {
    const looks = canDrop() ? await knownLooks() : [];
    const parts = [heading("Import"), canDrop() ? dropZone(looks) : element("p", { class: "strip" }, mayChange()
        ? "This page cannot add RAW files to this library."
        : "You have read-only access. Sign in with an operator's token to import photos.")];
    const detail = element("div", { class: "drop-detail" });
    const before = element("section", { class: "drops-before" });
    replace(place, ...parts, detail, before);
    setKeys("Import", [{ keys: ["o"], text: "Choose files", run: () => document.getElementById("choose-files")?.click() },
        { keys: ["O"], text: "Choose a folder", run: () => document.getElementById("choose-folder")?.click() }]);

    const { drops } = await get("/v1/drops");
    const id = route.argument || drops[0]?.drop;
    const screen = id ? new DropDetail(detail, id) : null;
    if (screen) await screen.read().catch(complain);
    showBefore(before, drops, id);
    return { close: () => screen?.close() };
}

function showBefore(place, drops, shown) {
    const others = drops.filter((drop) => drop.drop !== shown);
    if (others.length === 0) return;
    replace(place, element("h2", {}, "Earlier imports"), element("ul", { class: "links drops" }, others.slice(0, 50).map((drop) => element("li", {},
        element("a", { href: address(drop.drop) }, drop.title || moment(drop.created)),
        element("span", { class: "quiet" }, [moment(drop.created), `${count(drop.done)} of ${counted(drop.expected, "file")} imported`,
            drop.refused > 0 ? `${count(drop.refused)} refused` : null, drop.waiting > 0 ? `${count(drop.waiting)} waiting` : null].filter(Boolean).join(" · "))))));
}

function dropZone(looks) {
    const look = element("select", { id: "drop-look" }, looks.map((one) => {
        const option = element("option");
        option.value = one.reference;
        say(option, looks.some((other) => other !== one && other.name === one.name) ? one.reference : one.name);
        return option;
    }));
    look.value = (looks.find((one) => one.reference === options.look || one.name === options.look) ?? looks[0])?.reference ?? "";
    options.look = look.value;
    look.addEventListener("change", () => { options.look = look.value; });
    const title = element("input", { id: "drop-title", maxlength: 200, placeholder: "Card 1", autocomplete: "off" });
    title.value = options.title;
    title.addEventListener("input", () => { options.title = title.value; });
    const files = element("input", { type: "file", multiple: true, id: "files-input", class: "unseen", tabindex: "-1", "aria-label": "Files" });
    const folder = element("input", { type: "file", multiple: true, webkitdirectory: true, id: "folder-input", class: "unseen", tabindex: "-1", "aria-label": "A folder" });
    for (const input of [files, folder]) {
        input.addEventListener("change", () => {
            const chosen = filesChosen(input.files);
            input.value = "";
            begin(chosen);
        });
    }
    return element("section", { class: "drop-zone", "aria-label": "Add photos" },
        element("p", { class: "drop-words" }, "Drop RAW files or whole folders here"),
        element("div", { class: "actions" },
            button("Choose files…", () => files.click(), { class: "primary", id: "choose-files" }),
            button("Choose a folder…", () => folder.click(), { id: "choose-folder" })),
        files, folder,
        element("div", { class: "drop-options" },
            element("label", { class: "field" }, element("span", {}, "Look"), look),
            element("label", { class: "field" }, element("span", {}, "Name of this import"), title)));
}

async function begin(found) {
    const files = withCompanions(found);
    if (files.length === 0) {
        notice("The folder has no files.", { remedy: "Choose a folder that contains RAW files." });
        return;
    }
    const first = files[0].path?.split("/")[0];
    const title = options.title.trim() || first || counted(files.length, "file");
    const id = await attempt(() => startDrop(files, { look: options.look, title }));
    if (!id) return;
    options.title = "";
    if (location.hash === address(id)) return;
    location.hash = address(id);
}

// Files dropped anywhere on the page are taken.
export function acceptDropsAnywhere() {
    const veil = element("div", { class: "veil", hidden: true }, element("p", {}, "Drop to import these photos"));
    document.body.append(veil);
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    window.addEventListener("dragover", (event) => {
        if (!hasFiles(event)) return;
        // Without this the browser would leave the page and show the file.
        event.preventDefault();
        event.dataTransfer.dropEffect = canDrop() ? "copy" : "none";
        veil.hidden = !canDrop();
    });
    window.addEventListener("dragleave", (event) => {
        if (event.relatedTarget === null) veil.hidden = true;
    });
    window.addEventListener("drop", async (event) => {
        veil.hidden = true;
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (!canDrop()) return;
        const read = filesDropped(event.dataTransfer);
        let said = null;
        const files = await read((number) => {
            said?.remove();
            said = notice(`Reading folders: ${counted(number, "file")} so far…`);
        });
        said?.remove();
        begin(files);
    });
}

const stateWords = {
    queued: "waits for its turn", expected: "is to come", uploading: "uploading", sent: "uploaded", waiting: "waits to be rendered", rendering: "being rendered", done: "", refused: "not imported", stopped: "stopped",
};

// One drop: how far it is, what was refused, and its files in order.
class DropDetail {
    constructor(place, id) {
        this.id = id;
        this.known = null;
        this.byIndex = new Map();
        this.title = element("h2", {});
        this.number = element("p", { class: "number", role: "status" });
        this.bar = element("progress", { max: 1, value: 0, "aria-label": "Finished files" });
        this.sentence = element("p", { class: "warn-text", role: "status", id: "refused-sentence" });
        this.refused = element("ul", { class: "files refused-files", hidden: true, id: "refused-files", tabindex: "0", "aria-label": "Files not imported" });
        this.why = button("Details", () => this.showWhy(this.refused.hidden), { hidden: true, class: "small", "aria-expanded": "false", "aria-controls": "refused-files" });
        this.stop = button("Stop uploading…", () => this.askToStop(), { hidden: true, class: "danger-quiet" });
        this.album = button("Open as an album", () => this.openAsAlbum(), { hidden: true, title: "The photos in this order, including later ones" });
        this.grid = new Grid({
            label: "Files of this import", cellWidth: 168, narrowCellWidth: 104, ratio: 0.7, caption: 42,
            fill: (cell, index) => this.fill(cell, index), free: (cell) => cell.image && dropPicture(cell.image),
        });
        this.grid.element.addEventListener("click", (event) => this.open(this.grid.indexOf(event.target)));
        this.grid.element.classList.add("inset");
        replace(place, element("div", { class: "card-head" }, this.title, element("div", { class: "actions" }, this.album, this.stop)),
            element("div", { class: "drop-state" }, this.number, this.sentence, this.why), this.bar, this.refused, this.grid.element);
        // The more files there are, the longer is the answer, and the more seldom it is asked for.
        const again = calmly(() => this.read(), () => Math.max(700, 0.5 * this.byIndex.size));
        this.stops = [
            listen("drop", (event) => (!event.drop || event.drop === id) && again()), listen("again", again), listen("library", again), listen("photo", again),
            whenQueueChanges(() => this.show()), () => again.stop(),
        ];
        this.again = again;
        this.show();
    }

    close() {
        for (const stop of this.stops) stop();
        clearTimeout(this.later);
        this.grid.close();
    }

    async read() {
        const known = await get(`/v1/drops/${encodeURIComponent(this.id)}`);
        this.known = known;
        this.byIndex = new Map(known.files.map((file) => [file.index, file]));
        this.show();
        // Should an event be missed, what is not done is asked for again.
        clearTimeout(this.later);
        if (this.tally.open > 0) this.later = setTimeout(this.again, 4000);
    }

    // A file as the server has it, or as it is here before the server knows it.
    file(index) {
        const here = localDrop(this.id)?.files[index];
        const there = this.byIndex.get(index);
        if (!there || (there.state === "expected" && here)) return here ?? { index, name: "", state: "queued", sent: 0, size: 0 };
        if (here?.state === "refused" || here?.state === "stopped") return { ...there, ...here };
        const state = there.state === "uploading" && here?.state === "sent" ? "sent" : there.state;
        // The name as the card has it, as long as it is known here.
        return { ...there, name: here?.name ?? there.name, path: here?.path ?? there.path, state, sent: Math.max(here?.sent ?? 0, there.received ?? 0), size: there.bytes ?? here?.size ?? 0, waits: here?.waits };
    }

    show() {
        const here = localDrop(this.id);
        const all = Math.max(this.known?.expected ?? 0, here?.files.length ?? 0);
        const tally = { done: 0, refused: [], sent: 0, open: 0 };
        for (let index = 0; index < all; index += 1) {
            const file = this.file(index);
            if (file.state === "done") tally.done += 1;
            else if (file.state === "refused" || file.state === "stopped") tally.refused.push(file);
            else tally.open += 1;
            if (["sent", "waiting", "rendering", "done", "refused"].includes(file.state)) tally.sent += 1;
        }
        this.tally = tally;
        say(this.title, this.known?.title || here?.title || "");
        const uploading = Boolean(here) && here.finished < here.files.length;
        say(this.number, [`${count(tally.done)} of ${counted(all, "photo")} done`, uploading ? `${count(here.finished)} uploaded` : null,
            uploading && queueState().waiting ? "waiting for Rawmill to respond; the upload continues automatically" : null].filter(Boolean).join(" · "));
        this.bar.max = Math.max(1, all);
        this.bar.value = tally.done + tally.refused.length;
        this.stop.hidden = !uploading;
        this.album.hidden = !mayEdit() || tally.done === 0;
        this.showRefused(tally.refused, all);
        if (this.grid.count !== all) this.grid.setCount(all);
        this.grid.redraw();
    }

    showRefused(refused, all) {
        this.why.hidden = refused.length === 0;
        if (refused.length === 0) return;
        say(this.sentence, `${count(refused.length)} of ${count(all)} ${refused.length === 1 ? "was" : "were"} not imported.`);
        reconcile(this.refused, refused.slice(0, 500), (file) => file.index, () => element("li", { class: "failed-file" },
            element("div", { class: "file-text" }, element("p", { class: "file-name" }), element("p", {}))), (line, file) => {
            const [name, why] = line.firstElementChild.children;
            say(name, file.path ? `${file.path}/${file.name}` : file.name);
            say(why, [file.message ?? file.title, file.remedy].filter(Boolean).join(" "));
        });
    }

    showWhy(yes) {
        this.refused.hidden = !yes;
        this.why.setAttribute("aria-expanded", String(yes));
    }

    fill(cell, index) {
        if (!cell.image) {
            cell.image = watchPicture(element("img", { alt: "", decoding: "async", draggable: "false" }));
            cell.name = element("span", { class: "name" });
            cell.about = element("span", { class: "about quiet" });
            cell.meter = element("span", { class: "meter" });
            cell.append(element("div", { class: "picture" }, cell.image, cell.meter), element("div", { class: "caption" }, cell.name, cell.about));
        }
        const file = this.file(index);
        const words = file.waits ? "waits for Rawmill" : file.state === "uploading" && file.size > 0
            ? `${bytes(file.sent)} of ${bytes(file.size)}` : file.state === "refused" ? file.title ?? "not imported" : stateWords[file.state] ?? file.state;
        say(cell.name, file.photo?.name ?? file.name);
        say(cell.about, words || (file.photos?.length > 1 ? counted(file.photos.length, "photo") : ""));
        cell.title = file.message ?? "";
        cell.dataset.state = file.state;
        cell.setAttribute("aria-label", `${file.name}${words ? `, ${words}` : ""}`);
        cell.meter.style.transform = `scaleX(${file.state === "uploading" && file.size > 0 ? file.sent / file.size : 0})`;
        if (file.photo) showPicture(cell.image, preview(file.photo, this.grid.wide));
        else if (file.hasPreview && file.upload) showPicture(cell.image, `/v1/uploads/${encodeURIComponent(file.upload)}/preview`);
        else dropPicture(cell.image);
    }

    open(index) {
        const photo = index === null ? null : this.file(index).photo;
        if (photo) location.hash = `#/photo/${encodeURIComponent(photo.id)}`;
    }

    async openAsAlbum() {
        const answer = await attempt(() => post(`/v1/drops/${encodeURIComponent(this.id)}/album`), this.album);
        if (answer) location.hash = `#/albums/${encodeURIComponent(answer.album)}`;
    }

    async askToStop() {
        const here = localDrop(this.id);
        const left = here.files.length - here.finished;
        if (await confirm("Stop uploading?", `${counted(left, "file")} will not be imported. Uploaded files stay and are rendered.`, "Stop", { keep: "Keep uploading" })) stopDrop(this.id);
    }
}

