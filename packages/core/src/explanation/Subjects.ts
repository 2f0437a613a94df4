/** Finds what is explained by its id alone, for the operator of an installation: no key says which store it is of. */
import { Context, Effect, Layer } from "effect"
import { SubjectRepository } from "./SubjectRepository.ts"

export class Subjects extends Context.Service<Subjects>()("@effect-commerce/core/explanation/Subjects", {
  make: Effect.map(SubjectRepository, ({ storeOf }) => ({
    /** The id of the store that has the cart, the checkout or the order; undefined where none has. */
    storeOf
  }))
}) {
  static readonly layer = Layer.effect(Subjects, Subjects.make).pipe(Layer.provide(SubjectRepository.layer))
}
