/** Parts of operations.txt whose operations Operations.pg.test calls, each of them; EveryOperation.pg.test calls the rest. */
export const calledParts: ReadonlyArray<string> = [
  "Brands",
  "Attributes",
  "Products and modifiers",
  "Metafields",
  "Regions",
  "Reviews",
  "Media, uploads, stock alerts"
]
