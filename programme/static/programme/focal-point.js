// Shows an event's picture with the spot that must stay of it: clicked, or moved by the arrow keys. The numbers
// beside it say the same, and are all there is where no script runs.
"use strict";
{
    const STEP = 1, LARGE_STEP = 10;
    const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const within = (percent) => Math.min(100, Math.max(0, Math.round(percent)));

    const made = (tag, className, parent) => {
        const element = document.createElement(tag);
        element.className = className;
        parent.append(element);
        return element;
    };

    /** The address of the picture that is saved, chosen or named, in the order in which readers get them. */
    const address = (file, url) => {
        const chosen = file.files[0];
        const saved = file.parentElement.querySelector("a[href]");
        const cleared = document.querySelector("#image-clear_id");
        if (chosen) {
            return URL.createObjectURL(chosen);
        }
        return saved && !(cleared && cleared.checked) ? saved.href : url.value;
    };

    const start = () => {
        const file = document.querySelector("#id_image"), url = document.querySelector("#id_image_url");
        const x = document.querySelector("#id_image_focus_x"), y = document.querySelector("#id_image_focus_y");
        if (!file || !url || !x || !y) {
            return;
        }
        const row = x.closest(".form-row");
        const stage = made("div", "focal-stage", row);
        const picture = made("div", "focal-picture", stage);
        const image = made("img", "", picture);
        const spot = made("button", "focal-spot", picture);
        const crops = ["wide", "tall"].map((shape) => made("img", `focal-crop ${shape}`, stage));
        image.alt = "";
        crops.forEach((crop) => { crop.alt = ""; });
        spot.type = "button";

        const show = () => {
            spot.style.left = `${x.value || 50}%`;
            spot.style.top = `${y.value || 50}%`;
            spot.setAttribute("aria-label", `${row.dataset.focus}: ${x.value} %, ${y.value} %`);
            crops.forEach((crop) => { crop.style.objectPosition = `${x.value || 50}% ${y.value || 50}%`; });
        };
        const set = (across, down) => {
            x.value = within(across);
            y.value = within(down);
            show();
        };
        const load = () => {
            const source = address(file, url);
            stage.hidden = !source;
            [image, ...crops].forEach((each) => {
                if (source) {
                    each.src = source;
                } else {
                    each.removeAttribute("src");
                }
            });
        };

        row.dataset.focus = document.querySelector("label[for=id_image_focus_y]").closest(".form-row")
            .querySelector(".help")?.textContent.trim() || "";
        picture.addEventListener("click", (event) => {
            // A click by the keyboard is nowhere.
            if (event.detail) {
                const box = image.getBoundingClientRect();
                set(100 * (event.clientX - box.left) / box.width, 100 * (event.clientY - box.top) / box.height);
                spot.focus();
            }
        });
        spot.addEventListener("keydown", (event) => {
            const way = ARROWS[event.key];
            if (way) {
                const step = event.shiftKey ? LARGE_STEP : STEP;
                event.preventDefault();
                set(Number(x.value) + way[0] * step, Number(y.value) + way[1] * step);
            }
        });
        [x, y].forEach((number) => number.addEventListener("input", show));
        image.addEventListener("error", () => { stage.hidden = true; });
        [file, url, document.querySelector("#image-clear_id")].forEach((each) => each?.addEventListener("change", load));
        load();
        show();
    };
    window.addEventListener("DOMContentLoaded", start);
}
