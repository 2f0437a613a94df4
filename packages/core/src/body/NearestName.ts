/** Suggests the known name that an unknown one probably meant. */

/** Names that other systems give to our fields; the first of ours that the body has is suggested. */
const otherWords: Readonly<Record<string, ReadonlyArray<string>>> = {
  zip: ["postalCode"],
  zipcode: ["postalCode"],
  postcode: ["postalCode"],
  plz: ["postalCode"],
  street: ["line1"],
  address: ["line1", "shippingAddress"],
  address1: ["line1"],
  addressline1: ["line1"],
  street1: ["line1"],
  address2: ["line2"],
  addressline2: ["line2"],
  street2: ["line2"],
  state: ["region"],
  province: ["region"],
  county: ["region"],
  countrycode: ["country"],
  town: ["city"],
  price: ["basePrice", "amount"],
  cost: ["costPrice"],
  qty: ["quantity"],
  amount: ["quantity"],
  stock: ["inventory", "total"],
  title: ["name"],
  label: ["name"],
  mail: ["email"],
  tel: ["phone"],
  telephone: ["phone"],
  lines: ["items"],
  coupon: ["couponCode"],
  variant: ["variantId"],
  product: ["productId"],
  customer: ["customerId"]
}

/** Makes `base_price`, `Base-Price` and `basePrice` equal. */
const plain = (name: string): string => name.replaceAll(/[_\-\s]/g, "").toLowerCase()

/** Edit distance: letters to replace, insert, delete or swap with their neighbour. */
const distance = (a: string, b: string): number => {
  const rows: Array<Array<number>> = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : changed
      rows[i]?.push(Math.min(changed, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(a.length, b.length)
}

/** `modifierGroupId` ends as `groupId` does. */
const isEnd = (a: string, b: string): boolean => Math.min(a.length, b.length) > 4 && (a.endsWith(b) || b.endsWith(a))

/** Longer than any field's name, and short enough to be compared with all of them. */
const longest = 40

/** The known name nearest to `given`, if a third of its letters or fewer differ, and at most three. */
export const nearestName = (given: string, names: ReadonlyArray<string>): string | undefined => {
  if (given.length > longest) return undefined
  const word = plain(given)
  const same = names.find((name) => plain(name) === word)
  if (same !== undefined) return same
  // `constructor` is a name that every object knows.
  const meant = Object.hasOwn(otherWords, word) ? otherWords[word]?.find((name) => names.includes(name)) : undefined
  if (meant !== undefined) return meant
  const longer = names.find((name) => isEnd(word, plain(name)))
  if (longer !== undefined) return longer
  const bound = Math.min(3, Math.floor(word.length / 3))
  const near = names.map((name) => ({ name, far: distance(word, plain(name)) })).toSorted((a, b) => a.far - b.far)[0]
  return near !== undefined && near.far <= bound ? near.name : undefined
}

/** The error for a name that `thing` does not have: `no field of a product; did you mean basePrice?`. */
export const unknownName = (given: string, names: ReadonlyArray<string>, thing = "this request"): string => {
  const nearest = nearestName(given, names)
  return `no field of ${thing}${nearest === undefined ? "" : `; did you mean ${nearest}?`}`
}
