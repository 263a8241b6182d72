import { expect, test } from 'vitest'
import { seriesColour, SLOTS, slotsOf } from './series-colours.ts'

const NAMES = ['gpt-5.5', 'claude-haiku-5', 'qwen-4-max', 'deepseek-v4', 'kimi-k3', 'glm-5', 'mistral-large-4']

test('no two series of a chart have one colour', () => {
  expect(new Set(slotsOf(NAMES, new Map())).size).toBe(NAMES.length)
})

test('a series keeps its colour when others come, go or overtake it', () => {
  const known = new Map<string, number>()
  const first = slotsOf(NAMES, known)
  const later = [NAMES[6], 'a-new-one', NAMES[0], NAMES[3]].map((name) => name ?? '')
  const [last, , top, fourth] = slotsOf(later, known)
  expect([last, top, fourth]).toEqual([first[6], first[0], first[3]])
  expect(slotsOf([NAMES[2] ?? ''], known)).toEqual([first[2]])
})

test('the colour of a name is its own, and the same on every visit', () => {
  expect(slotsOf(['gpt-5.5'], new Map())).toEqual(slotsOf(['gpt-5.5'], new Map()))
  const slots = NAMES.map((name) => slotsOf([name], new Map())[0])
  expect(new Set(slots).size).toBeGreaterThan(2)
})

test('an account with as many names as there are colours shows each in its own, whichever chart it came in first', () => {
  const known = new Map<string, number>()
  for (const name of NAMES) slotsOf([name], known)
  expect(new Set(known.values()).size).toBe(SLOTS)
})

test('each colour has one hue in both themes, stands off the paper, and none is muddy', () => {
  for (let slot = 0; slot < SLOTS; slot += 1) {
    const [light, dark] = [...seriesColour(slot).matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map((found) =>
      found.slice(1).map(Number),
    )
    const [lightness = 0, chroma = 0, hue = 0] = light ?? []
    expect(dark?.[2]).toBe(hue)
    expect(luminanceOf(lightness, chroma, hue)).toBeLessThan(0.297)
    expect(luminanceOf(dark?.[0] ?? 0, dark?.[1] ?? 0, hue)).toBeGreaterThan(0.129)
    expect(Math.min(chroma, dark?.[1] ?? 0)).toBeGreaterThan(0.08)
    // Dark orange and yellow are brown and olive.
    if (hue > 20 && hue < 125) expect(lightness).toBeGreaterThan(0.6)
  }
})

/** The luminance of an OKLCH colour, from 0 to 1. Paper has 0.99 and 0.01, and 3:1 are 0.297 and 0.129. */
function luminanceOf(lightness: number, chroma: number, hue: number): number {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
