/**
 * Seven colours for series and a grey for the rest. Each stands off the paper by 3:1 in both themes, and any two stay
 * apart for readers with red, green or blue blindness (at least 0.09 in OKLab, neighbours 0.11).
 */
const SERIES = [
  'light-dark(oklch(0.52 0.088 215), oklch(0.72 0.1 210))',
  'light-dark(oklch(0.679 0.162 54), oklch(0.937 0.108 128))',
  'light-dark(oklch(0.455 0.165 279), oklch(0.619 0.17 312))',
  'light-dark(oklch(0.662 0.165 268), oklch(0.589 0.145 56))',
  'light-dark(oklch(0.348 0.124 37), oklch(0.864 0.1 204))',
  'light-dark(oklch(0.496 0.076 119), oklch(0.83 0.17 122))',
  'light-dark(oklch(0.397 0.095 327), oklch(0.711 0.148 20))',
] as const

const REST = 'light-dark(oklch(0.664 0.012 220), oklch(0.505 0.012 220))'

/** The colour of a series by its place, as CSS. */
export function seriesColour(index: number, isRest: boolean): string {
  return isRest ? REST : (SERIES[index % SERIES.length] ?? REST)
}
