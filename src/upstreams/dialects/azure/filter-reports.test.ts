import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UpstreamHandler } from '../../upstream-client.ts'
import { FilterReports } from './filter-reports.ts'

/** What a handler hears of these bytes, in pieces that end at these offsets. */
function heard(bytes: Buffer, offsets: readonly number[], end: 'end' | 'failure' = 'end'): readonly Buffer[] {
  const pieces: Buffer[] = []
  let ended = 0
  const handler: UpstreamHandler = {
    onHead: () => undefined,
    onData: (chunk) => pieces.push(chunk),
    onEnd: () => (ended += 1),
    onFailure: () => (ended += 1),
  }
  const reports = new FilterReports(handler)
  reports.onHead(200, {})
  const borders = [0, ...[...offsets].sort((a, b) => a - b), bytes.length]
  for (const [index, start] of borders.slice(0, -1).entries()) {
    const piece = bytes.subarray(start, borders[index + 1])
    if (piece.length > 0) reports.onData(piece)
  }
  if (end === 'end') reports.onEnd()
  else reports.onFailure(new Error('lost') as never)
  expect(ended).toBe(1)
  return pieces
}

const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'x', choices: [choice] })}\n\n`
const WORD = chunk({ index: 0, delta: { content: '你 "content_filter_offsets"' }, finish_reason: null })
const REPORT = chunk({ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 44 } })
const WITH_DELTA = chunk({ index: 0, finish_reason: null, content_filter_offsets: { check_offset: 44 }, delta: {} })
const DONE = 'data: [DONE]\n\n'

test('a report gets a delta, and every other byte passes, however the stream is cut', () => {
  const stream = Buffer.from(`: ping\n\n${WORD}${REPORT}${WORD}${REPORT}${DONE}`)
  const expected = `: ping\n\n${WORD}${WITH_DELTA}${WORD}${WITH_DELTA}${DONE}`
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (offsets) => {
      expect(Buffer.concat(heard(stream, offsets)).toString()).toBe(expected)
    }),
  )
})

test('a report whose events end in other lines gets one as well', () => {
  const [sent, expected] = [WORD + REPORT + DONE, WORD + WITH_DELTA + DONE].map((text) => text.replaceAll('\n', '\r\n'))
  expect(Buffer.concat(heard(Buffer.from(sent ?? ''), [7, 90])).toString()).toBe(expected)
})

test('whole events without a report are the same bytes, not a copy', () => {
  const stream = Buffer.from(WORD.replace('content_filter_offsets', '') + DONE)
  const [piece] = heard(stream, [])
  expect(piece?.buffer).toBe(stream.buffer)
})

test.for([
  ['an answer in one document', '{"choices":[{"content_filter_offsets":{}}]}'],
  ['events that end in other lines', WORD.replaceAll('\n', '\r\n')],
  ['an event that is cut off', `${WORD}data: {"choices":[{"content_filter_offsets"`],
  ['a report that cannot be parsed', 'data: {"content_filter_offsets"}\n\n'],
  ['an event of more than fits', `data: ${'x'.repeat(300_000)}"content_filter_offsets"\n\n${WORD}`],
] as const)('%s passes as it came', ([, text]) => {
  for (const end of ['end', 'failure'] as const) {
    expect(
      Buffer.concat(
        heard(
          Buffer.from(text),
          [3, 200_000].filter((at) => at < text.length),
          end,
        ),
      ).toString(),
    ).toBe(text)
  }
})
