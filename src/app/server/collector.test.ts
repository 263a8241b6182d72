import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { IdleCollector } from './collector.ts'

function collectorThatHolds(mb: number) {
  const done: string[] = []
  const collector = new IdleCollector({
    collectYoung: () => void done.push('young'),
    releaseMemory: () => void done.push('all'),
    heldBytes: () => mb * 2 ** 20,
  })
  return { collector, done }
}

test('a quiet spell costs no code: only young garbage is collected, three times, and then nothing', () => {
  const { collector, done } = collectorThatHolds(60)
  collector.look({ size: 1, served: 10 })
  collector.look({ size: 0, served: 10 })
  expect(done).toEqual(['young'])
  for (let look = 0; look < 10; look++) collector.look({ size: 0, served: 10 })
  expect(done).toEqual(['young', 'young', 'young'])
  collector.look({ size: 0, served: 11 })
  collector.look({ size: 0, served: 11 })
  expect(done).toHaveLength(4)
})

test('a request between two looks begins the quiet spell anew', () => {
  const { collector, done } = collectorThatHolds(60)
  for (let served = 10; served < 14; served++) {
    collector.look({ size: 0, served })
    collector.look({ size: 0, served })
    collector.look({ size: 1, served })
  }
  expect(done).toHaveLength(4)
})

test('a load that leaves a lot is cleared up after, whatever it costs, and once', () => {
  const { collector, done } = collectorThatHolds(300)
  for (let look = 0; look < 10; look++) collector.look({ size: 0, served: 10 })
  expect(done).toEqual(['young', 'all'])
})

test('nothing is collected between requests, nor where there were none', () => {
  const { collector, done } = collectorThatHolds(300)
  for (let served = 1; served < 5; served++) collector.look({ size: 0, served })
  collector.look({ size: 1, served: 4 })
  expect(done).toEqual([])
  const unused = collectorThatHolds(300)
  for (let look = 0; look < 3; look++) unused.collector.look({ size: 0, served: 0 })
  expect(unused.done).toEqual([])
})

test('threads that collect at the same moment do not take the collector from each other', async () => {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads')
    import(workerData).then(({ IdleCollector }) => {
      for (let spell = 1; spell <= 150; spell++) {
        const collector = new IdleCollector()
        collector.look({ size: 0, served: spell })
        collector.look({ size: 0, served: spell })
      }
      parentPort.postMessage('collected')
    })`
  const workerData = new URL('collector.ts', import.meta.url).href
  const ended = Array.from({ length: 3 }, () => {
    const worker = new Worker(code, { eval: true, workerData })
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  })
  await expect(Promise.all(ended)).resolves.toEqual(['collected', 'collected', 'collected'])
})
