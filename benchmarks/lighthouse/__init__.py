"""`make lighthouse URL=…`: what Lighthouse says of each kind of public page, on a phone."""
