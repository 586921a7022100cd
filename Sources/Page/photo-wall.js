// A wall of photos with what can be done to those selected: shared by the gallery and by albums.

import { get, post } from "./api.js";
import { askForName, attempt, complain, confirm, notice } from "./dialogs.js";
import { button, element, emptyState, replace, say } from "./elements.js";
import { calmly, listen } from "./events.js";
import { setKeys } from "./keys.js";
import { PhotoGrid } from "./photo-grid.js";
import { apart, PhotoPages } from "./photo-pages.js";
import { selection } from "./selection.js";
import { mayEdit } from "./session.js";
import { count, counted } from "./words.js";

// Where each wall was left, so that coming back from a photo finds the same place.
const left = new Map();
let lastAddress = "#/gallery";
const manyAtOnce = 20_000;

export class PhotoWall {
    // album: its name where the wall is one; empty(): what to show without photos; failed(error) takes a mistake in the filters;
    // openBurst(photo) shows what a photo stands for.
    constructor(place, { title, filters, album = null, empty, failed, openBurst = () => {}, searchKeys = [] }) {
        Object.assign(this, { place, title, filters, album, empty, failed, openBurst });
        this.key = JSON.stringify(filters);
        lastAddress = location.hash || lastAddress;
        this.pages = new PhotoPages(filters, { changed: () => this.changed(), failed: complain });
        this.photos = new PhotoGrid(this.pages, {
            label: title, orderable: album !== null && mayEdit(),
            open: (photo) => (photo.burst ? this.openBurst(photo) : this.open(photo)),
            move: (before) => this.moveBefore(before),
        });
        this.number = element("p", { class: "number", role: "status" }, "…");
        this.actions = this.makeActions();
        this.bar = element("div", { class: "toolbar" }, this.number, this.actions);
        this.below = element("div", { class: "wall" }, this.photos.element);
        replace(place, this.bar, this.below);
        this.sayNumber();
        const refresh = calmly(() => this.pages.refresh(), 400);
        // Counting a large library takes the server a while.
        const grown = calmly(() => this.pages.refresh(), () => (this.pages.count > 20_000 ? 15_000 : 3000));
        this.stops = [
            listen("library", (event) => { if (event.changes) selection.follow(event.changes); refresh(); }),
            listen("photo", grown), selection.listen(() => this.sayNumber()), () => refresh.stop(), () => grown.stop(),
        ];
        setKeys(title, [...this.keys(), ...searchKeys]);
    }

    async start() {
        try {
            await this.pages.open();
        } catch (error) {
            this.failed(error);
            return;
        }
        const was = left.get(this.key);
        if (was) {
            this.photos.grid.scrollToVirtual(was.top);
            this.photos.focus = was.focus;
            this.photos.anchor = was.focus;
            this.photos.grid.draw();
        }
        // The arrow keys work at once, unless a text field has the focus.
        if (document.activeElement === document.body || document.activeElement === document.getElementById("screen")) {
            this.photos.element.focus({ preventScroll: true });
        }
    }

    close() {
        left.set(this.key, { top: this.photos.grid.virtualTop(), focus: this.photos.focus });
        this.working?.abort();
        for (const stop of this.stops) stop();
        this.pages.close();
        this.photos.close();
    }

    changed() {
        this.photos.changed();
        this.sayNumber();
        const none = this.pages.count === 0;
        this.photos.element.hidden = none;
        if (none && !this.nothing) this.below.append(this.nothing = this.empty());
        else if (!none) {
            this.nothing?.remove();
            this.nothing = null;
        }
    }

    open(photo) {
        location.hash = `#/photo/${encodeURIComponent(photo.id)}`;
    }

    sayNumber() {
        const all = this.filters.bursts ? counted(this.pages.count, "burst or photo", "bursts and photos") : counted(this.pages.count, "photo");
        const chosen = this.filters.bursts ? `${counted(selection.size, "photo")} selected, of ${all}` : `${count(selection.size)} of ${all} selected`;
        say(this.number, selection.size > 0 ? chosen : all);
        this.actions.classList.toggle("off", selection.size === 0);
        for (const control of this.actions.querySelectorAll("button")) control.disabled = selection.size === 0;
    }

    makeActions() {
        const actions = element("div", { class: "actions off", role: "group", "aria-label": "Actions for the selected photos" });
        if (mayEdit()) {
            actions.append(
                button("Develop…", () => this.develop(), { title: "Try looks and adjustments, then render all selected photos" }),
                button("Undo", () => this.revise("undo")), button("Redo", () => this.revise("redo")),
                button("Add to album…", () => this.addToAlbum()));
            if (this.album !== null) {
                actions.append(
                    button("◀", () => this.photos.shift(-1), { "aria-label": "Move earlier", title: "Move earlier (Alt+←)" }),
                    button("▶", () => this.photos.shift(1), { "aria-label": "Move later", title: "Move later (Alt+→)" }),
                    button("Move to start", () => this.photos.moveTo(0)), button("Move to end", () => this.moveBefore(null)),
                    button("Remove", () => this.takeOut(), { title: "Remove from this album; the photos stay in the library" }));
            }
        }
        actions.append(button("Clear", () => selection.clear(), { title: "Clear the selection (Esc)" }));
        return actions;
    }

    keys() {
        const keys = [
            { keys: ["←", "→", "↑", "↓"], text: "Next photo; with Shift, extend the selection" },
            { keys: ["PageUp", "PageDown", "Home", "End"], text: "One screen; first photo, last photo" },
            { keys: ["Enter"], text: "Open the photo or burst" },
            { keys: ["Space"], text: "Select or deselect" },
            { keys: ["Ctrl+a"], text: "Select all", run: () => this.selectAll() },
            { keys: ["Escape"], text: "Clear the selection", run: () => selection.clear() },
        ];
        if (!mayEdit()) return keys;
        keys.push(
            { keys: ["v"], text: "Develop what is selected: try looks and adjustments", run: () => selection.size > 0 && this.develop() },
            { keys: ["u"], text: "Undo the last edit of the selection", run: () => this.revise("undo") },
            { keys: ["r"], text: "Redo", run: () => this.revise("redo") },
            { keys: ["a"], text: "Add the selection to an album", run: () => this.addToAlbum() });
        if (this.album === null) return keys;
        const shift = (by) => () => { this.photos.shift(by()); };
        return [...keys,
            { keys: ["Alt+ArrowLeft"], text: "Move the selection earlier", run: shift(() => -1) },
            { keys: ["Alt+ArrowRight"], text: "Move the selection later", run: shift(() => 1) },
            { keys: ["Alt+ArrowUp"], text: "Move the selection one row up", run: shift(() => -this.photos.grid.columns) },
            { keys: ["Alt+ArrowDown"], text: "Move the selection one row down", run: shift(() => this.photos.grid.columns) },
            { keys: ["Alt+Home"], text: "Move the selection to the start", run: () => { this.photos.moveTo(0); } },
            { keys: ["Alt+End"], text: "Move the selection to the end", run: () => { this.moveBefore(null); } },
            { keys: ["Delete"], text: "Remove the selection from the album", run: () => { this.takeOut(); } },
        ];
    }

    async selectAll() {
        this.working?.abort();
        const working = this.working = new AbortController();
        await attempt(async () => {
            const pages = this.filters.bursts ? new PhotoPages(apart(this.filters), {}) : this.pages;
            const photos = await pages.all(0, this.filters.bursts ? Infinity : this.pages.count - 1,
                (so) => say(this.number, this.filters.bursts ? `Selecting ${count(so)}…` : `Selecting ${count(so)} of ${count(this.pages.count)}…`), working.signal);
            selection.set(photos);
        });
        this.sayNumber();
    }

    develop() {
        location.hash = `#/looks?photo=${encodeURIComponent(selection.ids()[0])}`;
    }

    // Undo and redo. Photos without an earlier or later edit are counted apart from failures.
    async revise(verb) {
        if (selection.size === 0) return;
        await attempt(() => revise(verb, selection.ids()));
    }

    async addToAlbum() {
        if (selection.size === 0) return;
        const ids = selection.ids();
        const known = await attempt(async () => (await get("/v1/albums")).albums.map((album) => album.name));
        if (!known) return;
        const name = await askForName(`Add ${counted(ids.length, "photo")} to an album`, "Album name", "Add", { known });
        if (!name) return;
        await attempt(async () => {
            if (!known.includes(name)) await post("/v1/albums", { name });
            for (let at = 0; at < ids.length; at += manyAtOnce) {
                await post("/v1/albums/add", { name, photos: ids.slice(at, at + manyAtOnce) });
            }
            notice(`${counted(ids.length, "photo")} added to ${name}.`,
                { action: { label: "Open", run: () => { location.hash = `#/albums/${encodeURIComponent(name)}`; } } });
        });
    }

    async takeOut() {
        const ids = selection.ids();
        if (ids.length === 0) return;
        const sure = ids.length < 10 || await confirm(`Take ${counted(ids.length, "photo")} out of ${this.album}?`,
            "They stay in the library.", "Remove");
        if (!sure) return;
        await attempt(async () => {
            await post("/v1/albums/remove", { name: this.album, photos: ids });
            selection.clear();
            await this.pages.refresh();
        });
    }

    // Moves what is selected, in the album's own order, in front of a photo.
    async moveBefore(before) {
        const place = (id) => this.pages.indexOf(id) ?? Infinity;
        const ids = selection.ids().sort((a, b) => place(a) - place(b));
        if (ids.length === 0) return;
        await attempt(async () => {
            await post("/v1/albums/move", { name: this.album, photos: ids, before });
            await this.pages.refresh();
        });
    }
}

// The wall that was seen last, with its filters.
export function lastWall() {
    return lastAddress;
}

// Undoes or redoes edits, says what came of it, and returns the changes.
export async function revise(verb, ids, more = {}) {
    const { changes, problems } = await post(`/v1/photos/${verb}`, { photos: ids, ...more });
    const changed = changes.filter((change) => change.changed);
    selection.follow(changed);
    const words = { undo: "back to the edit before", redo: "on to the later edit", revert: "back to that revision" };
    if (changed.length > 0) notice(`${counted(changed.length, "photo")} ${words[verb]}.`);
    else if (problems.length === 0) notice(verb === "undo" ? "No earlier edit." : verb === "redo" ? "No later edit." : "This revision is shown already.");
    if (problems.length > 0) {
        const rest = problems.length > 3 ? ` And ${count(problems.length - 3)} more.` : "";
        notice(`${counted(problems.length, "photo")} stayed as ${problems.length === 1 ? "it was" : "they were"}.`,
            { remedy: problems.slice(0, 3).map((problem) => problem.message).join(" ") + rest, error: true });
    }
    return changed;
}

export function nothingHere(text, ...actions) {
    return emptyState("No photos here", text, ...actions);
}
