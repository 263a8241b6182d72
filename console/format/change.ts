import { nanoOf } from './decimal.ts'

/** How an amount differs from one before it. `by`: as a share of the one before, without its sign. */
export type Change =
  | { readonly kind: 'same' }
  /** There was nothing before. */
  | { readonly kind: 'fresh' }
  | { readonly kind: 'more' | 'less'; readonly by: number }

/** Compares decimal amounts of the wire. What differs by less than half a percent is the same. */
export function changeOf(now: string, before: string): Change {
  const [is, was] = [nanoOf(now), nanoOf(before)]
  if (was <= 0n) return { kind: is > 0n ? 'fresh' : 'same' }
  const thousandths = ((is - was) * 1000n) / was
  if (thousandths > -5n && thousandths < 5n) return { kind: 'same' }
  const by = Math.abs(Number(thousandths)) / 1000
  return { kind: is > was ? 'more' : 'less', by }
}
