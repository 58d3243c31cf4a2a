// Names the fields that Select2 puts in the place of choices.

export function nameChoice(choice) {
    const label = document.querySelector(`label[for="${choice.id}"]`);
    const field = choice.nextElementSibling?.querySelector("[role=combobox]");
    const shown = field?.querySelector("[role=textbox]");
    if (label && shown) {
        label.id ||= `${choice.id}_label`;
        field.setAttribute("aria-labelledby", `${label.id} ${shown.id}`);
        shown.setAttribute("aria-labelledby", label.id);
    }
}

export const nameChoices = (parent) =>
    parent.querySelectorAll("select.admin-autocomplete").forEach(nameChoice);

window.addEventListener("load", () => {
    // Both are registered after Django's own, which put Select2's fields there.
    window.django?.jQuery(() => nameChoices(document));
    document.addEventListener("formset:added", (event) => nameChoices(event.target));
});
