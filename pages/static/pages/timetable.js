// The timetable: it shows chosen places, counts those beyond the edge, and opens at what is next.

import { read, write } from "./storage.js";

const PLACE = `timetable ${location.pathname}${location.search}`;
const grid = document.querySelector(".grid");
const size = document.querySelector(".dayhead .size");
const written = size.textContent;
const places = [...grid.querySelectorAll("[data-place]")];
const areas = [...grid.querySelectorAll(":scope > section")];
const further = grid.querySelector(".further");
const number = (element, name) => Number(getComputedStyle(element).getPropertyValue(name));

// --- Places are chosen, and stay so on this device

// Whether those that are marked are shown, after all were hidden; otherwise they are hidden, and all others shown.
let [isChosen = false, ...stored] = read("places") ?? [];
const marked = new Set(stored);
const boxes = [];
const picking = document.querySelector(".picking ul");
const summary = document.querySelector(".picking summary");
const closed = summary.textContent;
const writePart = (left, all) =>
    [left, all].reduce((text, each) => text.replace("{}", each), picking.dataset.part);

function offer(list, text, offered) {
    const item = list.appendChild(document.createElement("li"));
    const label = item.appendChild(document.createElement("label"));
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    box.addEventListener("change", () => {
        if (offered === places) {
            isChosen = !box.checked;
            marked.clear();
        } else {
            for (const each of offered)
                marked[box.checked === isChosen ? "add" : "delete"](each.dataset.place);
        }
        write("places", [isChosen, ...marked]);
        show();
    });
    label.append(box, text);
    boxes.push([box, offered]);
    return item;
}

function show() {
    for (const each of places) each.hidden = marked.has(each.dataset.place) !== isChosen;
    for (const each of areas) each.hidden = !each.querySelector("[data-place]:not([hidden])");
    for (const [box, offered] of boxes) {
        box.checked = offered.some((each) => !each.hidden);
        box.indeterminate = box.checked && offered.some((each) => each.hidden);
    }
    const all = document.querySelectorAll(".timetable .o").length;
    const left = all - grid.querySelectorAll("[data-place][hidden] .o").length;
    size.textContent = left < all ? writePart(left, written) : written;
    const shown = places.filter((each) => !each.hidden).length;
    summary.textContent = shown < places.length ? `${closed} (${writePart(shown, places.length)})` : closed;
    announce();
}

function offerPlaces() {
    offer(picking, picking.dataset.all, places);
    for (const area of areas) {
        const own = [...area.querySelectorAll("[data-place]")];
        const item = offer(picking, area.querySelector("h3").textContent, own);
        if (own.length === 1) continue;
        const inner = item.appendChild(document.createElement("ul"));
        for (const place of own) offer(inner, place.querySelector("h4").textContent, [place]);
    }
}

function announce() {
    const edge = grid.getBoundingClientRect().right;
    const spans = places.map((each) => each.getBoundingClientRect());
    const count = spans.filter((each) => each.left + each.width / 2 > edge).length;
    further.hidden = !count;
    further.textContent = further.dataset.more.replace("{}", count);
}

further.addEventListener("click", () => grid.scrollBy(grid.clientWidth / 2, 0));
grid.addEventListener("scroll", announce);
new ResizeObserver(announce).observe(grid);

// --- Now

const blocks = [...grid.querySelectorAll(".o")];
// Minutes after the first hour, as all of the timetable.
const origin = Date.parse(blocks[0].querySelector("time").dateTime) - number(blocks[0], "--t") * 60000;
const findNow = () => Math.floor((Date.now() - origin) / 60000);

function moveLine() {
    const now = findNow();
    if (now >= 0 && now < number(grid, "--m")) grid.style.setProperty("--now", now);
}

function open() {
    const kept = read(PLACE, "sessionStorage");
    if (kept && performance.getEntriesByType("navigation")[0]?.type !== "navigate") {
        grid.scrollTo(...kept);
        return;
    }
    const hours = [...grid.querySelectorAll(".hours li")];
    const linked = hours.findIndex((each) => location.hash === `#${each.id}`);
    const from = linked < 0 ? findNow() : linked * 60;
    const seen = blocks.filter((each) => !each.closest("[hidden]"));
    const spans = seen.map((each) => ["--t", "--d"].map((name) => number(each, name)));
    const starts = spans.map(([start]) => start).sort((one, other) => one - other);
    const next = starts.find((each) => each >= from);
    const isRunning = spans.some(([start, length]) => start <= from && from < start + length);
    // On a day that is over, as on those to come, the first one; never sideways.
    const top = next && starts[0] < from && isRunning ? from : (next ?? starts[0]);
    grid.scrollTop = (top / 60) * hours[0].offsetHeight - 24;
}

addEventListener("pagehide", () => write(PLACE, [grid.scrollLeft, grid.scrollTop], "sessionStorage"));
offerPlaces();
show();
moveLine();
open();
setInterval(moveLine, 60000);
