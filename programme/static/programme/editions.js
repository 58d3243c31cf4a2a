// Changes over to the edition that is chosen in the header, without its button.

const form = document.querySelector("form.editions");
form?.querySelector("button").remove();
form?.addEventListener("change", () => form.requestSubmit());
