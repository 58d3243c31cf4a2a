// Rows that are added to a form and removed, by keyboard: none leaves its editor nowhere, and each has its number.

/** What a row is called follows from its place, as rows are added and removed. */
function number(group) {
    const { name } = group.querySelector(".empty-form").dataset;
    group
        .querySelectorAll("tr.form-row:not(.empty-form)")
        .forEach((row, index) => row.setAttribute("aria-label", `${name} ${index + 1}`));
}

document.addEventListener("formset:added", ({ target }) => {
    number(target.closest(".rows"));
    target.querySelector("input:not([type=hidden]), select:not([tabindex]), textarea")?.focus();
});
document.addEventListener("formset:removed", ({ detail }) => {
    const group = document.getElementById(`${detail.formsetName}-group`);
    number(group);
    group.querySelector(".add-row a").focus();
});
// Django's links that are called buttons heed Enter alone.
document.addEventListener("keydown", (event) => {
    if (event.key === " " && event.target.matches("a[role=button]")) {
        event.preventDefault();
        event.target.click();
    }
});
