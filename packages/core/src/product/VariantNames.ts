/** Variants under the current names of their options. */
/** Option id to the names of its attribute and of the option. */
export type OptionNames = ReadonlyMap<string, readonly [attribute: string, option: string]>

export const optionNamesOf = (
  attributes: ReadonlyArray<{
    readonly name: string
    readonly options: ReadonlyArray<{ readonly id: string; readonly name: string }>
  }>
): OptionNames =>
  new Map(attributes.flatMap(({ name, options }) => options.map((option) => [option.id, [name, option.name]] as const)))

interface Named {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly optionIds: ReadonlyArray<string>
}

/** A stored variant under the current names of its options. */
export const withOptionNames = <V extends Named>(
  variant: V,
  names: OptionNames
): V & { readonly isNameMade: boolean } => {
  if (variant.optionIds.length === 0) return { ...variant, isNameMade: false }
  const chosen = variant.optionIds.flatMap((id) => {
    const named = names.get(id)
    return named === undefined ? [] : [named]
  })
  const isNameMade = variant.name === ""
  return {
    ...variant,
    isNameMade,
    name: isNameMade ? chosen.map(([, option]) => option).join(" / ") : variant.name,
    attributes: Object.fromEntries(chosen)
  }
}
