// The API's page: Swagger UI shows the description, and asks this service under the address that the reader has.

/* global SwaggerUIBundle */

const scheme = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", scheme.matches);
scheme.addEventListener("change", follow);
follow();

const response = await fetch(document.querySelector("[rel=service-desc]").href);
const description = await response.json();
description.servers = [{ url: location.origin }];
for (const item of Object.values(description.paths)) {
    // It is GET without a body.
    delete item.head;
    for (const parameter of item.parameters.filter((each) => !each.required && each.examples)) {
        // Swagger UI would fill its form with them.
        parameter.description += ` For example ${Object.keys(parameter.examples).join(", ")}.`;
        delete parameter.examples;
    }
}
SwaggerUIBundle({ spec: description, dom_id: "#api", deepLinking: true, tryItOutEnabled: true });
