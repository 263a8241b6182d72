import { expect, test } from 'vitest'
import { barShapes, PLOT_PX } from './bar-shapes.ts'
import type { SeriesFill } from './series-colours.ts'

const scale = { top: 100n, ticks: [0n, 50n, 100n] }
const bar = (...values: bigint[]) => ({ label: '', name: '', place: 0, values })
const [red, blue]: readonly SeriesFill[] = ['red', 'blue'].map((colour) => ({ colour, look: 'plain' }))
const rest: SeriesFill = { colour: 'grey', look: 'hatched' }
const fills = [red, blue].filter((fill) => fill !== undefined)

test('each series stands on those below it without a gap, the highest has round corners, and nothing is not drawn', () => {
  const shapes = barShapes({ bars: [bar(50n, 50n), bar(50n, 0n)], fills, scale }, 50)
  expect(shapes).toEqual([
    { series: 0, path: 'M4 220V110H21V220ZM29 220V112Q29 110 31 110H44Q46 110 46 112V220Z' },
    { series: 1, path: 'M4 220V2Q4 0 6 0H19Q21 0 21 2V220Z' },
  ])
})

test('the rest is the lowest, wherever it stands in the list', () => {
  const shapes = barShapes({ bars: [bar(30n, 20n, 50n)], fills: [...fills, rest], scale }, 50)
  expect(shapes.map(({ series }) => series)).toEqual([2, 0, 1])
  expect(shapes.map(({ path }) => /V(\d+)/.exec(path)?.[1])).toEqual(['110', '44', '2'])
})

test('a bar takes 70 % of its column, and the smallest amount is still seen', () => {
  const [shape] = barShapes({ bars: [bar(1n)], fills, scale: { top: 1_000_000n, ticks: [0n] } }, 100)
  expect(shape?.path).toBe(`M15 ${PLOT_PX}V219Q15 217 17 217H83Q85 217 85 219V${PLOT_PX}Z`)
})

test('a thousand bars on a phone are a pixel wide at least, with straight tops', () => {
  const bars = Array.from({ length: 1_000 }, () => bar(1n))
  const [shape] = barShapes({ bars, fills, scale }, 300)
  expect(shape?.path.match(/M/g)).toHaveLength(1_000)
  expect(shape?.path).not.toContain('Q')
})
