/* Made by Deploy/generate-page. */
#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../../Page/adjustments.js"
};

static const unsigned char file_1[] = {
#embed "../../../Page/albums.js"
};

static const unsigned char file_2[] = {
#embed "../../../Page/api.js"
};

static const unsigned char file_3[] = {
#embed "../../../Page/batches.js"
};

static const unsigned char file_4[] = {
#embed "../../../Page/compare.js"
};

static const unsigned char file_5[] = {
#embed "../../../Page/dialogs.js"
};

static const unsigned char file_6[] = {
#embed "../../../Page/drop.js"
};

static const unsigned char file_7[] = {
#embed "../../../Page/edits.js"
};

static const unsigned char file_8[] = {
#embed "../../../Page/elements.js"
};

static const unsigned char file_9[] = {
#embed "../../../Page/events.js"
};

static const unsigned char file_10[] = {
#embed "../../../Page/failures.js"
};

static const unsigned char file_11[] = {
#embed "../../../Page/folders.js"
};

static const unsigned char file_12[] = {
#embed "../../../Page/gallery.js"
};

static const unsigned char file_13[] = {
#embed "../../../Page/grid.js"
};

static const unsigned char file_14[] = {
#embed "../../../Page/icon.svg"
};

static const unsigned char file_15[] = {
#embed "../../../Page/index.html"
};

static const unsigned char file_16[] = {
#embed "../../../Page/keys.js"
};

static const unsigned char file_17[] = {
#embed "../../../Page/known-looks.js"
};

static const unsigned char file_18[] = {
#embed "../../../Page/looks.js"
};

static const unsigned char file_19[] = {
#embed "../../../Page/main.js"
};

static const unsigned char file_20[] = {
#embed "../../../Page/now.js"
};

static const unsigned char file_21[] = {
#embed "../../../Page/openapi.json"
};

static const unsigned char file_22[] = {
#embed "../../../Page/orders.js"
};

static const unsigned char file_23[] = {
#embed "../../../Page/photo-facts.js"
};

static const unsigned char file_24[] = {
#embed "../../../Page/photo-grid.js"
};

static const unsigned char file_25[] = {
#embed "../../../Page/photo-pages.js"
};

static const unsigned char file_26[] = {
#embed "../../../Page/photo-wall.js"
};

static const unsigned char file_27[] = {
#embed "../../../Page/photo.js"
};

static const unsigned char file_28[] = {
#embed "../../../Page/pictures.js"
};

static const unsigned char file_29[] = {
#embed "../../../Page/plots.js"
};

static const unsigned char file_30[] = {
#embed "../../../Page/selection.js"
};

static const unsigned char file_31[] = {
#embed "../../../Page/session.js"
};

static const unsigned char file_32[] = {
#embed "../../../Page/shots.js"
};

static const unsigned char file_33[] = {
#embed "../../../Page/style.css"
};

static const unsigned char file_34[] = {
#embed "../../../Page/try-out.js"
};

static const unsigned char file_35[] = {
#embed "../../../Page/tus.js"
};

static const unsigned char file_36[] = {
#embed "../../../Page/upload-queue.js"
};

static const unsigned char file_37[] = {
#embed "../../../Page/words.js"
};

static const unsigned char file_38[] = {
#embed "../../../Page/workers.js"
};

static const struct rawmill_page_file files[] = {
    { "adjustments.js", file_0, sizeof file_0 },
    { "albums.js", file_1, sizeof file_1 },
    { "api.js", file_2, sizeof file_2 },
    { "batches.js", file_3, sizeof file_3 },
    { "compare.js", file_4, sizeof file_4 },
    { "dialogs.js", file_5, sizeof file_5 },
    { "drop.js", file_6, sizeof file_6 },
    { "edits.js", file_7, sizeof file_7 },
    { "elements.js", file_8, sizeof file_8 },
    { "events.js", file_9, sizeof file_9 },
    { "failures.js", file_10, sizeof file_10 },
    { "folders.js", file_11, sizeof file_11 },
    { "gallery.js", file_12, sizeof file_12 },
    { "grid.js", file_13, sizeof file_13 },
    { "icon.svg", file_14, sizeof file_14 },
    { "index.html", file_15, sizeof file_15 },
    { "keys.js", file_16, sizeof file_16 },
    { "known-looks.js", file_17, sizeof file_17 },
    { "looks.js", file_18, sizeof file_18 },
    { "main.js", file_19, sizeof file_19 },
    { "now.js", file_20, sizeof file_20 },
    { "openapi.json", file_21, sizeof file_21 },
    { "orders.js", file_22, sizeof file_22 },
    { "photo-facts.js", file_23, sizeof file_23 },
    { "photo-grid.js", file_24, sizeof file_24 },
    { "photo-pages.js", file_25, sizeof file_25 },
    { "photo-wall.js", file_26, sizeof file_26 },
    { "photo.js", file_27, sizeof file_27 },
    { "pictures.js", file_28, sizeof file_28 },
    { "plots.js", file_29, sizeof file_29 },
    { "selection.js", file_30, sizeof file_30 },
    { "session.js", file_31, sizeof file_31 },
    { "shots.js", file_32, sizeof file_32 },
    { "style.css", file_33, sizeof file_33 },
    { "try-out.js", file_34, sizeof file_34 },
    { "tus.js", file_35, sizeof file_35 },
    { "upload-queue.js", file_36, sizeof file_36 },
    { "words.js", file_37, sizeof file_37 },
    { "workers.js", file_38, sizeof file_38 },
};

const struct rawmill_page_file *rawmill_page_files(size_t *count)
{
    *count = sizeof files / sizeof files[0];
    return files;
}
