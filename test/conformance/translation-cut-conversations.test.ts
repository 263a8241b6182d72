import { describe, expect, test } from 'vitest'
import type { HubWire } from '../../src/core/wire.ts'
import { fieldsOf, type JsonObject } from '../../src/protocols/json/json-object.ts'
import type { AssistantPart, Turn, UserPart } from '../../src/protocols/hub/neutral-request.ts'
import { RequestSettings } from '../../src/protocols/hub/request-settings.ts'
import { bodyOf, MODELS, read, translationOf } from './translation-by-hand.ts'
import { PAIRS } from './translation-values.ts'

/**
 * Conversations as agents send them that were interrupted or shortened: on the way to another wire each call has one result,
 * directly behind the answer that called, as every provider wants it.
 */

const call = (id: string, name = 'read'): AssistantPart => ({
  kind: 'tool_call',
  id,
  name,
  input: '{}',
  isCustom: false,
  at: '',
})
const result = (callId: string, text = `of ${callId}`, isError = false): UserPart => ({
  kind: 'tool_result',
  callId,
  parts: [{ kind: 'text', text, at: '' }],
  isError,
  at: '',
})
const text = (words: string): UserPart & AssistantPart => ({ kind: 'text', text: words, at: '' })
const user = (...parts: UserPart[]): Turn => ({ role: 'user', parts, at: '' })
const model = (...parts: AssistantPart[]): Turn => ({ role: 'assistant', parts, at: '' })
const system = (words: string): Turn => ({ role: 'system', parts: [{ kind: 'text', text: words, at: '' }], at: '' })

const HI = user(text('Hi'))
const NO_RESULT = /^No result of this call was recorded/
const ORPHAN = /earlier tool call that is no longer in the conversation/

interface Case {
  readonly what: string
  readonly turns: readonly Turn[]
  /** The results as the upstream gets them, by call, with what each says. */
  readonly results: readonly (readonly [string, string | RegExp])[]
  /** What the header names, without its place in the client's body. */
  readonly named: readonly string[]
  readonly orphans?: number
  readonly from: string | null
}

const CASES: readonly Case[] = [
  {
    what: 'a call that was interrupted',
    turns: [HI, model(call('a')), user(text('Go on'))],
    results: [['a', NO_RESULT]],
    named: ['missing_result'],
    from: 'anomalyco/opencode#3230',
  },
  {
    what: 'a call that was interrupted in the middle of text and other calls',
    turns: [HI, model(text('Look.'), call('a'), call('b')), user(result('a'), text('Stop'))],
    results: [
      ['a', 'of a'],
      ['b', NO_RESULT],
    ],
    named: ['missing_result'],
    from: 'tidyverse/ellmer#459',
  },
  {
    what: 'a call at the very end',
    turns: [HI, model(call('a'))],
    results: [['a', NO_RESULT]],
    named: ['missing_result'],
    from: 'openai/codex#394',
  },
  {
    what: 'a call without a result far back',
    turns: [HI, model(call('a')), user(text('No')), model(call('b')), user(result('b')), model(text('Done'))],
    results: [
      ['a', NO_RESULT],
      ['b', 'of b'],
    ],
    named: ['missing_result'],
    from: 'anthropics/claude-code#1776',
  },
  {
    what: 'calls of which none has a result',
    turns: [HI, model(call('a'), call('b'), call('c')), user(text('Go on'))],
    results: [
      ['a', NO_RESULT],
      ['b', NO_RESULT],
      ['c', NO_RESULT],
    ],
    named: ['missing_result'],
    from: 'charmbracelet/crush#862',
  },
  {
    what: 'a call that the model went on behind, in the same answer',
    turns: [HI, model(call('a')), model(text('I was interrupted.')), user(text('Go on'))],
    results: [['a', NO_RESULT]],
    named: ['missing_result'],
    from: 'open-webui/open-webui#24758',
  },
  {
    what: 'a result whose call was cut away',
    turns: [HI, user(result('a')), model(text('Done')), user(text('Thanks'))],
    results: [],
    named: ['result_without_call'],
    orphans: 1,
    from: 'openclaw/openclaw#4852',
  },
  {
    what: 'results of calls that a compaction left out, beside those of one that is there',
    turns: [user(result('x'), result('y'), text('Go on')), model(call('a')), user(result('a'))],
    results: [['a', 'of a']],
    named: ['result_without_call'],
    orphans: 2,
    from: 'openclaw/openclaw#16095',
  },
  {
    what: 'a failed result without its call',
    turns: [HI, user(result('a', 'no such file', true))],
    results: [],
    named: ['result_without_call'],
    orphans: 1,
    from: 'agno-agi/agno#9372',
  },
  {
    what: 'a result without its call among those of the answer before it',
    turns: [HI, model(call('a')), user(result('a'), result('gone')), model(text('Done')), user(text('And?'))],
    results: [['a', 'of a']],
    named: ['result_without_call'],
    orphans: 1,
    from: 'anthropics/claude-code#12162',
  },
  {
    what: 'a result of a call that has another id',
    turns: [HI, model(call('a')), user(result('b'))],
    results: [['a', NO_RESULT]],
    named: ['missing_result', 'result_without_call'],
    orphans: 1,
    from: 'earendil-works/pi#4570',
  },
  {
    what: 'a result that is there twice',
    turns: [HI, model(call('a')), user(result('a'), result('a'))],
    results: [['a', 'of a']],
    named: ['repeated_result'],
    from: 'router-for-me/CLIProxyAPI#4998',
  },
  {
    what: 'a result that came anew, of which the later stands',
    turns: [
      HI,
      model(call('a'), call('b')),
      user(result('a', 'aborted', true), result('b')),
      user(result('a', 'whole')),
    ],
    results: [
      ['a', 'whole'],
      ['b', 'of b'],
    ],
    named: ['repeated_result'],
    from: 'BerriAI/litellm#23104',
  },
  {
    what: 'a result once more after the next answer',
    turns: [HI, model(call('a')), user(result('a')), model(text('Hm')), user(result('a', 'again'), text('Go on'))],
    results: [['a', 'again']],
    named: ['repeated_result'],
    from: 'sipeed/picoclaw#1793',
  },
  {
    what: 'results in another order than their calls',
    turns: [HI, model(call('a'), call('b'), call('c')), user(result('c'), result('a'), result('b'))],
    results: [
      ['a', 'of a'],
      ['b', 'of b'],
      ['c', 'of c'],
    ],
    named: [],
    from: 'martin98-afk/DriFox#82',
  },
  {
    what: 'what the user says in front of the results',
    turns: [HI, model(call('a'), call('b')), user(text('Wait'), result('b'), text('no'), result('a'))],
    results: [
      ['a', 'of a'],
      ['b', 'of b'],
    ],
    named: [],
    from: 'V1ki/dsh-plugin-subscriptions#22',
  },
  {
    what: 'results that are spread over turns of the user, with a system message between',
    turns: [HI, model(call('a'), call('b')), user(result('a')), system('Be quick.'), user(result('b'), text('Go on'))],
    results: [
      ['a', 'of a'],
      ['b', 'of b'],
    ],
    named: [],
    from: 'ranxianglei/billion-context#766',
  },
  {
    what: 'a result behind the next answer',
    turns: [HI, model(call('a')), user(text('Go on')), model(text('Waiting')), user(result('a'), text('There'))],
    results: [['a', 'of a']],
    named: [],
    from: 'anomalyco/opencode#5750',
  },
  {
    what: 'a result in front of its call',
    turns: [HI, user(result('a')), model(call('a')), user(text('Go on'))],
    results: [['a', 'of a']],
    named: [],
    from: 'purplefish-ai/factory-factory#2236',
  },
  {
    what: 'one id for the calls of all answers',
    turns: [
      HI,
      model(call('same')),
      user(result('same', 'first')),
      model(call('same')),
      user(result('same', 'second')),
      model(call('same')),
      user(text('Stop')),
    ],
    results: [
      ['same', 'first'],
      ['same', 'second'],
      ['same', NO_RESULT],
    ],
    named: ['missing_result'],
    from: 'NousResearch/hermes-agent#70734',
  },
]

/** Calls and results as the upstream reads them, in order; `!` where a result does not stand directly behind its answer. */
function resultsIn(wire: HubWire, body: JsonObject): { id: string; text: string; isBehind: boolean }[] {
  const found: { id: string; text: string; isBehind: boolean }[] = []
  let open: string[] = []
  let mayFollow = false
  for (const turn of read(wire, body).turns) {
    if (turn.role === 'assistant') {
      expect(open, 'calls without results before the next answer').toEqual([])
      open = turn.parts.flatMap((part) => (part.kind === 'tool_call' ? [part.id] : []))
      mayFollow = true
      continue
    }
    for (const part of turn.parts) {
      if (part.kind !== 'tool_result') {
        mayFollow = false
        continue
      }
      const said = part.parts.map((each) => (each.kind === 'text' ? each.text : '')).join('')
      found.push({ id: part.callId, text: said, isBehind: mayFollow && open[0] === part.callId })
      open.shift()
    }
  }
  expect(open, 'calls without results at the end').toEqual([])
  return found
}

describe.for(PAIRS)('from $client to $upstream', ({ client, upstream }) => {
  test.for(CASES)('$what ($from)', ({ turns, results, named, orphans = 0 }) => {
    const settings = new RequestSettings()
    const body = bodyOf(client, { turns, tools: [], toolChoice: null, settings })
    // Gemini’s clients answer by name where an id is not known, and a result without its call has no name there.
    const translated = translationOf(client, body).to(upstream, { model: MODELS[upstream], maxOutputTokens: 100 })
    const written = JSON.parse(translated.body.toString()) as JsonObject
    const got = resultsIn(upstream, written)
    expect(got).toHaveLength(results.length)
    // An id that comes again is another one where the upstream wants each once; `isBehind` holds results to their calls.
    const ids = results.map(([id]) => id)
    for (const [i, id] of ids.entries()) if (ids.indexOf(id) === i) expect(got[i]?.id).toBe(id)
    for (const [i, [, said]] of results.entries()) {
      const plain = got[i]?.text.replace(/^(?:Error: |The tool failed:\n)/, '')
      if (typeof said === 'string') expect(plain).toBe(said)
      else expect(plain).toMatch(said)
    }
    expect(got.every(({ isBehind }) => isBehind)).toBe(true)
    expect(JSON.stringify(written).match(new RegExp(ORPHAN, 'g')) ?? []).toHaveLength(orphans)
    const about = translated.dropped.map((path) => path.replace(/^.*\./, ''))
    expect(about.filter((name) => /_result$|_call$/.test(name)).toSorted()).toEqual(named.toSorted())
  })
})

test('what a model said behind a call stands in front of it for Anthropic, who wants the result next (opencode#5750)', () => {
  const turns = [HI, model(call('a'), text('Or'), call('b')), user(result('a'), result('b'))]
  const body = bodyOf('openai-responses', { turns, tools: [], toolChoice: null, settings: new RequestSettings() })
  const translated = translationOf('openai-responses', body).to('anthropic-messages', {
    model: 'claude-sonnet-4-5',
    maxOutputTokens: 100,
  })
  expect(JSON.parse(translated.body.toString())).toMatchObject({
    messages: [
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text' }, { type: 'tool_use', id: 'a' }, { type: 'tool_use', id: 'b' }] },
      { role: 'user', content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }] },
    ],
  })
})

test('a missing result is marked as failed where the wire has a mark for that', () => {
  const turns = [HI, model(call('a')), user(text('Go on'))]
  const body = bodyOf('openai-chat', { turns, tools: [], toolChoice: null, settings: new RequestSettings() })
  const to = (wire: HubWire) =>
    translationOf('openai-chat', body).to(wire, { model: MODELS[wire], maxOutputTokens: 100 }).body.toString()
  expect(to('anthropic-messages')).toContain('"is_error":true')
  expect(to('gemini')).toContain('"response":{"error":"No result of this call')
  expect(to('openai-responses')).toContain('The tool failed:')
})

test('a conversation in which nothing is missing goes as it did', () => {
  const body = {
    model: 'm',
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      { role: 'user', content: 'Go on' },
    ],
  }
  const translated = translationOf('openai-chat', body).to('anthropic-messages', {
    model: 'claude-sonnet-4-5',
    maxOutputTokens: 100,
  })
  expect(translated.dropped).toEqual([])
  expect(fieldsOf(JSON.parse(translated.body.toString()))['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      content: ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: '1' },
        { type: 'tool_result', tool_use_id: 'b', content: '2' },
        { type: 'text', text: 'Go on' },
      ],
    },
  ])
})
