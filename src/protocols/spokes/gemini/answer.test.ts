import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NO_TOKENS } from '../../../core/tokens.ts'
import type { JsonObject } from '../../json/json-object.ts'
import type { NeutralRequest } from '../../hub/neutral-request.ts'
import { Notes } from '../../hub/notes.ts'
import type { ClientCall } from '../../hub/spoke.ts'
import { geminiSpoke as spoke } from '../gemini.ts'

function read(body: JsonObject): NeutralRequest {
  return spoke.readRequest(body, new Notes(spoke.hints))
}

function callOf(fields: JsonObject = {}): ClientCall {
  const asked = { contents: [{ parts: [{ text: 'Hi' }] }], ...fields }
  const request = read(asked)
  return { requestId: 'req_1', model: 'm', nowMs: 0, includeUsage: false, asked, request }
}

const SHOWN = { generationConfig: { thinkingConfig: { includeThoughts: true } } }
const USED = { ...NO_TOKENS, input: 10, cacheRead: 5, output: 30, reasoning: 20 }

describe('answers', () => {
  const PARTS = [
    { text: 'Hm.', thought: true },
    { text: 'Hello' },
    { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'Sig' },
  ]

  test('a whole answer, read and written', () => {
    const answer = spoke.readAnswer({
      candidates: [{ content: { parts: PARTS, role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {},
    })
    expect(answer.choices).toEqual([
      {
        blocks: [
          { kind: 'reasoning', text: 'Hm.', opaque: null },
          { kind: 'text', text: 'Hello' },
          { kind: 'reasoning', text: '', opaque: { vendor: 'google', data: 'Sig' } },
          { kind: 'tool_call', id: 'c1', name: 'f', input: '{"a":1}', isCustom: false },
        ],
        stop: { reason: 'tool_calls', sequence: null },
      },
    ])
    expect(JSON.parse(JSON.stringify(spoke.writeAnswer(answer, callOf(SHOWN), USED)))).toEqual({
      candidates: [{ content: { parts: PARTS, role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 15,
        cachedContentTokenCount: 5,
        candidatesTokenCount: 10,
        thoughtsTokenCount: 20,
        totalTokenCount: 45,
      },
      modelVersion: 'm',
      responseId: 'req_1',
    })
    const [candidate] = (JSON.parse(JSON.stringify(spoke.writeAnswer(answer, callOf(), USED))) as JsonObject)[
      'candidates'
    ] as { content: { parts: unknown } }[]
    expect(candidate?.content.parts).toEqual(PARTS.slice(1))
  })

  test.for<[string, string]>([
    ['STOP', 'end'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'filtered'],
    ['PROHIBITED_CONTENT', 'filtered'],
    ['MALFORMED_FUNCTION_CALL', 'length'],
    ['MADE_UP', 'length'],
  ])('%s is %s', ([finishReason, reason]) => {
    const { choices } = spoke.readAnswer({ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason }] })
    expect(choices[0]?.stop.reason).toBe(reason)
  })

  test('a blocked prompt is an answer that was withheld', () => {
    const { choices } = spoke.readAnswer({ promptFeedback: { blockReason: 'SAFETY' } })
    expect(choices).toEqual([{ blocks: [], stop: { reason: 'filtered', sequence: null } }])
  })

  test('a signature of another vendor comes back whole, also from clients that drop the thought, in base64', () => {
    const opaque = { vendor: 'anthropic', data: 'Eq+/==', id: 'x' } as const
    const reasoning = { kind: 'reasoning', text: 'Hm, ü.\nYes.', opaque } as const
    const answer = {
      choices: [
        {
          blocks: [reasoning, { kind: 'text', text: 'Hi' } as const],
          stop: { reason: 'end', sequence: null } as const,
        },
      ],
    }
    const [candidate] = (JSON.parse(JSON.stringify(spoke.writeAnswer(answer, callOf(), USED))) as JsonObject)[
      'candidates'
    ] as {
      content: { parts: JsonObject[] }
    }[]
    const content = candidate?.content ?? { parts: [] }
    expect(content.parts).toHaveLength(1)
    expect(content.parts[0]?.['thoughtSignature']).toMatch(/^[A-Za-z0-9+/]+=*$/)
    const { turns } = read({ contents: [{ role: 'model', ...content }] })
    expect(turns[0]?.parts).toMatchObject([reasoning, { kind: 'text', text: 'Hi' }])
  })

  test('any answer at all is read without a crash', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const body = {
          candidates: [
            value,
            { content: value },
            { content: { parts: [value, { functionCall: value }] }, logprobsResult: value },
          ],
        }
        expect(spoke.readAnswer(body as JsonObject).choices.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})
