import { expect, test } from 'vitest'
import type { OpenRequest } from '../metering/usage/open-request.ts'
import { OpenRequestLog } from './open-request-log.ts'

function running(...ids: string[]) {
  return ids.map((id) => ({ id, startedAt: 0, describe: () => ({ id }) as OpenRequest }))
}

function aLog() {
  const notes: string[] = []
  const errors: unknown[] = []
  const node = { id: 'nod_1' }
  const state: { failure: Error | null } = { failure: null }
  const log = new OpenRequestLog({
    node,
    store: {
      note: async (nodeId, { opened, closed }) => {
        if (state.failure !== null) throw state.failure
        notes.push(`${nodeId} +${opened.map(({ id }) => id).join()} -${closed.join()}`)
      },
      abandoned: async () => [],
      forget: async () => {},
    },
    onError: (error) => errors.push(error),
  })
  let last = 1_000
  const look = async (requests: ReturnType<typeof running>, elapsed = (last += 250)) => {
    log.look(requests, elapsed)
    await new Promise(setImmediate)
  }
  return { log, look, node, notes, errors, state }
}

test('what runs for longer than a moment is noted once, and forgotten when it is over', async () => {
  const { look, notes } = aLog()
  await look(running('a'), 249)
  await look(running('a', 'b'), 499)
  await look(running('a', 'b'))
  await look(running('b', 'c'))
  expect(notes).toEqual(['nod_1 +a,b -', 'nod_1 +c -a'])
})

test('there are at most four rounds a second', async () => {
  const { look, notes } = aLog()
  for (const elapsed of [1_000, 1_100, 1_200, 1_249, 1_250]) await look(running(String(elapsed)), elapsed)
  expect(notes).toEqual(['nod_1 +1000 -', 'nod_1 +1250 -1000'])
})

test('when this node goes on under another id, everything that runs is noted again', async () => {
  const { look, node, notes } = aLog()
  await look(running('a', 'b'))
  node.id = 'nod_2'
  await look(running('b'))
  await look(running())
  expect(notes).toEqual(['nod_1 +a,b -', 'nod_2 +b -', 'nod_2 + -b'])
})

test('what could not be noted is noted later', async () => {
  const { look, notes, errors, state } = aLog()
  state.failure = new Error('no answer')
  await look(running('a'))
  state.failure = null
  await look(running('a'))
  expect(errors).toHaveLength(1)
  expect(notes).toEqual(['nod_1 +a -'])
})

test('at the end nothing stays noted', async () => {
  const { log, notes } = aLog()
  log.look(running('a'), 1_000)
  await log.finish()
  expect(notes).toEqual(['nod_1 +a -', 'nod_1 + -a'])
})
