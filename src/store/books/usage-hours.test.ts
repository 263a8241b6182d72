import { expect, test } from 'vitest'
import { HOUR_MS } from '../../core/durations.ts'
import { hourOf } from './usage-hours.ts'

const RECORD = { createdAt: 5 * HOUR_MS + 7, groupId: 'grp_1', model: 'small', fault: null }

test('a served request counts for its model in its group', () => {
  expect(hourOf(RECORD)).toEqual({ hourAt: 5 * HOUR_MS, groupId: 'grp_1', model: 'small' })
})

test('a model that a client made up has no row of its own, also where the record has the key’s group', () => {
  const madeUp = { ...RECORD, model: 'made-up', fault: 'model_unknown' }
  expect(hourOf(madeUp)).toMatchObject({ groupId: 'grp_1', model: '' })
  expect(hourOf({ ...madeUp, groupId: null })).toMatchObject({ groupId: '', model: '' })
})
