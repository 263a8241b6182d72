import { describe, expect, test } from 'vitest'
import { CHAT_WIRES, type ChatWire, type HubWire } from '../../src/core/wire.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import type { StreamEnd } from '../../src/protocols/protocol.ts'
import { type FramedWire, heardOf } from '../support/aws-frames.ts'
import { FAILED_ANSWERS, FAILED_WHERE_TRANSLATED, GOOD_ANSWERS } from '../support/failed-answers/all.ts'
import type { UpstreamAnswer } from '../support/failed-answers/failed-answer.ts'
import { isEnded, saysSuccess } from './success-ends.ts'
import { translatedHello } from './translation-by-hand.ts'

/** What the readers make of an answer of a good status, for clients of every protocol. */

interface Carried {
  readonly kind: 'answer' | 'complete' | 'failed' | 'malformed' | 'cut'
  /** What the client got, with what is held back to the end. */
  readonly sent: string
  readonly message: string | null
}

const forEachClient = (cases: readonly UpstreamAnswer[]) =>
  cases.flatMap((each) => CHAT_WIRES.map((client) => ({ ...each, client })))

function carried({ wire, isStream, bytes, frames, client }: UpstreamAnswer & { client: ChatWire }): Carried {
  if (!isStream) return whole(wire, client, bytes)
  if (frames === undefined) return streamed(wire, client, bytes.split(/(?<=\n\n)/))
  const { pieces, fault } = heardOf(wire as FramedWire, frames)
  const { sent, ...end } = streamed(wire, client, pieces)
  return fault === null ? { ...end, sent } : { kind: 'cut', sent, message: fault.message }
}

function whole(wire: HubWire, client: ChatWire, bytes: string): Carried {
  const body = Buffer.from(bytes)
  const answer = protocolOf(wire).readAnswer(body, { isTranslated: client !== wire })
  if (answer.kind === 'malformed') return { kind: answer.kind, sent: '', message: null }
  if (answer.kind === 'failed') return { kind: answer.kind, sent: '', message: answer.error.message }
  const sent = client === wire ? bytes : translatedHello(client, wire, false).answer(body, answer.usage).toString()
  return { kind: answer.kind, sent, message: null }
}

/** An event at a time, which is how the least is known when something is sent. */
function streamed(wire: HubWire, client: ChatWire, events: readonly (string | Buffer)[]): Carried {
  const protocol = protocolOf(wire)
  if (!protocol.streams) throw new Error('a chat wire has streams')
  const reader =
    client === wire ? protocol.openStream({ dropUsageChunk: false }) : translatedHello(client, wire, true).openStream()
  let sent = ''
  for (const event of events) {
    if (!reader.ended) sent += reader.push(Buffer.from(event))?.toString() ?? ''
  }
  const end: StreamEnd = reader.finish()
  if (end.kind === 'failed') return { kind: end.kind, sent, message: end.error.message }
  return { kind: end.kind, sent: sent + end.held.toString(), message: null }
}

describe('an answer of a good status that is none', () => {
  test.for(forEachClient(FAILED_ANSWERS))('$wire to $client, streamed $isStream: $name ($from)', (each) => {
    const { kind, sent } = carried(each)
    expect(['failed', 'malformed', 'cut']).toContain(kind)
    // What passed untouched before it was known stays as it was; its end does not pass.
    if (each.client === each.wire) expect(isEnded(each.client, sent)).toBe(false)
    else expect(saysSuccess(each.client, sent)).toBe(false)
  })

  test.for(forEachClient(FAILED_WHERE_TRANSLATED))('$wire to $client, streamed $isStream: $name ($from)', (each) => {
    const { kind, sent } = carried(each)
    if (each.client === each.wire)
      return expect([kind, sent]).toEqual([each.isStream ? 'complete' : 'answer', each.bytes])
    expect(kind).toBe('failed')
    return expect(saysSuccess(each.client, sent)).toBe(false)
  })

  test('the word that is not known is named to its client', () => {
    const [{ wire, bytes } = { wire: 'openai-chat' as ChatWire, bytes: '' }] = FAILED_ANSWERS.filter(({ name }) =>
      name.startsWith('a word that is nowhere documented'),
    )
    expect(whole(wire, 'anthropic-messages', bytes).message).toContain('“gave_up”')
  })

  test('a text that does not look like a word is not repeated', () => {
    const bytes = JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: '<b>“x”</b>' }] })
    expect(whole('openai-chat', 'openai-chat', bytes).message).not.toContain('<b>')
  })
})

describe('a good answer', () => {
  test.for(forEachClient(GOOD_ANSWERS))('$wire to $client, streamed $isStream: $name ($from)', (each) => {
    const { kind, sent } = carried(each)
    expect(kind).toBe(each.isStream ? 'complete' : 'answer')
    if (each.client === each.wire) expect(sent).toBe(each.bytes)
  })
})
