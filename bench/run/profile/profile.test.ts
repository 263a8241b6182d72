import { expect, test } from 'vitest'
import { sumProfile, type CpuProfile } from './cpu-profile.ts'
import { writeThread } from './print-profile.ts'
import { writeThreadTimes } from './thread-time.ts'

const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber })

/** (root) → settle (ours) → write (Node) → settle again; beside it idle time and a write that none of our functions called. */
const PROFILE: CpuProfile = {
  startTime: 1_000,
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 6] },
    { id: 2, callFrame: frame('(idle)') },
    {
      id: 3,
      callFrame: frame('settle', 'file:///app/src/settle.ts', 9),
      children: [4],
      positionTicks: [
        { line: 12, ticks: 1 },
        { line: 14, ticks: 5 },
      ],
    },
    { id: 4, callFrame: frame('write', 'node:net', 99), children: [5] },
    { id: 5, callFrame: frame('settle', 'file:///app/src/settle.ts', 9) },
    { id: 6, callFrame: frame('write', 'node:net', 99) },
  ],
  // At 1100, 1200, 1300 and so on.
  samples: [3, 2, 4, 4, 5, 6, 3],
  timeDeltas: [100, 100, 100, 100, 100, 100, 100],
}

const isOwn = (url: string): boolean => url.startsWith('file:')

test('time inside the stretch is summed by function, recursion once, idle never', () => {
  const { busyUs, functions } = sumProfile(PROFILE, { fromUs: 1_150, toUs: 1_650 }, isOwn)
  expect(busyUs).toBe(400)
  const settle = functions.find(({ name }) => name === 'settle')
  expect(settle).toMatchObject({ line: 10, selfUs: 100, totalUs: 300, hottestLine: 14, onBehalfOf: [] })
  expect(functions.find(({ name }) => name === 'write')).toMatchObject({
    selfUs: 300,
    totalUs: 400,
    onBehalfOf: [{ name: 'settle', url: 'file:///app/src/settle.ts', line: 10, us: 200 }],
  })
  expect(functions.map(({ name }) => name)).not.toContain('(idle)')
})

test('nothing outside the stretch counts', () => {
  expect(sumProfile(PROFILE, { fromUs: 5_000, toUs: 6_000 }, isOwn)).toEqual({ busyUs: 0, functions: [] })
})

test('the tables share the CPU time of the thread out by samples', () => {
  const times = sumProfile(PROFILE, { fromUs: 1_150, toUs: 1_650 }, isOwn)
  const text = writeThread({ label: 'main thread', times, cpuUs: 800 }, { units: 10, root: '/app', isOwn, top: 9 })
  // 800 µs of CPU over 10 requests; three quarters of the samples are in write.
  expect(text).toContain('main thread: 80.0 µs of CPU, 40.0 µs on the clock')
  expect(text).toMatch(/60\.0 +75 % +80\.0 +write +node:net:100 .*settle 67 %/)
  expect(text).toMatch(/20\.0 +25 % +60\.0 +settle +src\/settle\.ts:10 +14/)
})

test('threads of one kind are one line, workers are one each, and the profiler is none', () => {
  const kinds = ['main', 'v8', 'v8', 'worker', 'worker', 'profiler'] as const
  const text = writeThreadTimes(
    kinds.map((kind, id) => ({ id, kind, cpuMs: 10 })),
    100,
  )
  expect(text).toMatch(/main +100 +20 %/)
  expect(text).toMatch(/V8: garbage, compiling +200 +40 %/)
  expect(text).toMatch(/worker 2 +100/)
  expect(text).toMatch(/all +500/)
})
