// Places are chosen by typing; once an area is chosen, only its sub areas are offered.

import { nameChoice } from "./named-fields.js";

/** Leave the sub areas of the area beside; one that is chosen without an area brings its own. */
function narrowSubAreas($, subArea) {
    const area = subArea.form?.elements[subArea.name.replace(/sub_area$/, "area")];
    const groups = [...subArea.querySelectorAll("optgroup")];
    const narrow = (kept) => {
        const [{ value }, chosen] = [subArea, area.value && area.selectedOptions[0].text];
        groups.forEach((group) => group.remove());
        subArea.append(...groups.filter((group) => !chosen || group.label === chosen || group === kept));
        subArea.value = value;
        subArea.selectedIndex = Math.max(subArea.selectedIndex, 0);
    };
    // What a form was refused with is not taken away.
    narrow(subArea.selectedOptions[0]?.closest("optgroup"));
    $(area).on("change", () => narrow());
    $(subArea).on("change", () => {
        const label = subArea.selectedOptions[0].closest("optgroup")?.label;
        const own = [...area.options].find((option) => option.text === label);
        if (!area.value && own) {
            own.selected = true;
            narrow();
        }
    });
}

/** Make the boxes for places inside an element ready; those that Django fills are so already. */
export function prepare(parent) {
    const $ = window.django.jQuery;
    for (const subArea of parent.querySelectorAll("select[name$=sub_area]")) {
        narrowSubAreas($, subArea);
    }
    for (const choice of parent.querySelectorAll("select[data-search]")) {
        $(choice).select2({ theme: "admin-autocomplete", width: "100%" });
        nameChoice(choice);
    }
}

// Both after Django's own.
window.django?.jQuery(() => prepare(document));
document.addEventListener("formset:added", (event) => prepare(event.target));

/** Filter as soon as a place is chosen; what is not chosen stays out of the address. */
function filterAtOnce(form) {
    form.querySelector("[type=submit]").hidden = true;
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
        window.location.search = new URLSearchParams(chosen);
    });
    window.django.jQuery(form).on("change", () => form.requestSubmit());
}

document.querySelectorAll(".box-filter").forEach(filterAtOnce);
