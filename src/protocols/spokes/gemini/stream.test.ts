import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { StreamPart } from '../../hub/neutral-answer.ts'
import { Notes } from '../../hub/notes.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { readServerEvent } from '../../reading/server-event.ts'
import { geminiSpoke as spoke } from '../gemini.ts'

function callOf(fields: JsonObject = {}): ClientCall {
  const asked = { contents: [{ parts: [{ text: 'Hi' }] }], ...fields }
  const request = spoke.readRequest(asked, new Notes(spoke.hints))
  return { requestId: 'req_1', model: 'm', nowMs: 0, includeUsage: false, asked, request }
}

const SHOWN = { generationConfig: { thinkingConfig: { includeThoughts: true } } }
const USED = { ...NO_TOKENS, input: 10, cacheRead: 5, output: 30, reasoning: 20 }
const USAGE = { reported: USED, estimatedOutputTokens: 0 }

function partsIn(stream: string): StreamPart[] {
  const reader = spoke.openReader()
  const events = stream.split(/(?<=\n\n)/).filter((event) => event !== '')
  return [...events.flatMap((event) => reader.read(readServerEvent(Buffer.from(event)))), ...reader.end()]
}

function streamOf(parts: readonly StreamPart[], call = callOf(SHOWN)): string {
  const writer = spoke.openWriter(call)
  return parts.map((part) => writer.write(part)).join('') + writer.end(USAGE)
}

/** One block as a writer gets it: its text in pieces. */
const block = fc.record({
  kind: fc.constantFrom('text', 'reasoning', 'tool_call'),
  pieces: fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 }),
  args: fc.dictionary(
    fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  ),
  cuts: fc.array(fc.nat(60), { maxLength: 4 }),
  isSigned: fc.boolean(),
})

type Block = typeof block extends fc.Arbitrary<infer Value> ? Value : never

function partsOf({ kind, pieces, args, cuts, isSigned }: Block, index: number): StreamPart[] {
  const begin = { kind: 'begin', block: index, choice: 0 } as const
  const end = { kind: 'end', block: index } as const
  if (kind === 'tool_call') {
    const json = JSON.stringify(args)
    const borders = [0, ...cuts.map((cut) => cut % json.length).toSorted((one, other) => one - other), json.length]
    const deltas = borders
      .slice(1)
      .map((to, i) => json.slice(borders[i], to))
      .filter((text) => text !== '')
    return [
      { ...begin, of: { kind, id: `c${index}`, name: 'f', isCustom: false } },
      ...deltas.map((text): StreamPart => ({ kind: 'delta', block: index, text })),
      end,
    ]
  }
  const opaque: StreamPart[] =
    kind === 'reasoning' && isSigned
      ? [{ kind: 'opaque', block: index, opaque: { vendor: 'google', data: `Sig${index}` } }]
      : []
  const of = { kind: kind === 'text' ? 'text' : 'reasoning' } as const
  return [
    { ...begin, of },
    ...pieces.map((text): StreamPart => ({ kind: 'delta', block: index, text })),
    ...opaque,
    end,
  ]
}

/** What was said, however it is cut: texts of neighbours of a kind together, signatures in their order. */
function saidIn(parts: readonly StreamPart[]): { texts: string[]; calls: unknown[]; signatures: string[] } {
  const said = { texts: [] as string[], calls: [] as unknown[], signatures: [] as string[] }
  let open: { kind: string; text: string } = { kind: '', text: '' }
  let last = ''
  for (const part of parts) {
    if (part.kind === 'begin') open = { kind: part.of.kind, text: '' }
    if (part.kind === 'delta') open.text += part.text
    if (part.kind === 'opaque') said.signatures.push(part.opaque.data)
    if (part.kind !== 'end' || open.text === '') continue
    if (open.kind === 'tool_call') said.calls.push(JSON.parse(open.text))
    else if (last === open.kind) said.texts.push(String(said.texts.pop()) + open.text)
    else said.texts.push(open.text)
    last = open.kind
  }
  return said
}

describe('streams', () => {
  test('what the writer writes, the reader reads: texts, calls from any deltas, signatures', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const parts = blocks.flatMap(partsOf)
        const stop: StreamPart = { kind: 'stop', choice: 0, stop: { reason: 'length', sequence: null } }
        const again = partsIn(streamOf([...parts, stop]))
        expect(saidIn(again)).toEqual(saidIn(parts))
        expect(again.filter(({ kind }) => kind === 'stop')).toEqual([stop])
        expect(again.at(-1)).toEqual(stop)
      }),
      { numRuns: 300 },
    )
  })

  test('nothing terminal comes before the end, which has the usage', () => {
    const writer = spoke.openWriter(callOf())
    const parts = partsOf({ kind: 'text', pieces: ['Hi'], args: {}, cuts: [], isSigned: false }, 0)
    const stop: StreamPart = { kind: 'stop', choice: 0, stop: { reason: 'end', sequence: null } }
    const before = [...parts, stop].map((part) => writer.write(part)).join('')
    expect(before).not.toContain('finishReason')
    // Google's SDKs drop an answer from a chat's history that has a chunk without parts.
    expect(writer.keepAlive()).toContain('"parts":[{"text":"","thought":true}]')
    expect(partsIn(writer.keepAlive())).toEqual([])
    const last = JSON.parse(writer.end(USAGE).replace('data: ', '')) as JsonObject
    expect(last).toMatchObject({
      candidates: [{ finishReason: 'STOP', index: 0 }],
      usageMetadata: { totalTokenCount: 45 },
    })
  })

  test('an answer of which nothing came ends as a whole one, for each candidate', () => {
    const stream = streamOf([], callOf({ generationConfig: { candidateCount: 2 } }))
    expect(partsIn(stream)).toEqual(
      [0, 1].map((choice) => ({ kind: 'stop', choice, stop: { reason: 'end', sequence: null } })),
    )
  })

  test('a call that is not JSON is reported as malformed, and not at all where the answer was cut', () => {
    const call = { kind: 'tool_call', id: 'c', name: 'f', isCustom: false } as const
    const parts = (reason: 'tool_calls' | 'length'): StreamPart[] => [
      { kind: 'begin', block: 0, choice: 0, of: call },
      { kind: 'delta', block: 0, text: '{"a":' },
      { kind: 'end', block: 0 },
      { kind: 'stop', choice: 0, stop: { reason, sequence: null } },
    ]
    expect(streamOf(parts('tool_calls'))).toContain('"finishReason":"MALFORMED_FUNCTION_CALL"')
    expect(streamOf(parts('length'))).toContain('"finishReason":"MAX_TOKENS"')
  })

  test('a signature behind the text is reasoning of its own, and logprobs belong to their text', () => {
    const logprobsResult = {
      chosenCandidates: [{ token: 'Hi', logProbability: -0.5 }],
      topCandidates: [{ candidates: [{ token: 'Ho', logProbability: -1 }] }],
    }
    const chunks = [
      { candidates: [{ content: { parts: [{ text: 'Hi' }] }, logprobsResult }] },
      { candidates: [] },
      { candidates: [{ content: { parts: [{ text: '', thoughtSignature: 'S' }] }, finishReason: 'STOP' }] },
    ]
    expect(partsIn(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))).toEqual([
      { kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } },
      { kind: 'delta', block: 0, text: 'Hi' },
      {
        kind: 'logprobs',
        block: 0,
        logprobs: [{ token: 'Hi', logprob: -0.5, bytes: null, top: [{ token: 'Ho', logprob: -1, bytes: null }] }],
      },
      { kind: 'end', block: 0 },
      { kind: 'begin', block: 1, choice: 0, of: { kind: 'reasoning' } },
      { kind: 'opaque', block: 1, opaque: { vendor: 'google', data: 'S' } },
      { kind: 'end', block: 1 },
      { kind: 'stop', choice: 0, stop: { reason: 'end', sequence: null } },
    ])
  })
})
