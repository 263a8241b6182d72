import { expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { nanoUsd } from '../../core/money.ts'
import { begin, settle, START, STREAM } from '../../../test/support/exchange-by-hand.ts'
import { marginOf } from '../ignored-limits.ts'

const BYTES = 100
const WORDS = 'x'.repeat(BYTES)
const EVENT = `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${WORDS}"}}\n\n`
/** The pieces in which a stream is looked at that may have to be cut. */
const PIECE_BYTES = 512

test.for([20, 200])(
  'a stream with a lowered limit of %i tokens that goes on in one burst ends within a few words of that limit',
  async (limit) => {
    const begun = begin({ fields: { max_tokens: 8_000 }, hold: { tokens: limit, input: 0, limit, trustsLimit: true } })
    const fault = new Fault('balance_exhausted', 'none left')
    Object.assign(begun.parts, { admission: { extend: async () => ({ lacking: nanoUsd(1n), fault }) } })
    begun.attempt(0).handler.onHead(200, STREAM)
    begun.attempt(0).handler.onData(Buffer.from(START + EVENT.repeat(60)))
    for (let turn = 0; turn < 20 && begun.running.size > 0; turn++) await settle()
    expect(begun.settled.map(({ record }) => record.fault)).toEqual(['balance_exhausted'])
    // Three bytes are taken for a token.
    const most = (limit + marginOf(limit)) * 3 + BYTES + PIECE_BYTES
    expect(begun.response.written.split(WORDS).length - 1).toBeLessThanOrEqual(Math.ceil(most / BYTES))
  },
)
