import { expect, test } from 'vitest'
import { barShapes, PLOT_HEIGHT_PX } from './bar-shapes.ts'

const scale = { top: 100n, ticks: [0n, 50n, 100n] }
const bar = (...values: bigint[]) => ({ label: '', name: '', place: 0, values })

test('each series stands on those below it, and one that adds nothing is not drawn', () => {
  const bars = [bar(50n, 50n), bar(50n, 0n)]
  const { paths, hasGaps } = barShapes({ bars, colours: ['red', 'blue'], scale }, 50)
  expect(paths).toEqual(['M4 220V110H22V220ZM29 220V110H47V220Z', 'M4 220V0H22V220Z'])
  expect(hasGaps).toBe(true)
})

test('the smallest amount is still seen', () => {
  const { paths } = barShapes({ bars: [bar(1n)], colours: ['red'], scale: { top: 1_000_000n, ticks: [0n] } }, 100)
  expect(paths).toEqual([`M28 ${PLOT_HEIGHT_PX}V217H72V${PLOT_HEIGHT_PX}Z`])
})

test('a thousand bars on a phone are a pixel wide at least, and have no gaps', () => {
  const { paths, hasGaps } = barShapes(
    { bars: Array.from({ length: 1_000 }, () => bar(1n)), colours: ['red'], scale },
    300,
  )
  expect(hasGaps).toBe(false)
  expect(paths[0]?.match(/M/g)).toHaveLength(1_000)
})
