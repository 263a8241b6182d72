import { expect, test } from 'vitest'
import type { UpstreamTrialView } from '../../../../src/contract/upstreams.ts'
import { ApiProblem } from '../../../api/api-problem.ts'
import { type Cell, cellKey, type CellState, runMatrix } from './matrix-run.ts'

const GOOD = { ok: true } as UpstreamTrialView

function cellsOf(count: number): readonly Cell[] {
  return Array.from({ length: count }, (_, at) => ({ model: `model-${at}`, credential: 'default' }))
}

function matrix(send: (cell: Cell) => Promise<UpstreamTrialView>) {
  const states = new Map<string, CellState['kind']>()
  const pauses: number[] = []
  let isStopped = false
  return {
    states,
    pauses,
    stop: () => void (isStopped = true),
    parts: {
      send,
      report: (cell: Cell, { kind }: CellState) => void states.set(cellKey(cell), kind),
      pause: async (ms: number) => void pauses.push(ms),
      isStopped: () => isStopped,
    },
  }
}

test('four requests are under way at a time, and each cell is asked once', async () => {
  let running = 0
  let most = 0
  const asked: string[] = []
  const { parts, states } = matrix(async ({ model }) => {
    asked.push(model)
    most = Math.max(most, (running += 1))
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return GOOD
  })
  await runMatrix(cellsOf(11), parts)
  expect(most).toBe(4)
  expect(asked.toSorted()).toEqual(
    cellsOf(11)
      .map(({ model }) => model)
      .toSorted(),
  )
  expect([...states.values()].every((kind) => kind === 'done')).toBe(true)
})

test('once it is stopped, what is under way ends and nothing more is sent', async () => {
  const held: (() => void)[] = []
  const run = matrix(() => new Promise((resolve) => held.push(() => resolve(GOOD))))
  const over = runMatrix(cellsOf(10), run.parts)
  expect(held).toHaveLength(4)
  run.stop()
  for (const answer of held) answer()
  await over
  expect(held).toHaveLength(4)
  expect([...run.states.values()]).toEqual(['done', 'done', 'done', 'done'])
})

test('a gateway with too many tests under way is asked again after its time, three times at most', async () => {
  const tooMany = new ApiProblem({ status: 429, code: 'too_many_requests', detail: '', retryAfterSeconds: 7 })
  let asked = 0
  const later = matrix(async () => {
    asked += 1
    if (asked < 3) throw tooMany
    return GOOD
  })
  await runMatrix(cellsOf(1), later.parts)
  expect(later.pauses).toEqual([7_000, 7_000])
  expect([...later.states.values()]).toEqual(['done'])
  const never = matrix(() => Promise.reject(tooMany))
  await runMatrix(cellsOf(1), never.parts)
  expect(never.pauses).toHaveLength(3)
  expect([...never.states.values()]).toEqual(['error'])
})

test('another refusal is said at once, and stops no other cell', async () => {
  const { parts, states, pauses } = matrix(({ model }) =>
    model === 'model-0' ? Promise.reject(new Error('no')) : Promise.resolve(GOOD),
  )
  await runMatrix(cellsOf(3), parts)
  expect([...states.values()]).toEqual(['error', 'done', 'done'])
  expect(pauses).toEqual([])
})
