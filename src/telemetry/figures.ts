import { type Family, FAMILIES } from './families.ts'
import type { Distribution } from './histogram.ts'

/** All metrics of one thread at one moment: plain values, which can be sent to another thread. */
export interface Figures {
  readonly values: readonly Value[]
  readonly distributions: readonly { readonly of: FamilyName; readonly distribution: Distribution }[]
}

export type FamilyName = keyof typeof FAMILIES

export interface Value {
  readonly of: FamilyName
  /** The values of the labels, in the order of the family. */
  readonly labels: readonly string[]
  readonly value: number
}

/** The figures of several threads as those of one process. */
export function merged(all: readonly Figures[]): Figures {
  const values = new Map<string, Value>()
  const distributions = new Map<FamilyName, Distribution>()
  for (const figures of all) {
    for (const value of figures.values) {
      const key = JSON.stringify([value.of, ...value.labels])
      const before = values.get(key)
      values.set(key, before === undefined ? value : { ...value, value: joined(familyOf(value.of), before, value) })
    }
    for (const { of, distribution } of figures.distributions) {
      const before = distributions.get(of)
      distributions.set(of, before === undefined ? distribution : added(before, distribution))
    }
  }
  return {
    values: [...values.values()],
    distributions: [...distributions].map(([of, distribution]) => ({ of, distribution })),
  }
}

/** What goes on to count when a thread has ended: counters would fall otherwise, and look like a new start. */
export function withoutGauges({ values, distributions }: Figures): Figures {
  return { values: values.filter(({ of }) => familyOf(of).type === 'counter'), distributions }
}

function familyOf(name: FamilyName): Family {
  return FAMILIES[name]
}

function joined({ merge }: Family, one: Value, other: Value): number {
  return merge === 'max' ? Math.max(one.value, other.value) : one.value + other.value
}

function added(one: Distribution, other: Distribution): Distribution {
  const counts = one.counts.map((count, at) => count + (other.counts[at] ?? 0))
  return { bounds: one.bounds, counts, sum: one.sum + other.sum }
}
