import type { ProductWithDatabase } from '../import-plan.ts'

const MAPPINGS_FOLLOWED = 20

/** The name under which a channel asks for a model; null: it leads back to itself. one-api looks once, new-api follows chains. */
export function askedModel(
  name: string,
  mapping: ReadonlyMap<string, unknown>,
  product: ProductWithDatabase,
): string | null {
  let model = name
  for (let step = 0; step < MAPPINGS_FOLLOWED; step++) {
    const next = mapping.get(model)
    if (typeof next !== 'string' || next === '' || next === model) return model
    if (product === 'one-api') return next
    model = next
  }
  return null
}
