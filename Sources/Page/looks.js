// All looks on one photo, and one of them large, with its adjustments, before a set is rendered so.

import { get, isAbort, object, query, request } from "./api.js";
import { Adjustments, resetButton, settingsOf } from "./adjustments.js";
import { Compare } from "./compare.js";
import { attempt, confirm } from "./dialogs.js";
import { button, element, emptyState, heading, replace, say } from "./elements.js";
import { setKeys } from "./keys.js";
import { knownLooks } from "./known-looks.js";
import { order } from "./orders.js";
import { edgeFor, preview } from "./pictures.js";
import { selection } from "./selection.js";
import { mayEdit } from "./session.js";
import { TryOut } from "./try-out.js";
import { counted } from "./words.js";

export async function showLooks(place, route) {
    replace(place, heading("Looks"));
    const looks = await knownLooks();
    const strip = selection.size > 0 ? selection.photos().slice(0, 24) : (await get("/v1/photos?offset=0&limit=12")).photos;
    const id = route.values.photo ?? strip[0]?.id;
    if (!id) {
        replace(place, heading("Looks"), emptyState("No photos yet", "Import RAW files first, then try the looks on them.",
            element("a", { class: "button", href: "#/drop" }, "Import photos")));
        return null;
    }
    const photo = await get(`/v1/photos/${encodeURIComponent(id)}`);
    const screen = new LooksScreen(place, photo, looks, strip);
    return { close: () => screen.close() };
}

class LooksScreen {
    constructor(place, photo, looks, strip) {
        Object.assign(this, { photo, looks });
        const settings = settingsOf(photo);
        const own = looks.find((look) => look.reference === photo.look) ?? looks.find((look) => look.name === settings.look);
        if (own) settings.look = own.reference;
        this.settings = settings;
        this.said = element("p", { class: "said quiet", role: "status" });
        this.compare = new Compare();
        this.compare.size(photo.width, photo.height);
        this.before = object(photo.id, "preview", { edge: edgeFor(1024) });
        this.compare.show(this.before, photo.look, photo.name);
        this.tryOut = new TryOut({
            show: (picture) => this.compare.show(picture, this.adjustments.values.look, photo.name),
            tell: (text, error) => {
                say(this.said, text);
                this.said.classList.toggle("problem", Boolean(error));
            },
        });
        this.adjustments = new Adjustments({ looks, settings, changed: () => this.adjusted(), withLook: false });
        this.name = element("h2", {}, "");
        this.summary = element("p", { class: "quiet summary" });
        this.against = button("Before/after", () => this.toggle(), { "aria-pressed": "false", title: "Compare with the current photo (B)" });
        const many = selection.has(photo.id) ? selection.size : 1;
        this.apply = button(`Apply to ${counted(many, "photo")}`, () => this.render(many), { class: "primary", disabled: true });
        this.tiles = element("div", { class: "look-tiles", role: "radiogroup", "aria-label": "Looks" });
        this.filter = element("div", { class: "actions", role: "group", "aria-label": "Kind of look" });
        replace(place,
            heading("Looks", element("p", { class: "quiet" }, `on ${photo.name}`)),
            photo.final ? element("p", { class: "strip warn" }, photo.final) : null,
            element("div", { class: "photo-body" },
                element("div", { class: "photo-main" }, this.compare.element,
                    element("div", { class: "photo-bar" }, element("div", { class: "actions" }, this.against),
                        strip.length > 1 ? this.strip(strip) : null)),
                element("aside", { class: "panel", "aria-label": "Look and adjustments" },
                    element("section", { class: "develop" }, this.name, this.summary, this.adjustments.element, this.said,
                        element("div", { class: "actions" }, mayEdit() && !photo.final ? this.apply : null,
                            resetButton(this.adjustments, () => ({ ...this.settings })),
                            element("a", { class: "button plain", href: `#/photo/${encodeURIComponent(photo.id)}` }, "The photo"))))),
            element("div", { class: "section-head" }, element("h2", {}, "All looks"), this.filter),
            this.tiles);
        this.loader = new TileLoader(photo);
        this.showTiles("all");
        this.describe();
        setKeys("Looks", [
            { keys: ["←", "→", "↑", "↓"], text: "Next look, and try it" },
            { keys: ["b"], text: "Compare with the current photo; arrow keys move the slider", run: () => this.toggle() },
            { keys: ["e"], text: "Go to the adjustments", run: () => this.adjustments.element.querySelector("input")?.focus() },
            { keys: ["l"], text: "Go to the looks", run: () => this.tiles.querySelector("[tabindex='0']")?.focus() },
            { keys: ["Ctrl+Enter"], text: "Apply to the selected photos", run: () => { if (!this.apply.disabled) this.render(many); } },
        ]);
    }

    close() {
        this.tryOut.stop();
        this.loader.close();
    }

    strip(photos) {
        return element("nav", { class: "filmstrip", "aria-label": "Other photos" }, photos.map((photo) => element("a", {
            href: `#/looks${query({ photo: photo.id })}`, title: photo.name, "aria-label": photo.name,
            "aria-current": photo.id === this.photo.id ? "true" : null,
        }, element("img", { src: preview(photo, 72), alt: "", width: 60, height: 42, loading: "lazy", decoding: "async" }))));
    }

    showTiles(kind) {
        const kinds = { all: ["All", () => true], colour: ["Colour", (look) => !look.monochrome], mono: ["Black and white", (look) => look.monochrome], own: ["Your own", (look) => look.own] };
        replace(this.filter, Object.entries(kinds).filter(([name]) => name !== "own" || this.looks.some((look) => look.own))
            .map(([name, [label]]) => button(label, () => this.showTiles(name), { "aria-pressed": String(name === kind) })));
        this.loader.clear();
        const shown = this.looks.filter(kinds[kind][1]);
        replace(this.tiles, shown.map((look) => this.tile(look)));
        this.mark();
    }

    tile(look) {
        const image = element("img", { alt: "", decoding: "async" });
        const box = element("div", { class: "picture" }, image);
        box.style.setProperty("--ratio", String(this.photo.width / this.photo.height));
        const tile = element("div", {
            class: "look-tile", role: "radio", tabindex: "-1", "aria-checked": "false", "aria-label": `${look.reference}: ${look.summary}`, title: look.summary,
        }, box, element("span", { class: "name" }, this.looks.some((other) => other !== look && other.name === look.name) ? look.reference : look.name));
        tile.look = look;
        tile.addEventListener("click", () => this.choose(tile));
        tile.addEventListener("keydown", (event) => this.pressed(event, tile));
        this.loader.watch(image, look.reference);
        return tile;
    }

    pressed(event, tile) {
        const all = [...this.tiles.children];
        const columns = Math.max(1, all.filter((other) => other.offsetTop === all[0].offsetTop).length);
        const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
        if (event.key === " " || event.key === "Enter") this.choose(tile);
        else if (step !== undefined && !event.altKey && !event.ctrlKey) {
            const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(tile) + step))];
            this.choose(next);
            next.focus();
        } else return;
        event.preventDefault();
    }

    choose(tile) {
        this.adjustments.set("look", tile.look.reference);
    }

    mark() {
        const chosen = this.adjustments.values.look;
        let any = false;
        for (const tile of this.tiles.children) {
            const is = tile.look.reference === chosen;
            any ||= is;
            tile.setAttribute("aria-checked", String(is));
            tile.tabIndex = is ? 0 : -1;
        }
        if (!any && this.tiles.firstElementChild) this.tiles.firstElementChild.tabIndex = 0;
    }

    describe() {
        const look = this.looks.find((one) => one.reference === this.adjustments.values.look);
        say(this.name, look?.reference ?? this.adjustments.values.look);
        say(this.summary, [look?.summary, look?.inspiration].filter(Boolean).join(" "));
    }

    adjusted() {
        this.mark();
        this.describe();
        this.apply.disabled = !this.adjustments.isChanged;
        if (this.adjustments.isChanged) this.tryOut.wish(this.photo.id, this.adjustments.tryValues(), this.compare.frame.clientWidth);
        else {
            this.tryOut.stop();
            this.compare.show(this.before, this.photo.look, this.photo.name);
        }
    }

    toggle() {
        const on = !this.compare.comparing;
        this.compare.against(on ? this.before : null, "as it is");
        this.compare.compare(on);
        this.against.setAttribute("aria-pressed", String(on));
        if (on) this.compare.slider.focus({ preventScroll: true });
    }

    async render(many) {
        const ids = many > 1 ? selection.ids() : [this.photo.id];
        if (many > 50 && !await confirm(`Apply ${this.adjustments.values.look} to ${counted(many, "photo")}?`,
            "Each becomes a new revision; undo restores the previous one.", "Apply", { danger: false })) return;
        const ordered = await attempt(() => order(ids, this.adjustments.changes()), this.apply);
        if (ordered !== undefined) location.hash = "#/gallery";
    }
}

// Renders tiles two at a time, those in sight first, and gives up those that scrolled away.
class TileLoader {
    constructor(photo) {
        this.photo = photo;
        this.waiting = new Map();
        this.running = new Map();
        this.addresses = [];
        this.observer = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                if (isIntersecting && !target.dataset.done) this.waiting.set(target, target.look);
                else if (!isIntersecting) {
                    this.waiting.delete(target);
                    this.running.get(target)?.abort();
                }
            }
            this.next();
        }, { rootMargin: "160px" });
    }

    watch(image, look) {
        image.look = look;
        this.observer.observe(image.parentElement);
        image.parentElement.look = look;
    }

    next() {
        for (const [box, look] of this.waiting) {
            if (this.running.size >= 2) return;
            this.waiting.delete(box);
            this.load(box, look);
        }
    }

    async load(box, look) {
        const asked = new AbortController();
        this.running.set(box, asked);
        const image = box.querySelector("img");
        try {
            const response = await request(object(this.photo.id, "try", { look, edge: 384 }), { signal: asked.signal });
            const address = URL.createObjectURL(await response.blob());
            this.addresses.push(address);
            image.src = address;
            image.classList.add("there");
            box.dataset.done = "yes";
        } catch (error) {
            if (!isAbort(error)) {
                image.classList.add("missing");
                box.title = error.message;
                if (error.passes) setTimeout(() => box.isConnected && (this.waiting.set(box, look), this.next()), 3000);
            }
        } finally {
            this.running.delete(box);
            this.next();
        }
    }

    clear() {
        this.observer.disconnect();
        this.waiting.clear();
        for (const asked of this.running.values()) asked.abort();
    }

    close() {
        this.clear();
        for (const address of this.addresses) URL.revokeObjectURL(address);
    }
}
