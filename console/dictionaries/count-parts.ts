import type { RateLimitView } from '../../src/contract/keys.ts'

/** A limit of a key that is a count, as the API calls it. */
export type CountField = Exclude<keyof RateLimitView, 'spend'>

/** What is said of the counts that are limited; null: not limited. */
export function countParts(
  counts: Readonly<Record<CountField, string | null>>,
  said: Readonly<Record<CountField, (count: string) => string>>,
): readonly string[] {
  const fields = Object.keys(said) as CountField[]
  return fields.flatMap((field) => {
    const count = counts[field]
    return count === null ? [] : [said[field](count)]
  })
}
