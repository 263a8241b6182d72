import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHAT_WIRES, type ChatWire } from '../../src/core/wire.ts'
import type { StopReason } from '../../src/protocols/reading/stop-words.ts'
import { flawOfStop, STOP_WORDS, type StopMeaning, stopReasonOf } from '../../src/protocols/reading/stop-words.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { callOf } from './translation-by-hand.ts'
import { USAGE } from './translation-values.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the table into the page, to be read before it is committed. */
const PAGE = new URL('../../docs/translation.md', import.meta.url)
const MARKS = ['<!-- ends -->\n', '\n<!-- end of ends -->'] as const

const MEANINGS: Readonly<Record<StopMeaning, string>> = {
  end: 'all was said',
  stop_sequence: 'a stop sequence was met',
  tool_calls: 'tools are to be called',
  length: 'cut',
  filtered: 'withheld, or declined',
  paused: 'to be sent back as it is',
  failed: 'failed',
}

/** Where an answer of each wire says why it stopped. */
const FIELDS: Readonly<Record<ChatWire, RegExp>> = {
  'openai-chat': /"finish_reason":"(\w+)"/,
  'openai-responses': /"reason":"(\w+)"/,
  'anthropic-messages': /"stop_reason":"(\w+)"/,
  gemini: /"finishReason":"(\w+)"/,
}

/** What a client of the wire reads of an answer that stopped for this reason. */
function written(wire: ChatWire, reason: StopReason): string {
  const call = { kind: 'tool_call', id: 'c', name: 'f', input: '{}', isCustom: false } as const
  const blocks = reason === 'tool_calls' ? [call] : [{ kind: 'text', text: 'a' } as const]
  const answer = { choices: [{ blocks, stop: { reason, sequence: null } }] }
  const body = JSON.stringify(SPOKES[wire].writeAnswer(answer, callOf(wire), USAGE))
  const word = FIELDS[wire].exec(body)?.[1]
  return word === undefined ? 'completed' : `\`${word}\``
}

function table(): string {
  const meanings = Object.keys(MEANINGS) as StopMeaning[]
  const rows = meanings.map((meaning) => {
    const words = [...STOP_WORDS].filter(([, means]) => means === meaning).map(([word]) => `\`${word}\``)
    const cells = CHAT_WIRES.map((wire) => (meaning === 'failed' ? 'the error' : written(wire, meaning)))
    return `| ${MEANINGS[meaning]} | ${words.join(', ')} | ${cells.join(' | ')} |`
  })
  return ['| | words of upstreams | chat | responses | messages | gemini |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}

test('the page names every word for the end of an answer, and what it becomes', () => {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(MARKS[0]) + MARKS[0].length, page.indexOf(MARKS[1])]
  const whole = page.slice(0, from) + table() + page.slice(to)
  if (process.env['TOLLGATE_WRITE_DOCS'] === '1') writeFileSync(PAGE, whole)
  else expect(page).toBe(whole)
})

test('every word is known in any case, and what is not in the list is the end of no good answer', () => {
  for (const [word, meaning] of STOP_WORDS) {
    expect([word, word === word.toLowerCase()]).toEqual([word, true])
    const reason = meaning === 'failed' ? null : meaning
    expect([word, stopReasonOf(word), stopReasonOf(word.toUpperCase())]).toEqual([word, reason, reason])
    expect([word, flawOfStop(word) === null]).toEqual([word, meaning !== 'failed'])
  }
  for (const word of ['constructor', '__proto__', 'stopped', 'end', 'x'.repeat(100_000)]) {
    expect([word.slice(0, 20), stopReasonOf(word), flawOfStop(word) === null]).toEqual([word.slice(0, 20), null, false])
  }
})

test('a new word passes on its own wire, unless it names a failure', () => {
  for (const word of ['handed_over', 'compacted']) expect(flawOfStop(word, { passesUnknown: true })).toBeNull()
  for (const word of ['engine_error', 'request_timeout', 'CANCELLED_BY_SERVER', 'user_abort', 'failed_precondition']) {
    expect(flawOfStop(word, { passesUnknown: true })).toMatchObject({ code: word })
  }
})
