// Shows an event's picture with the spot that must stay visible: clicked, or moved by the arrow keys. The numbers
// beside it say the same, and are all there is where no script runs.

const STEP = 1;
const LARGE_STEP = 10;
const CENTRE = 50;
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STAGE = `<div class="focal-picture"><img alt=""><button type="button" class="focal-spot"></button></div>
    <img alt="" class="focal-crop wide"><img alt="" class="focal-crop tall">`;

const clampPercent = (percent) => Math.min(100, Math.max(0, Math.round(percent)));

/** Return the address of the picture that is saved, chosen or named, in the order in which readers get them. */
function findSource(file, url, clear) {
    const saved = file.parentElement.querySelector("a[href]");
    if (file.files[0]) {
        return URL.createObjectURL(file.files[0]);
    }
    return saved && !clear?.checked ? saved.href : url.value;
}

function enhance({ file, url, x, y, clear }) {
    const stage = document.createElement("div");
    stage.className = "focal-stage";
    stage.innerHTML = STAGE;
    const [image, ...crops] = stage.querySelectorAll("img");
    const [picture, spot] = [stage.firstElementChild, stage.querySelector("button")];
    file.closest(".form-row").append(stage);
    const help = document
        .querySelector("label[for=id_image_focus_y]")
        .closest(".form-row")
        .querySelector(".help");
    const label = help?.textContent.trim() ?? "";

    function show() {
        const [left, top] = [x, y].map((number) => `${number.value || CENTRE}%`);
        Object.assign(spot.style, { left, top });
        spot.setAttribute("aria-label", `${label}: ${x.value} %, ${y.value} %`);
        for (const crop of crops) {
            crop.style.objectPosition = `${left} ${top}`;
        }
    }

    function move(across, down) {
        x.value = clampPercent(across);
        y.value = clampPercent(down);
        show();
    }

    function load() {
        const source = findSource(file, url, clear);
        stage.hidden = !source;
        for (const each of source ? [image, ...crops] : []) {
            each.src = source;
        }
    }

    picture.addEventListener("click", (event) => {
        // A click by the keyboard is nowhere.
        if (event.detail) {
            const box = image.getBoundingClientRect();
            move(
                (100 * (event.clientX - box.left)) / box.width,
                (100 * (event.clientY - box.top)) / box.height,
            );
            spot.focus();
        }
    });
    spot.addEventListener("keydown", (event) => {
        const direction = DIRECTIONS[event.key];
        if (direction) {
            const step = event.shiftKey ? LARGE_STEP : STEP;
            event.preventDefault();
            move(Number(x.value) + direction[0] * step, Number(y.value) + direction[1] * step);
        }
    });
    [x, y].forEach((number) => number.addEventListener("input", show));
    image.addEventListener("error", () => {
        stage.hidden = true;
    });
    [file, url, clear].forEach((field) => field?.addEventListener("change", load));
    load();
    show();
}

const fields = {
    file: document.querySelector("#id_image"),
    url: document.querySelector("#id_image_url"),
    x: document.querySelector("#id_image_focus_x"),
    y: document.querySelector("#id_image_focus_y"),
};
if (Object.values(fields).every(Boolean)) {
    enhance({ ...fields, clear: document.querySelector("#image-clear_id") });
}
