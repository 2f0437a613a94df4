/** Everything that a run measures, in order. A group that has no baseline to compare with is reported in absolute figures. */
import { askedBeforeGroup } from "./askedBefore.ts"
import { besideGroup } from "./besideCheckout.ts"
import { besideLoginsGroup } from "./besideLogins.ts"
import { evaluatorsGroup } from "./evaluators/evaluators.ts"
import { eventsGroup } from "./eventsAtSize.ts"
import { exportedOrdersGroup } from "./exportedOrders.ts"
import { journeyNames, measureJourneys } from "./journeys.ts"
import { limitStoresGroup } from "./limitStores.ts"
import { manyProcessesGroup } from "./manyProcesses.ts"
import { median } from "./measure.ts"
import { neverAskedGroup } from "./neverAsked.ts"
import { ordersGroup } from "./ordersAtSize.ts"
import { priceChangesGroup } from "./priceChanges.ts"
import { startFile, stop } from "./processes.ts"
import { productSetsGroup } from "./productSets.ts"
import { productWritesGroup } from "./productWrites.ts"
import { measurePurchaseCost, purchaseCostText } from "./purchaseCost.ts"
import { queuedMailsGroup } from "./queuedMails.ts"
import { readReplicaGroup } from "./readReplica.ts"
import { atMost, spread, table, two, whole } from "./report.ts"
import { routesGroup } from "./routes.ts"
import type { Group } from "./run.ts"
import { seedProducts } from "./seed.ts"
import { measureReady, serveProduct } from "./serving.ts"
import { wholePurchasesGroup } from "./wholePurchases.ts"
import { measureWebhooks } from "./webhookDeliveries.ts"

const journeysGroup: Group = {
  name: "journeys",
  rows: journeyNames,
  measure: async ({ places, plan }) => {
    const place = await places.open("journeys")
    await seedProducts(place.seeder, place.shop, 1_000)
    const { child, port } = await serveProduct(place.dataDir)
    const loader = startFile("./load.ts")
    const data = await measureJourneys({ ...place, port, loader }, plan.journeys)
    await Promise.all([stop(child), stop(loader)])
    const text = table(
      ["what", "callers", "times", "/s", "p50 ms", "p99 ms"],
      data.map(({ what, callers, count, perSecond, p50, p99 }) => [
        what,
        whole(callers),
        whole(count),
        whole(perSecond),
        two(p50),
        two(p99)
      ])
    )
    return { title: "Journeys of the product alone", text, data }
  }
}

const purchaseCostGroup: Group = {
  name: "purchase-cost",
  rows: ["cost of a purchase"],
  measure: async ({ places }) => {
    const place = await places.open("purchase")
    await seedProducts(place.seeder, place.shop, 1_000)
    const data = await measurePurchaseCost(place.dataDir, place.shop)
    return { title: "What a purchase costs", text: purchaseCostText(data), data }
  }
}

const webhooksGroup: Group = {
  name: "webhooks",
  rows: ["webhook deliveries"],
  measure: async ({ places, plan }) => {
    const place = await places.open("webhooks")
    await seedProducts(place.seeder, place.shop, 1_000)
    const data = await measureWebhooks(place, plan.webhooks)
    const { product, loop, ratio, idle } = data
    const text = `Deliveries beside a bare loop that posts the same rows: ${spread(ratio)}${ratio.median >= 0.25 ? "" : " (NOT KEPT: >= 0.25)"}, ${whole(product)} a second beside ${whole(loop)}.
From the request that commits to the first byte, nothing else going on, p99 of ${idle.samples}: ${whole(idle.p99)} ms (150 at most), p50 ${whole(idle.p50)} ms.`
    return { title: "Webhook deliveries", text, data }
  }
}

const startGroup: Group = {
  name: "start",
  rows: ["serve is ready"],
  measure: async ({ places, plan }) => {
    const place = await places.open("start")
    await seedProducts(place.seeder, place.shop, 1_000)
    await stop((await serveProduct(place.dataDir)).child)
    const starts: Array<number> = []
    for (let i = 0; i < plan.starts; i++) starts.push(await measureReady(place.dataDir))
    const data = { median: median(starts), lowest: Math.min(...starts), highest: Math.max(...starts) }
    const text = `\`commerce serve\` on an existing data directory is ready after ${atMost(data, 1)} s (1.0 at most).`
    return { title: "Start", text, data }
  }
}

export const groups: ReadonlyArray<Group> = [
  routesGroup,
  askedBeforeGroup,
  priceChangesGroup,
  neverAskedGroup,
  productWritesGroup,
  productSetsGroup,
  journeysGroup,
  purchaseCostGroup,
  ordersGroup,
  eventsGroup,
  queuedMailsGroup,
  exportedOrdersGroup,
  besideLoginsGroup,
  limitStoresGroup,
  manyProcessesGroup,
  readReplicaGroup,
  wholePurchasesGroup,
  webhooksGroup,
  startGroup,
  evaluatorsGroup,
  besideGroup
]
