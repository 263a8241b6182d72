import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../core/faults.ts'
import { runsInSuite } from '../../../test/support/run/suite.ts'
import type { NeutralAnswer, StreamPart } from './neutral-answer.ts'
import { Notes } from './notes.ts'
import { RequestSettings, SettingsToWrite } from './request-settings.ts'
import { stoppedAt, stopsLeftHere, StreamStops } from './stop-at.ts'

/** Cases of text that meets a sequence: what goes on to the client, and the sequence that was met. */
const CASES: readonly (readonly [string, readonly string[], string, string | null, string | null])[] = [
  ['one two three', ['two'], 'one ', 'two', 'pleaseai/shunt#605'],
  [
    '<severity>low</severity> and more',
    ['</block>', '</severity>'],
    '<severity>low',
    '</severity>',
    'pleaseai/shunt#607',
  ],
  ['alpha beta gamma delta', ['beta gamma'], 'alpha ', 'beta gamma', 'mzau/mlx-knife#68'],
  ['Hi\nUser: more', ['\nUser:'], 'Hi', '\nUser:', 'SharpAI/SwiftLM#126'],
  ['The quick brown fox', ['own fox'], 'The quick br', 'own fox', 'SharpAI/SwiftLM#132'],
  ['assist you.<|im_end|>', ['<|im_end|>'], 'assist you.', '<|im_end|>', 'huggingface/text-generation-inference#1254'],
  ['ABCDEFGHIJKL', ['DEFGHIJ'], 'ABC', 'DEFGHIJ', 'vllm-project/vllm#3574'],
  ['Act\nObservation: done', ['\nObservation:'], 'Act', '\nObservation:', 'crewAIInc/crewAI#4521'],
  ['no such thing', ['END'], 'no such thing', null, null],
  ['almost EN', ['END'], 'almost EN', null, 'SharpAI/SwiftLM#133'],
  ['END at once', ['END'], '', 'END', null],
  ['at the END', ['END'], 'at the ', 'END', null],
  ['first line\nsecond', ['\n'], 'first line', '\n', 'BerriAI/litellm#3286'],
  ['a  b', ['  '], 'a', '  ', 'BerriAI/litellm#7484'],
  // The one that is whole first counts, and of two that are, the longer.
  ['xabcy', ['abc', 'b'], 'xa', 'b', 'scouzi1966/maclocal-api#12'],
  ['xaby', ['b', 'ab'], 'x', 'ab', null],
  ['aaab', ['aab'], 'a', 'aab', null],
  ['abababac', ['ababac'], 'ab', 'ababac', null],
  ['ab 😀😁 c', ['😁'], 'ab 😀', '😁', null],
  ['stop', ['stop!'], 'stop', null, null],
]

const textAnswer = (text: string): NeutralAnswer => ({
  choices: [{ blocks: [{ kind: 'text', text }], stop: { reason: 'end', sequence: null } }],
})

describe('a whole answer', () => {
  test.for(CASES)('%j stops at %j with %j', ([text, sequences, expected, found]) => {
    const [choice] = stoppedAt(sequences, textAnswer(text)).choices
    expect(choice?.blocks).toEqual(expected === '' ? [] : [{ kind: 'text', text: expected }])
    expect(choice?.stop).toEqual(
      found === null ? { reason: 'end', sequence: null } : { reason: 'stop_sequence', sequence: found },
    )
  })

  test('what stands behind the sequence is not there: calls, reasoning, more text', () => {
    const call = { kind: 'tool_call', id: 'c', name: 'f', input: '{}', isCustom: false } as const
    const thought = { kind: 'reasoning', text: 'END is near', opaque: null } as const
    const blocks = [thought, { kind: 'text', text: 'a END b' } as const, call, { kind: 'text', text: 'c' } as const]
    const [choice] = stoppedAt(['END'], {
      choices: [{ blocks, stop: { reason: 'tool_calls', sequence: null } }],
    }).choices
    expect(choice).toEqual({
      blocks: [thought, { kind: 'text', text: 'a ' }],
      stop: { reason: 'stop_sequence', sequence: 'END' },
    })
  })

  test('a sequence in a call or a refusal stops nothing, and each choice stops by itself', () => {
    const call = { kind: 'tool_call', id: 'c', name: 'f', input: '{"a":"END"}', isCustom: false } as const
    const refusal = { kind: 'refusal', text: 'No END' } as const
    const stop = { reason: 'end', sequence: null } as const
    const answer = {
      choices: [
        { blocks: [call, refusal], stop },
        { blocks: [{ kind: 'text', text: 'b END' } as const], stop },
      ],
    }
    expect(stoppedAt(['END'], answer).choices).toEqual([
      answer.choices[0],
      { blocks: [{ kind: 'text', text: 'b ' }], stop: { reason: 'stop_sequence', sequence: 'END' } },
    ])
  })

  test('probabilities end with the text', () => {
    const logprobs = ['a', ' ', 'END', ' b'].map((token) => ({ token, logprob: -1, bytes: null, top: [] }))
    const blocks = [{ kind: 'text', text: 'a END b', logprobs } as const]
    const [choice] = stoppedAt(['END'], { choices: [{ blocks, stop: { reason: 'end', sequence: null } }] }).choices
    expect(choice?.blocks).toEqual([{ kind: 'text', text: 'a ', logprobs: logprobs.slice(0, 2) }])
  })
})

/** What goes on to the client of a text in pieces, and how long the longest text was that waited. */
function streamed(pieces: readonly string[], sequences: readonly string[]) {
  const stops = new StreamStops(sequences)
  const parts: StreamPart[] = [
    { kind: 'begin', block: 0, choice: 0, of: { kind: 'text' } },
    ...pieces.map((text) => ({ kind: 'delta', block: 0, text }) as const),
    { kind: 'end', block: 0 },
    { kind: 'stop', choice: 0, stop: { reason: 'end', sequence: null } },
  ]
  let [text, came, mostHeld] = ['', '', 0]
  const kinds: string[] = []
  let stop: unknown = null
  for (const part of parts) {
    if (part.kind === 'delta') came += part.text
    for (const kept of stops.take(part)) {
      if (kept.kind === 'delta') text += kept.text
      else kinds.push(kept.kind)
      if (kept.kind === 'stop') stop = kept.stop
    }
    if (stops.stopped === 0) mostHeld = Math.max(mostHeld, came.length - text.length)
  }
  return { text, stop, kinds, mostHeld }
}

describe('a stream', () => {
  test.for(CASES)('%j stops at %j with %j, in pieces of any size', ([text, sequences, expected, found]) => {
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
        text.slice(i * size, (i + 1) * size),
      )
      const got = streamed(pieces, sequences)
      expect(got.text).toBe(expected)
      expect(got.stop).toMatchObject(found === null ? { reason: 'end' } : { reason: 'stop_sequence', sequence: found })
      expect(got.kinds).toEqual(['begin', 'end', 'stop'])
      expect(got.mostHeld).toBeLessThan(Math.max(...sequences.map(({ length }) => length)))
    }
  })

  test('is what the whole answer would be, whatever comes', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n', '😀'), maxLength: 24 })
    const sequences = fc.array(
      letters.filter((text) => text !== '' && text.length <= 5),
      { minLength: 1, maxLength: 3 },
    )
    fc.assert(
      fc.property(
        fc.array(
          letters.filter((text) => text !== ''),
          { maxLength: 8 },
        ),
        sequences,
        (pieces, stops) => {
          const whole = stoppedAt(stops, textAnswer(pieces.join(''))).choices[0]
          const got = streamed(pieces, stops)
          expect(got.text).toBe((whole?.blocks ?? []).map((block) => ('text' in block ? block.text : '')).join(''))
          expect(got.stop).toEqual(whole?.stop)
          expect(got.mostHeld).toBeLessThan(Math.max(...stops.map(({ length }) => length)))
        },
      ),
      { numRuns: runsInSuite(300) },
    )
  })

  test('nothing of a choice goes on behind its stop, and the others go on', () => {
    const stops = new StreamStops(['END'])
    const take = (part: StreamPart) => stops.take(part).map(({ kind }) => kind)
    for (const choice of [0, 1]) stops.take({ kind: 'begin', block: choice, choice, of: { kind: 'text' } })
    expect(take({ kind: 'delta', block: 0, text: 'a END b' })).toEqual(['delta', 'end', 'stop'])
    expect(take({ kind: 'delta', block: 0, text: 'more' })).toEqual([])
    expect(take({ kind: 'end', block: 0 })).toEqual([])
    const call = { kind: 'tool_call', id: 'c', name: 'f', isCustom: false } as const
    expect(take({ kind: 'begin', block: 2, choice: 0, of: call })).toEqual([])
    expect(take({ kind: 'delta', block: 2, text: '{}' })).toEqual([])
    expect(take({ kind: 'delta', block: 1, text: 'b' })).toEqual(['delta'])
    expect(take({ kind: 'stop', choice: 0, stop: { reason: 'tool_calls', sequence: null } })).toEqual([])
    expect(take({ kind: 'end', block: 1 })).toEqual(['end'])
    expect(take({ kind: 'stop', choice: 1, stop: { reason: 'end', sequence: null } })).toEqual(['stop'])
    expect(stops.stopped).toBe(1)
  })

  test('a call that is open when the text stops is not closed as if it were whole', () => {
    const stops = new StreamStops(['END'])
    const call = { kind: 'tool_call', id: 'c', name: 'f', isCustom: false } as const
    stops.take({ kind: 'begin', block: 0, choice: 0, of: call })
    stops.take({ kind: 'begin', block: 1, choice: 0, of: { kind: 'text' } })
    const parts = stops.take({ kind: 'delta', block: 1, text: 'END' })
    expect(parts).toMatchObject([{ kind: 'end', block: 1 }, { kind: 'stop' }])
  })
})

describe('the sequences that the gateway stops at', () => {
  test.for<
    readonly [
      string,
      readonly string[],
      { most: number; blank: boolean },
      readonly string[],
      readonly string[],
      string | null,
    ]
  >([
    ['none that the upstream takes', ['a', 'b'], { most: 4, blank: true }, ['a', 'b'], [], null],
    [
      'all where it takes none',
      ['a', '\n'],
      { most: 0, blank: false },
      [],
      ['a', '\n'],
      'openJiuwen-ai/agent-core#772',
    ],
    [
      'the fifth at OpenAI',
      ['✿RESULT✿', '✿RESULT✿:', '✿RESULT✿:\n', 'Observation:', 'Observation:\n'],
      { most: 4, blank: true },
      ['✿RESULT✿', '✿RESULT✿:', '✿RESULT✿:\n', 'Observation:'],
      ['Observation:\n'],
      'QwenLM/Qwen-Agent#228',
    ],
    [
      'five of nine',
      ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      { most: 4, blank: true },
      ['1', '2', '3', '4'],
      ['5', '6', '7', '8', '9'],
      'continuedev/continue#2461',
    ],
    [
      'five of ten at Gemini',
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
      { most: 5, blank: true },
      ['1', '2', '3', '4', '5'],
      ['6', '7', '8', '9', '10'],
      'continuedev/continue#7849',
    ],
    ['a blank one at Anthropic', ['\n'], { most: Infinity, blank: false }, [], ['\n'], 'BerriAI/litellm#3286'],
    [
      'blank ones beside others',
      ['END', ' ', '\n\n', 'a b'],
      { most: Infinity, blank: false },
      ['END', 'a b'],
      [' ', '\n\n'],
      'sourcegraph/cody#3549',
    ],
    [
      'an empty one says nothing',
      ['', '\n'],
      { most: Infinity, blank: false },
      [],
      ['\n'],
      'MegaGrindStone/mcp-web-ui#5',
    ],
    ['the same twice', ['a', 'a'], { most: 1, blank: true }, ['a'], [], null],
  ])('%s', ([, asked, taken, sent, here]) => {
    const { settings, left } = leftOf(asked, taken)
    expect(left).toEqual(here)
    expect(settings.take('stop') ?? []).toEqual(sent)
  })

  test('too many are refused by the name that the client gave them', () => {
    const many = Array.from({ length: 65 }, (_, i) => `${i}!`)
    expect(() => leftOf(many, { most: 0, blank: false })).toThrow(Fault)
    expect(() => leftOf(['a'.repeat(20_000)], { most: 0, blank: false })).toThrow(
      /`stop_sequences` cannot be translated/,
    )
    expect(leftOf(many, { most: 1, blank: true }).left).toHaveLength(64)
  })
})

function leftOf(asked: readonly string[], taken: { most: number; blank: boolean }) {
  const said = new RequestSettings()
  said.say('stop', asked, 'stop_sequences')
  const settings = new SettingsToWrite(said, new Notes({}))
  return { settings, left: stopsLeftHere(settings, taken) }
}
