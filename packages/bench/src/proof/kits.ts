/** G3: kits beside their components. Nothing can be proved of what cannot be made: the product says so itself. */
import { admin } from "./Purchase.ts"
import type { Outcome, Run } from "./Scenario.ts"

export const proveKits = async ({ installation }: Run): Promise<Outcome> => {
  const shop = await installation.openShop()
  const [slot] = await installation.openSlots(1)
  if (slot === undefined) throw new Error("no slot")
  await installation.start(slot)
  const { status, body, bytes } = await admin(shop, slot.port, "POST", "/products", {
    name: "Kit",
    type: "KIT",
    basePrice: "10.00"
  })
  const nothing = { counts: {}, latencies: [] }
  if (status === 400)
    return { ...nothing, violations: [], notBuilt: String(body?.details?.errors?.type ?? body?.message) }
  return {
    ...nothing,
    violations: [
      `a kit was answered with ` +
        `${status} ${bytes.toString("utf8").slice(0, 200)}: the race of kits beside their components is due`
    ]
  }
}
