/**
 * The address book of a customer: up to a hundred addresses, one of them the default as long as there is any. Each
 * change locks the customer first, so that concurrent changes run one after another, and writes an event with the
 * customer and all addresses.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Database } from "../database/Database.ts"
import { orFail } from "../database/Repository.ts"
import { trimmedText } from "../kernel/GivenText.ts"
import { Outbox } from "../outbox/Outbox.ts"
import { type AddressInput, toAddress } from "../kernel/Address.ts"
import { makeId } from "../kernel/Ids.ts"
import type { StoreContext } from "../store/StoreContext.ts"
import { FieldRejected } from "../kernel/FieldRejected.ts"
import { type CustomerState, maxAddresses, type SavedAddress } from "./Customer.ts"
import { CustomerAddressesFull, CustomerAddressNotFound, CustomerNotFound } from "./CustomerErrors.ts"
import { customerSnapshot, customerUpdated } from "./CustomerEvents.ts"
import type { AddressPatch, NewAddress } from "./CustomerInput.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import { type SavedAddressView, toSavedAddressView } from "./CustomerView.ts"

export class CustomerAddresses extends Context.Service<CustomerAddresses>()(
  "@effect-commerce/core/customer/CustomerAddresses",
  {
    make: Effect.gen(function* () {
      const database = yield* Database
      const repository = yield* CustomerRepository
      const outbox = yield* Outbox

      /** Locks and reads the customer; `decide` writes the addresses and returns them as they then are. */
      const change = <E>(
        store: StoreContext,
        customerId: string,
        decide: (customer: CustomerState, now: Date) => Effect.Effect<ReadonlyArray<SavedAddress>, E>
      ): Effect.Effect<ReadonlyArray<SavedAddress>, E | CustomerNotFound> =>
        database.write(store.id)(
          Effect.gen(function* () {
            const now = new Date(yield* Clock.currentTimeMillis)
            yield* repository.lock(store.id, customerId)
            const customer = yield* repository.find(store.id, customerId)
            if (customer === undefined) return yield* new CustomerNotFound({ id: customerId })
            const addresses = [...(yield* decide(customer, now))].sort(byImportance)
            yield* outbox.append(
              store.id,
              customerUpdated,
              customerSnapshot({ ...customer, addresses, updatedAt: now })
            )
            return addresses
          })
        )

      const save = (store: StoreContext, customer: CustomerState, saved: SavedAddress) =>
        Effect.as(repository.saveAddress(store.id, customer.id, saved), [
          ...customer.addresses.flatMap((other) =>
            other.id === saved.id ? [] : [saved.isDefault ? { ...other, isDefault: false } : other]
          ),
          saved
        ])

      const own = (customer: CustomerState, id: string): Effect.Effect<SavedAddress, CustomerAddressNotFound> => {
        const address = customer.addresses.find((saved) => saved.id === id)
        return address === undefined ? Effect.fail(new CustomerAddressNotFound({ id })) : Effect.succeed(address)
      }

      const shown = (id: string) => Effect.map((addresses: ReadonlyArray<SavedAddress>) => viewOf(addresses, id))

      /** The first address becomes the default, whatever the request says. */
      const add = Effect.fn("CustomerAddresses.add")(function* (
        store: StoreContext,
        customerId: string,
        { label, isDefault, ...input }: NewAddress
      ) {
        const id = makeId("addr", yield* Clock.currentTimeMillis)
        return yield* change(store, customerId, (customer, now) => {
          if (customer.addresses.length >= maxAddresses) return Effect.fail(new CustomerAddressesFull({ maxAddresses }))
          const first = customer.addresses.length === 0
          const saved = {
            id,
            label: trimmedText(label),
            isDefault: first || isDefault === true,
            address: toAddress(input),
            createdAt: now,
            updatedAt: now
          }
          return save(store, customer, saved)
        }).pipe(shown(id))
      })

      const edit = Effect.fn("CustomerAddresses.edit")(function* (
        store: StoreContext,
        customerId: string,
        id: string,
        { label, isDefault, ...patch }: AddressPatch
      ) {
        return yield* change(store, customerId, (customer, now) =>
          Effect.gen(function* () {
            const current = yield* own(customer, id)
            if (isDefault === false && current.isDefault) {
              return yield* FieldRejected.at(
                "isDefault",
                "there is always a default: make another address the default instead"
              )
            }
            const saved: SavedAddress = {
              ...current,
              label: label === undefined ? current.label : trimmedText(label),
              isDefault: isDefault ?? current.isDefault,
              address: toAddress(merged(current, patch)),
              updatedAt: now
            }
            return yield* save(store, customer, saved)
          })
        ).pipe(shown(id))
      })

      const makeDefault = Effect.fn("CustomerAddresses.makeDefault")(function* (
        store: StoreContext,
        customerId: string,
        id: string
      ) {
        return yield* change(store, customerId, (customer, now) =>
          Effect.flatMap(own(customer, id), (current) =>
            save(store, customer, { ...current, isDefault: true, updatedAt: now })
          )
        ).pipe(shown(id))
      })

      /** If the default is removed, the newest of the remaining addresses takes over. */
      const remove = Effect.fn("CustomerAddresses.remove")(function* (
        store: StoreContext,
        customerId: string,
        id: string
      ) {
        yield* change(store, customerId, (customer, now) =>
          Effect.gen(function* () {
            const gone = yield* own(customer, id)
            const left = customer.addresses.filter((address) => address.id !== id)
            const heir = gone.isDefault ? [...left].sort(byImportance)[0] : undefined
            yield* repository.removeAddress(store.id, customerId, id, heir?.id ?? null, now)
            return left.map((address) => (address === heir ? { ...address, isDefault: true, updatedAt: now } : address))
          })
        )
      })

      return {
        list: (store: StoreContext, customerId: string) =>
          Effect.map(
            orFail(repository.find(store.id, customerId), () => new CustomerNotFound({ id: customerId })),
            (customer) => customer.addresses.map(toSavedAddressView)
          ),
        add,
        change: edit,
        makeDefault,
        remove
      }
    })
  }
) {
  static readonly layer = Layer.effect(CustomerAddresses, CustomerAddresses.make).pipe(
    Layer.provide(CustomerRepository.layer)
  )
}

/** The order in every response: the default, then the newest. */
const byImportance = (left: SavedAddress, right: SavedAddress): number =>
  Number(right.isDefault) - Number(left.isDefault) ||
  right.createdAt.getTime() - left.createdAt.getTime() ||
  (left.id < right.id ? 1 : -1)

const viewOf = (addresses: ReadonlyArray<SavedAddress>, id: string): SavedAddressView => {
  const saved = addresses.find((address) => address.id === id)
  if (saved === undefined) throw new Error(`address ${id} was saved and is not there`)
  return toSavedAddressView(saved)
}

/** `state` and `name` are aliases of `region` and `firstName`: a patch that uses them means those. */
const merged = (current: SavedAddress, { state, name, ...patch }: AddressPatch): AddressInput => {
  const region = patch.region === undefined ? state : patch.region
  const firstName = patch.firstName === undefined ? name : patch.firstName
  const given = Object.fromEntries(
    Object.entries({ ...patch, region, firstName }).filter(([, value]) => value !== undefined)
  )
  return { ...current.address, ...given }
}
