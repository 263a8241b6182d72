/** States what must be true here. A broken one is a defect of ours, never of the caller. Throws Error. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${what}`)
}
