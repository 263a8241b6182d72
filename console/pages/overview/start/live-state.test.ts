import { describe, expect, test } from 'vitest'
import { FAULTS } from '../../../../src/core/faults.ts'
import { faultTextOf } from '../../../dictionaries/fault-text.ts'
import { texts as faultsEn } from '../../../dictionaries/faults-en.ts'
import { texts as faultsZhCn } from '../../../dictionaries/faults-zh-cn.ts'
import { liveStateOf, type Try } from './live-state.ts'

const worked: Try = {
  id: 'req_3',
  created_at: '2026-11-21T08:30:03Z',
  key_id: 'key_a',
  key_name: 'laptop',
  model: 'gpt-5.5',
  protocol: 'openai-chat',
  client: 'curl/8.5.0',
  outcome: 'completed',
  fault: null,
  detail: null,
  fault_facts: null,
  client_received: null,
  cost: '0.0001',
  total_ms: 900,
}
const failed: Try = { ...worked, id: 'req_2', outcome: 'refused', fault: 'model_unknown', cost: '0' }

describe('the live line', () => {
  test('waits while nothing of this key has come', () => {
    expect(liveStateOf([], 'key_a')).toEqual({ kind: 'waiting' })
  })

  test('waits for the client when a test message from the console was answered or refused', () => {
    const sent = { ...worked, client: 'tollgate-console-test' }
    const refused = { ...failed, client: 'tollgate-console-test' }
    expect(liveStateOf([refused, sent], 'key_a')).toEqual({ kind: 'waiting' })
  })

  test('does not take the success of another key for its own', () => {
    expect(liveStateOf([{ ...worked, key_id: 'key_b' }], 'key_a')).toEqual({ kind: 'waiting' })
  })

  test('shows the newest failed try, and counts those before it', () => {
    const older = { ...failed, id: 'req_1' }
    expect(liveStateOf([failed, older], 'key_a')).toEqual({ kind: 'failed', newest: failed, earlier: 1 })
  })

  test.each(['key_unknown', 'key_malformed', 'key_disabled', 'key_expired', 'key_deleted'])(
    'shows %s, whosever key it was: it is the client that has the wrong one',
    (fault) => {
      const wrong = { ...failed, key_id: 'key_old', fault }
      expect(liveStateOf([wrong], 'key_a')).toMatchObject({ kind: 'failed', newest: wrong })
    },
  )

  test.each(['model_unknown', 'key_quota_exhausted'])('leaves %s of another key to that key', (fault) => {
    expect(liveStateOf([{ ...failed, key_id: 'key_b', fault }], 'key_a')).toEqual({ kind: 'waiting' })
  })

  test('is done with the first success, also when a later try failed', () => {
    expect(liveStateOf([failed, worked], 'key_a')).toEqual({ kind: 'done', record: worked })
  })
})

test.each(Object.keys(FAULTS))('%s has a cause and a remedy to show, in both languages', (code) => {
  for (const texts of [faultsEn, faultsZhCn]) {
    const text = faultTextOf(texts, code)
    expect(text?.title).toBeTruthy()
    expect(text?.cause).toBeTruthy()
    expect(text?.remedy).toBeTruthy()
  }
})
