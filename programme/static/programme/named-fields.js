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

// Typing in such a field that was reached by Tab opens it, and goes on in its search.
document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (
        key.length === 1 &&
        key !== " " &&
        !(ctrlKey || metaKey || altKey) &&
        target.matches(".select2-selection")
    ) {
        window.django.jQuery(target.closest(".select2").previousElementSibling).select2("open");
        document.querySelector(".select2-container--open .select2-search__field")?.focus();
    }
});
