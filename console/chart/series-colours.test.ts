import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillBackground, HUE_COUNT, seriesFill, slotsOf } from './series-colours.ts'

const NAMES = ['gpt-5.5', 'claude-haiku-5', 'qwen-4-max', 'deepseek-v4', 'kimi-k3', 'glm-5', 'mistral-large-4']
const TEN = [...NAMES, 'gpt-5.5-mini', 'gpt-5.5-nano', 'claude-sonnet-5']

test('the same names have the same slots in whichever order they come, and no two have one', () => {
  const someNames = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: HUE_COUNT })
  fc.assert(
    fc.property(someNames, fc.infiniteStream(fc.nat()), (names, picks) => {
      const mixed = names.map((name) => [picks.next().value, name] as const).toSorted(([a], [b]) => a - b)
      const slots = slotsOf(names)
      // Maps are equal in whichever order their entries stand.
      expect(slotsOf(mixed.map(([, name]) => name))).toEqual(slots)
      expect(new Set(slots.values()).size).toBe(names.length)
    }),
    { seed: 17 },
  )
})

test('ten names have ten looks: the larger ones a hue each, the rest one that is striped', () => {
  const fills = TEN.map((name) => seriesFill(slotsOf(TEN).get(name) ?? null))
  expect(fills.map(({ look }) => look)).toEqual([...NAMES.map(() => 'plain'), 'striped', 'striped', 'striped'])
  expect(new Set(fills.map(fillBackground)).size).toBe(TEN.length)
})

test('what has no slot is a grey hatch', () => {
  expect(slotsOf(TEN).get('another')).toBeUndefined()
  expect(seriesFill(null).look).toBe('hatched')
})

test('the hues are of nearly one lightness, none is loud, and each stands off the paper in both themes', () => {
  for (let slot = 0; slot < HUE_COUNT; slot += 1) {
    const [light, dark] = [lightOf(slot), darkOf(slot)]
    expect(dark[2]).toBe(light[2])
    expect(Math.abs(light[0] - 0.58)).toBeLessThanOrEqual(0.0401)
    expect(Math.abs(dark[0] - 0.74)).toBeLessThanOrEqual(0.0401)
    expect(Math.max(light[1], dark[1])).toBeLessThanOrEqual(0.11)
    // Paper has a luminance of 0.99 and 0.01, and 3:1 are these.
    expect(luminanceOf(light)).toBeLessThan(0.297)
    expect(luminanceOf(dark)).toBeGreaterThan(0.129)
  }
})

test.each(['none', 'red', 'green', 'blue'] as const)('two hues look different to readers who lack %s', (lacking) => {
  for (const theme of [lightOf, darkOf]) {
    const seen = Array.from({ length: HUE_COUNT }, (_, slot) => labOf(BLINDNESS[lacking], linearOf(theme(slot))))
    for (const [index, one] of seen.entries()) {
      for (const other of seen.slice(0, index)) {
        expect(Math.hypot(...one.map((value, axis) => value - (other[axis] ?? 0)))).toBeGreaterThan(0.055)
      }
    }
  }
})

type Three = readonly [number, number, number]

function lightOf(slot: number): Three {
  return oklchOf(slot)[0] ?? [0, 0, 0]
}

function darkOf(slot: number): Three {
  return oklchOf(slot)[1] ?? [0, 0, 0]
}

function oklchOf(slot: number): Three[] {
  return [...seriesFill(slot).colour.matchAll(/oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)].map(
    ([, lightness, chroma, hue]): Three => [Number(lightness), Number(chroma), Number(hue)],
  )
}

/** What is left of red, green and blue: Machado, Oliveira and Fernandes 2009, in full strength. */
const BLINDNESS = {
  none: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  red: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  green: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  blue: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} satisfies Record<string, readonly Three[]>

function labOf(seen: readonly Three[], rgb: Three): Three {
  const [red = 0, green = 0, blue = 0] = seen.map(([r, g, b]) =>
    Math.max(0, Math.min(1, r * rgb[0] + g * rgb[1] + b * rgb[2])),
  )
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function luminanceOf(oklch: Three): number {
  const [red, green, blue] = linearOf(oklch)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearOf([lightness, chroma, hue]: Three): Three {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}
