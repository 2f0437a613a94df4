/** Rates of exchange, of pairs of currencies. */
import { ResourceChanged } from "@effect-commerce/core/database/Precondition"
import { FxRate, FxRateInput } from "@effect-commerce/core/fx/ExchangeRate"
import { FieldRejected } from "@effect-commerce/core/kernel/FieldRejected"
import { listEnvelope, pageQuery } from "@effect-commerce/core/kernel/Pagination"
import { HttpApiEndpoint } from "effect/http-api"
import { apiGroup } from "../middleware/ApiGroup.ts"
import { failsBy } from "../middleware/DeclaredErrors.ts"
import { adminRoute } from "../middleware/Policy.ts"
import { useCase } from "../middleware/Versioned.ts"

const fails = failsBy({})

export class FxRatesGroup extends apiGroup("fxRates", {
  part: "Admin",
  title: "Rates of exchange",
  description: "Rates at which checkouts are presented in the currencies of regions."
}).add(
  HttpApiEndpoint.get("list", "/v1/fx-rates", { query: pageQuery, success: listEnvelope(FxRate) }).pipe(
    adminRoute({
      summary: "List rates of exchange",
      description:
        "Lists the rates of the store by currency, in pages. Each converts from the store's currency to another."
    })
  ),
  HttpApiEndpoint.put("put", "/v1/fx-rates", {
    payload: FxRateInput,
    success: FxRate,
    error: fails(FieldRejected, ResourceChanged)
  }).pipe(
    adminRoute({
      oneTransaction: true,
      version: useCase,
      summary: "Set a rate of exchange",
      description:
        "Sets the rate of a pair of currencies, or removes it with `rate: null`, and returns it. Checkouts that are " +
        "created from then on, and those whose region changes, are presented by it: each amount is converted at " +
        "rate x (1 + bufferPercent / 100) and rounded half up in the region's currency. Other checkouts keep the " +
        "rate they have. `If-Match` compares the pair's `updatedAt`."
    })
  )
) {}

export const fxGroups = [FxRatesGroup] as const
