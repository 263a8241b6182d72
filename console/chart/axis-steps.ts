/** Steps between labels that people can follow: hours of a day, then days. */
const STEPS = [1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 672] as const

/** The bars that get a label: as many as fit, at places that are multiples of one step. */
export function labelledBars(
  places: readonly number[],
  room: { readonly widthPx: number; readonly labelPx: number },
): readonly number[] {
  const mostLabels = Math.max(1, Math.floor(room.widthPx / room.labelPx))
  for (const step of STEPS) {
    const found = places.flatMap((place, index) => (place % step === 0 ? [index] : []))
    if (found.length <= mostLabels) return found
  }
  return []
}
