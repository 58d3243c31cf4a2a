// The button that publishes or withdraws at once says so, and that it does later where a moment is chosen.

const fields = [...document.querySelectorAll("[name=due_day], [name=due_time]")];
const buttons = document.querySelectorAll("button[name=status]");

function nameButtons() {
    const words = fields.some((field) => field.value) ? "later" : "now";
    buttons.forEach((button) => (button.textContent = button.dataset[words]));
}

fields.forEach((field) => field.addEventListener("input", nameButtons));
