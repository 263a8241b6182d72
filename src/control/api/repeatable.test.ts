import { expect, test } from 'vitest'
import type { IdempotencyStore } from '../../access/idempotency.ts'
import { systemClock as clock } from '../../core/clock.ts'
import { Problem } from '../problem.ts'
import { runOnce } from './repeatable.ts'

const name = { actor: 'acc_1', key: 'a' }
const answered = { status: 201, body: '{"secret":"s"}' }
const stored = { status: 201, body: '{"secret":null}' }

function storeThatNotes(notes: unknown[]): IdempotencyStore {
  return {
    claim: async () => ({ kind: 'claimed' }),
    finish: async (_name, answer) => void notes.push(answer),
    release: async () => void notes.push('released'),
    leaveUnclear: async () => void notes.push('unclear'),
  }
}

function once(notes: unknown[], run: () => Promise<{ answered: typeof answered; stored: typeof stored }>) {
  return runOnce({ store: storeThatNotes(notes), clock, name, request: 'hash', run })
}

test('what is shown once is sent once, and only what may be repeated is stored', async () => {
  const notes: unknown[] = []
  expect(await once(notes, async () => ({ answered, stored }))).toEqual({ answered, isReplay: false })
  expect(notes).toEqual([stored])
})

test.for([
  ['a refusal, which changed nothing', new Problem('field_invalid', 'No.'), 'released'],
  ['a change that not every node confirmed', new Problem('nodes_behind', 'Made.'), 'unclear'],
  ['a defect in the middle', new Error('broken'), 'unclear'],
] as const)('%s leaves the key %s', async ([, error, note]) => {
  const notes: unknown[] = []
  await expect(once(notes, () => Promise.reject(error))).rejects.toBe(error)
  expect(notes).toEqual([note])
})

test('an answer that is too long to keep is not repeated, and not run again', async () => {
  const notes: unknown[] = []
  const long = { status: 200, body: 'x'.repeat(600_000) }
  await once(notes, async () => ({ answered, stored: long }))
  expect(notes).toEqual(['unclear'])
})
