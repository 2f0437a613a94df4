/** Faults in carts: merges, lines, bounds, currency, versions. */
import type { Fault } from "../plantedFaults.ts"

const handler = (path: string) => [`packages/handler/test/${path}.test.ts`]

export const cartFaults: ReadonlyArray<Fault> = [
  {
    id: "merge.open-checkouts",
    breaks: "What a guest had begun to buy is bought once more from the cart that it was merged into",
    file: "packages/core/src/cart/CustomerCarts.ts",
    find: "if (source.hasOpenCheckouts)",
    replace: "if (source.hasOpenCheckouts && source.lines.length === 0)",
    tests: handler("cart/MergedCheckouts.race"),
    noticedBy: "its checkout is cancelled"
  },
  {
    id: "merge.being-paid",
    breaks: "A cart is merged while a provider takes the money for it",
    file: "packages/core/src/cart/CustomerCarts.ts",
    find: "if (source.isBeingPaid)",
    replace: "if (source.isBeingPaid && source.lines.length === 0)",
    tests: handler("cart/MergedCheckouts.race"),
    noticedBy: "cannot be merged while a provider is asked"
  },
  {
    id: "merge.late-money",
    breaks: "What late money has bought of a merged cart can be bought again",
    file: "packages/core/src/completion/PaymentOutcomes.ts",
    find: "if (mergedInto !== null)",
    replace: "if (mergedInto === cartId)",
    tests: handler("cart/MergedCheckouts.race"),
    noticedBy: "takes what it paid for out of the cart"
  },
  {
    id: "lines.modifiers",
    breaks: "A large red lamp and a small blue one become two large red ones",
    file: "packages/core/src/cart/Cart.ts",
    find: "inOrder(line.modifiers)",
    replace: "[]",
    tests: handler("cart/SameLines.pg"),
    noticedBy: "counts the modifiers"
  },
  {
    id: "modifiers.free",
    breaks: "CHEAPEST_FREE and EXPENSIVE_FREE are swapped: the wrong modifiers of a group are free",
    file: "packages/core/src/modifier/internal/freeUnits.ts",
    find: 'policy === "CHEAPEST_FREE" ? 1 : -1',
    replace: 'policy === "CHEAPEST_FREE" ? -1 : 1',
    tests: ["packages/core/test/modifier/freeUnits.prop.test.ts"],
    noticedBy: "come to the least or the most"
  },
  {
    id: "modifiers.gone",
    breaks: "A topping that has just sold out is sold once more",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "  yield* checkModifiers(lines)\n",
    replace: "",
    tests: handler("cart/Modifiers.pg"),
    noticedBy: "is what completing and beginning a checkout say"
  },
  {
    id: "modifiers.required",
    breaks: "A pizza is sold without the crust that must be chosen",
    file: "packages/core/src/modifier/LineModifiers.ts",
    find: "return group.required ? {",
    replace: "return group.required && group.minSelections > 0 ? {",
    tests: ["packages/core/test/modifier/LineModifiers.test.ts"],
    noticedBy: "leaves out what is required"
  },
  {
    id: "modifiers.other-price",
    breaks: "A checkout made before takes the price of modifiers that it does not buy",
    file: "packages/core/src/checkout/CartCheckoutRepository.ts",
    find: " OR i.modifiers <> l.modifiers)",
    replace: ")",
    tests: handler("cart/Modifiers.pg"),
    noticedBy: "nor give it the other's price"
  },
  {
    id: "modifiers.variant",
    breaks: "A group holds for a variant twice, once with the rules that the merchant has replaced",
    file: "packages/core/migrations/0014_product.sql",
    find: "AND o.product_id = a.product_id AND o.group_id = a.group_id AND o.variant_id = variant)",
    replace: "AND o.product_id = a.product_id AND o.group_id = a.id AND o.variant_id = variant)",
    tests: handler("cart/Modifiers.pg"),
    noticedBy: "of one variant are judged"
  },
  {
    id: "modifiers.snapshot",
    breaks: "An order that waited for its money no longer says what was chosen, nor at which price",
    file: "packages/core/src/order/OrderDraft.ts",
    find: "...item }: OrderItem) => item",
    replace: "...item }: OrderItem) => ({ ...item, modifiers: [] })",
    tests: ["packages/core/test/order/OrderDraft.test.ts"],
    noticedBy: "holds modifiers as they were priced"
  },
  {
    id: "modifiers.hidden",
    breaks: "Shoppers read how the merchant calls a group among themselves",
    file: "packages/core/src/modifier/AttachedModifierGroup.ts",
    find: "internalName: isShopper ? null : group.internalName",
    replace: "internalName: group.internalName",
    tests: handler("modifier/ModifierGroups.pg"),
    noticedBy: "shows the group's facts"
  },
  {
    id: "lines.followed",
    breaks: "A line that went into another is bought by the checkout made before and again by the one made after",
    file: "packages/core/src/checkout/CartCheckoutRepository.ts",
    find: "UPDATE checkout_line l SET cart_item_id = ${into} FROM checkout k",
    replace: "UPDATE checkout_line l SET cart_item_id = ${gone} FROM checkout k",
    tests: handler("cart/SameLines.pg"),
    noticedBy: "is bought once"
  },
  {
    id: "lines.bound",
    breaks: "A line carries more than any reader of it is made for",
    file: "packages/core/src/cart/internal/lineChecks.ts",
    find: "if (bytes > maxLineExtras)",
    replace: "if (bytes > maxLineExtras + 1)",
    tests: handler("cart/CartBounds.pg"),
    noticedBy: "is at most 8 KiB"
  },
  {
    id: "lines.bound-together",
    breaks: "A cart of many heavy lines cannot be read any more",
    file: "packages/core/src/cart/internal/lineChecks.ts",
    find: "if (all <= most || all <= cartExtraBytes(before.lines))",
    replace: "if (all <= 2 * most || all <= cartExtraBytes(before.lines))",
    tests: handler("cart/CartBounds.pg"),
    noticedBy: "is at most 64 KiB"
  },
  {
    id: "currency.completion",
    breaks: "A checkout of before is bought at the numbers of another currency",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: "yield* checkCurrency(checkout, store)",
    replace: "",
    tests: handler("cart/Currency.pg"),
    noticedBy: "its steps and its completion are 409"
  },
  {
    id: "currency.amounts",
    breaks: "A product read in dollars is kept as yen",
    file: "packages/core/src/store/Stores.ts",
    find: "return currency === known.currency ? known : yield* fresh(known)",
    replace: 'return currency === "" ? yield* fresh(known) : known',
    tests: handler("cart/Currency.pg"),
    noticedBy: "of another process's memory"
  },
  {
    id: "versions.cart",
    breaks: "Two windows overwrite each other's cart although they asked not to",
    file: "packages/core/src/cart/CartWrites.ts",
    find: "yield* checkVersion(cart.updatedAt)",
    replace: "",
    tests: handler("middleware/StorefrontVersions.pg"),
    noticedBy: "is asked by every write to it"
  },
  {
    id: "versions.millisecond",
    breaks: "Of two writers in one millisecond the second overwrites the first",
    file: "packages/core/src/database/Precondition.ts",
    find: "Math.max(now, before.getTime() + 1)",
    replace: "Math.max(now, before.getTime())",
    tests: handler("middleware/StorefrontVersions.pg"),
    noticedBy: "within a millisecond"
  },
  {
    id: "merge.later-checkouts",
    breaks: "What late money bought of a merged cart is bought again through a checkout that is open",
    file: "packages/core/src/cart/CartHolds.ts",
    find: "if (itemIds.length > 0)",
    replace: "if (itemIds.length > 100)",
    tests: handler("cart/MergedCheckouts.race"),
    noticedBy: "takes what it paid for out of the cart"
  },
  {
    id: "currency.new-cart",
    breaks: "A process opens carts in the currency that the store sold in before, which can never be bought",
    file: "packages/core/src/cart/CartRepository.ts",
    find: "${cart.customerId}, s.currency,",
    replace: "${cart.customerId}, ${cart.currency},",
    tests: handler("cart/Currency.pg"),
    noticedBy: "is not the currency of a new cart"
  },
  {
    id: "versions.never-twice",
    breaks: "A version of a checkout comes twice where clocks differ, and a write by the older one passes",
    file: "packages/core/src/database/Precondition.ts",
    find: "sql`greatest(${now}, ${sql.literal(column)} + interval '1 millisecond')`",
    replace: "sql`greatest(${now}, ${sql.literal(column)})`",
    tests: handler("middleware/StorefrontVersions.pg"),
    noticedBy: "is another after"
  },
  {
    id: "cart.language-of-lines",
    breaks: "A shopper who reads German finds the lines of the cart named in the store's own language",
    file: "packages/core/src/cart/CartRepository.ts",
    find: `locale = sql.literal("c.locale")`,
    replace: `locale = sql.literal("NULL::text")`,
    tests: handler("cart/CartLanguage.pg"),
    noticedBy: "and keeps it whatever language it is asked in"
  },
  {
    id: "cart.language-of-merge",
    breaks: "After a merge a cart answers lines in two languages",
    file: "packages/core/src/cart/CustomerCarts.ts",
    find: "source.locale === target.locale",
    replace: "source.locale !== target.id",
    tests: handler("cart/CartLanguage.pg"),
    noticedBy: "a merge leaves the customer's its own"
  },
  {
    id: "order.language",
    breaks: "The confirmation of a German order is sent by the store's English template",
    file: "packages/core/src/completion/Completion.ts",
    find: "locale: checkout.locale",
    replace: "locale: null",
    tests: handler("cart/CartLanguage.pg"),
    noticedBy: "has its mail by the template of that language"
  },
  {
    id: "checkout.removed-line-sold",
    breaks: "What a shopper took out of the cart is sold by a checkout that was open",
    file: "packages/core/src/checkout/CartCheckoutRepository.ts",
    find: "WHERE NOT n.all_of_it AND l.store_id",
    replace: "WHERE n.all_of_it AND l.store_id",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "goes on without a line that was taken out of the cart"
  },
  {
    id: "checkout.emptied-stays-open",
    breaks: "A checkout whose only line was taken out of the cart sells it all the same",
    file: "packages/core/src/checkout/CartCheckoutRepository.ts",
    find: "status = CASE WHEN n.all_of_it THEN 'CANCELLED' ELSE k.status END",
    replace: "status = k.status",
    tests: handler("checkout/Purchase.pg"),
    noticedBy: "goes on without a line that was taken out of the cart"
  },
  {
    id: "checkout.nameless-pickup",
    breaks: "Nobody knows who comes for what is picked up",
    file: "packages/core/src/completion/CompletionChecks.ts",
    find: 'isNamed ? [] : ["firstName"]',
    replace: "isNamed ? [] : []",
    tests: handler("checkout/Delivery.pg"),
    noticedBy: "costs what the place costs"
  },
  {
    id: "checkout.nameless-account",
    breaks: "A parcel of a customer whose name is known goes to nobody",
    file: "packages/core/src/checkout/Checkouts.ts",
    find: "customerId === null ? undefined : yield* customers.find(store.id, customerId)",
    replace: "undefined",
    tests: handler("order/Recipient.pg"),
    noticedBy: "begins with the account's e-mail address"
  }
]
