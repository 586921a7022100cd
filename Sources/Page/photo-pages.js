// The photos of a gallery, read in pages as they come in sight; those that scrolled away are not waited for.

import { get, isAbort, query } from "./api.js";

export const pageSize = 200;
const manyAtOnce = 1000;
const atOnce = 2;
const keptPages = 80;
const burstsAtOnce = 30;

// The condition of all photos that are of the same burst as one of these.
export function burstOf(...photos) {
    const paths = photos.map((photo) => ["photos", photo.folder, photo.name].filter(Boolean).join("/"));
    return `burst in (${paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(", ")})`;
}

// The filters with a photo for each photo, and with one more condition.
export function apart({ bursts, ...filters }, where = "") {
    return where ? { ...filters, where: filters.where ? `(${filters.where}) and ${where}` : where } : filters;
}

export class PhotoPages {
    // changed() is called when photos came or their number changed; failed(error) when a page could not be read.
    constructor(filters, { changed, failed }) {
        Object.assign(this, { filters, changed, failed });
        this.count = 0;
        this.pages = new Map();
        this.reading = new Map();
        this.wanted = [];
        this.edition = 0;
    }

    address(offset, limit = pageSize) {
        return `/v1/photos${query({ ...this.filters, offset, limit })}`;
    }

    // The first page, and beside it the number of all. A mistake in `where` is thrown.
    async open() {
        const number = get(`/v1/photos/count${query(this.filters)}`);
        number.catch(() => {});
        const page = await get(this.address(0));
        this.pages.set(0, page.photos);
        this.count = Math.max(this.count, page.photos.length);
        this.changed();
        this.count = (await number).count;
        this.changed();
    }

    photo(index) {
        return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize];
    }

    // Asks for what is needed to show `first` to `last`, nearest to the middle first.
    want(first, last) {
        const middle = (first + last) / 2 / pageSize;
        this.wanted = [];
        for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page += 1) {
            if (!this.pages.has(page) || this.stale?.has(page)) this.wanted.push(page);
        }
        this.wanted.sort((a, b) => Math.abs(a + 0.5 - middle) - Math.abs(b + 0.5 - middle));
        for (const [page, reader] of this.reading) if (!this.wanted.includes(page)) reader.abort();
        this.readNext();
    }

    readNext() {
        for (const page of this.wanted) {
            if (this.reading.size >= atOnce) return;
            if (!this.reading.has(page)) this.read(page);
        }
    }

    async read(page) {
        const reader = new AbortController();
        const edition = this.edition;
        this.reading.set(page, reader);
        try {
            const { photos } = await get(this.address(page * pageSize), reader.signal);
            if (edition === this.edition) this.keep(page, photos);
        } catch (error) {
            if (!isAbort(error)) {
                this.wanted = this.wanted.filter((wanted) => wanted !== page);
                this.failed(error);
            }
        } finally {
            if (this.reading.get(page) === reader) this.reading.delete(page);
            this.readNext();
        }
    }

    keep(page, photos) {
        this.pages.delete(page);
        this.pages.set(page, photos);
        this.stale?.delete(page);
        this.wanted = this.wanted.filter((wanted) => wanted !== page);
        // The pages asked for longest ago go first.
        for (const old of this.pages.keys()) {
            if (this.pages.size <= keptPages) break;
            if (old !== 0) this.pages.delete(old);
        }
        this.changed();
    }

    // Reads everything anew, while what is shown stays until its newer version is there.
    async refresh() {
        this.edition += 1;
        for (const reader of this.reading.values()) reader.abort();
        this.reading.clear();
        this.stale = new Set(this.pages.keys());
        this.count = (await get(`/v1/photos/count${query(this.filters)}`)).count;
        this.changed();
    }

    // All photos from `first` to `last`, also those never seen; tells how many it has so far.
    async all(first, last, progress = () => {}, signal) {
        const found = [];
        for (let at = first; at <= last;) {
            const here = this.pages.get(Math.floor(at / pageSize));
            // What is not here is read in larger pieces; the server may give fewer at once.
            const photos = here ? here.slice(at % pageSize) : (await get(this.address(at, Math.min(manyAtOnce, last - at + 1)), signal)).photos;
            if (photos.length === 0) break;
            found.push(...photos.slice(0, last - at + 1));
            at += photos.length;
            progress(found.length);
        }
        return found;
    }

    // The photos, and instead of each that stands for its burst all of it that the filters fit.
    async whole(photos) {
        const found = photos.filter((photo) => !photo.burst);
        const fronts = photos.filter((photo) => photo.burst);
        for (let at = 0; at < fronts.length; at += burstsAtOnce) {
            const pages = new PhotoPages(apart(this.filters, burstOf(...fronts.slice(at, at + burstsAtOnce))), {});
            found.push(...await pages.all(0, Infinity));
        }
        return found;
    }

    indexOf(id) {
        for (const [page, photos] of this.pages) {
            const at = photos.findIndex((photo) => photo.id === id);
            if (at >= 0) return page * pageSize + at;
        }
        return null;
    }

    close() {
        this.wanted = [];
        for (const reader of this.reading.values()) reader.abort();
    }
}
