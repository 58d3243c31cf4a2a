// The panel of a list's filters, which opens and closes; what is chosen stands outside.

import { attempt } from "../pages/storage.js";

const button = document.querySelector(".open-filters");
const panel = document.getElementById("changelist-filter");
// The list whose panel stays open on the next page.
const STAYS = "filters-stay";
const chips = document.querySelector(".chosen-filters");

function open(isOpen) {
    button.setAttribute("aria-expanded", String(isOpen));
    panel.classList.toggle("open", isOpen);
}

function findChosen(filter) {
    const name = filter.dataset.filterTitle;
    const choice = filter.querySelector("li.selected a");
    const all = filter.querySelector("li a");
    if (choice) {
        return choice === all ? null : { name, value: choice.textContent, all: all.href };
    }
    const option = filter.querySelector("select option[selected]");
    if (!option?.value) {
        return null;
    }
    const address = new URL(window.location);
    address.searchParams.delete(option.parentElement.name);
    return { name, value: option.textContent, all: address.href };
}

function buildChip({ name, value, all }) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = all;
    link.textContent = value.trim();
    link.setAttribute("aria-label", `${name}: ${value.trim()}. ${chips.dataset.remove}`);
    item.append(link);
    return item;
}

// The rows that were ticked are ticked again once something was done with them.
const here = window.location.pathname + window.location.search;
const ticks = [...document.querySelectorAll(".action-select")];
const ticked = attempt(() => sessionStorage.getItem(here)) ?? "";
ticks.forEach((tick) => (tick.checked ||= ticked.split(",").includes(tick.value)));
attempt(() => sessionStorage.removeItem(here));
document.getElementById("changelist-form").addEventListener("submit", () => {
    const chosen = ticks.filter((tick) => tick.checked).map((tick) => tick.value);
    attempt(() => sessionStorage.setItem(here, chosen));
});

if (button) {
    button.addEventListener("click", () => open(button.getAttribute("aria-expanded") !== "true"));
    panel.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
            open(false);
            button.focus();
        }
    });
    // It stays open while choices are made in it.
    for (const type of ["click", "submit"]) {
        panel.addEventListener(type, ({ target }) => {
            if (target.matches("a, form")) {
                attempt(() => sessionStorage.setItem(STAYS, window.location.pathname));
            }
        });
    }
    open(attempt(() => sessionStorage.getItem(STAYS)) === window.location.pathname);
    attempt(() => sessionStorage.removeItem(STAYS));
    const filters = [...panel.querySelectorAll(":scope > details")];
    chips.append(...filters.map(findChosen).filter(Boolean).map(buildChip));
}
