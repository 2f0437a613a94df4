/** The services of the payment room: the providers of stores and of the installation. */
import { Layer } from "effect"
import type { Room } from "../database/Room.ts"
import { InstalledProviders } from "./InstalledProviders.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"
import { PaymentProviders } from "./PaymentProviders.ts"
import { storeProviderBound } from "./StoreProvider.ts"
import { StoreProviders } from "./StoreProviders.ts"

export const paymentRoom = {
  /** `installed`: the providers that come with the installation, and those of the host. */
  layer: (installed: ReadonlyArray<PaymentProvider>) =>
    StoreProviders.layer.pipe(
      Layer.provideMerge(PaymentProviders.layer),
      Layer.provide(Layer.succeed(InstalledProviders, installed))
    ),
  bounds: [storeProviderBound]
} as const satisfies Room
