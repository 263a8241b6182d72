import { expect, test, vi } from 'vitest'
import type { Figures } from '../../telemetry/figures.ts'
import { WorkerFigures } from './worker-pool.ts'

function counted(tokens: number): Figures {
  return {
    values: [
      { of: 'tokens', labels: ['input'], value: tokens },
      { of: 'inFlight', labels: [], value: 1 },
    ],
    distributions: [],
  }
}

/** A thread that answers at once, or not at all. */
function thread(index: number, of: WorkerFigures, tokens: number | null) {
  return {
    index,
    worker: {
      postMessage: () => {
        if (tokens !== null) of.said(index, counted(tokens))
      },
    },
  }
}

function tokensIn(all: readonly Figures[]): number {
  return all
    .flatMap(({ values }) => values.filter(({ of }) => of === 'tokens'))
    .reduce((sum, { value }) => sum + value, 0)
}

test('all threads are asked, and a thread that ended goes on to count', async () => {
  const figures = new WorkerFigures()
  expect(tokensIn(await figures.ask([thread(1, figures, 5), thread(2, figures, 7)]))).toBe(12)
  figures.ended(2)
  const all = await figures.ask([thread(1, figures, 6)])
  expect(tokensIn(all)).toBe(13)
  expect(all.flatMap(({ values }) => values).filter(({ of }) => of === 'inFlight')).toHaveLength(1)
})

test('a thread that does not answer stands as it last did, and is not waited for without end', async () => {
  vi.useFakeTimers()
  try {
    const figures = new WorkerFigures()
    await figures.ask([thread(1, figures, 5)])
    const asking = figures.ask([thread(1, figures, null)])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(tokensIn(await asking)).toBe(5)
  } finally {
    vi.useRealTimers()
  }
})
