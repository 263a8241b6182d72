import fc from 'fast-check'
import { NO_TOKENS, type TokenCounts } from '../../src/core/tokens.ts'
import { CHAT_WIRES, type ChatWire, HUB_WIRES, type HubWire } from '../../src/core/wire.ts'
import type { NeutralAnswer, StreamPart } from '../../src/protocols/hub/neutral-answer.ts'
import type {
  AnswerBlock,
  AssistantPart,
  ContentPart,
  FunctionTool,
  NeutralRequest,
  ToolChoice,
  Turn,
} from '../../src/protocols/hub/neutral-request.ts'
import { RequestSettings, type ClientSettings } from '../../src/protocols/hub/request-settings.ts'

/** Every pair of a client's wire and another that an upstream speaks. */
export const PAIRS: readonly { client: ChatWire; upstream: HubWire }[] = CHAT_WIRES.flatMap((client) =>
  HUB_WIRES.filter((upstream) => upstream !== client).map((upstream) => ({ client, upstream })),
)

const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((text) => text.trim() !== '')
/** Anthropic refuses text that ends an assistant's last turn in white space, so none of ours does. */
const tightTexts = texts.map((text) => text.trim())
const jsonObjects = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })

const textPart = tightTexts.map((text): ContentPart => ({ kind: 'text', text, at: '' }))
const imagePart = fc.uint8Array({ minLength: 3, maxLength: 9 }).map((bytes): ContentPart => ({
  kind: 'image',
  source: { kind: 'data', mediaType: 'image/png', base64: Buffer.from(bytes).toString('base64') },
  detail: null,
  at: '',
}))

/** Tools that every wire takes. */
const tools = fc
  .uniqueArray(fc.stringMatching(/^[a-z_]{3,12}$/), { maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((name) => toolNamed(name))))

function toolNamed(name: string): fc.Arbitrary<FunctionTool> {
  return fc
    .record({
      description: tightTexts,
      field: fc.stringMatching(/^[a-z]{1,6}$/),
      type: fc.constantFrom('string', 'number'),
    })
    .map(({ description, field, type }) => ({
      kind: 'function',
      name,
      description,
      schema: { type: 'object', properties: { [field]: { type } }, required: [field] },
      isStrict: null,
      at: '',
    }))
}

/** One exchange: the person says something, the model answers, perhaps by calls, which are answered in the next turn. */
interface Exchange {
  readonly user: readonly ContentPart[]
  readonly says: string | null
  readonly calls: readonly { readonly tool: number; readonly input: object; readonly result: string }[]
}

const exchanges = fc.array(
  fc.record<Exchange>({
    user: fc.array(fc.oneof({ weight: 3, arbitrary: textPart }, { weight: 1, arbitrary: imagePart }), {
      minLength: 1,
      maxLength: 3,
    }),
    says: fc.option(tightTexts, { nil: null }),
    calls: fc.array(fc.record({ tool: fc.nat(), input: jsonObjects, result: tightTexts }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
)

function turnsOf(system: string | null, list: readonly Exchange[], names: readonly string[]): Turn[] {
  const turns: Turn[] = []
  if (system !== null) turns.push({ role: 'system', parts: [{ kind: 'text', text: system, at: '' }], at: '' })
  let serial = 0
  for (const { user, says, calls } of list) {
    turns.push({ role: 'user', parts: user, at: '' })
    const parts: AssistantPart[] = [{ kind: 'text', text: says ?? 'Yes.', at: '' }]
    const results: Turn[] = []
    for (const call of names.length === 0 ? [] : calls) {
      const id = `call_${(serial += 1)}`
      const name = names[call.tool % names.length] ?? ''
      parts.push({ kind: 'tool_call', id, name, input: JSON.stringify(call.input), isCustom: false, at: '' })
      const part: ContentPart = { kind: 'text', text: call.result, at: '' }
      const result = { kind: 'tool_result', callId: id, parts: [part], isError: false, at: '' } as const
      results.push({ role: 'user', parts: [result], at: '' })
    }
    turns.push({ role: 'assistant', parts, at: '' }, ...results)
  }
  turns.push({ role: 'user', parts: [{ kind: 'text', text: 'Go on.', at: '' }], at: '' })
  return turns
}

const settings = fc.record(
  {
    maxOutputTokens: fc.integer({ min: 16, max: 100_000 }),
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 0.9),
    format: fc.record<ClientSettings['format']>({
      kind: fc.constant('schema' as const),
      name: fc.constant('answer'),
      description: fc.constant(null),
      schema: fc.constant({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }),
      isStrict: fc.constant(null),
    }),
  },
  { requiredKeys: [] },
)

/** Requests that every wire can carry whole. */
export const requests: fc.Arbitrary<NeutralRequest> = fc
  .record({ system: fc.option(tightTexts, { nil: null }), list: exchanges, tools, settings, choice: fc.nat(4) })
  .map(({ system, list, tools: own, settings: said, choice }) => {
    const request = new RequestSettings()
    for (const [name, value] of Object.entries(said)) {
      // Newer models take one of these two only.
      if (name !== 'topP' || said.temperature === undefined) request.say(name as keyof ClientSettings, value, name)
    }
    const names = own.map(({ name }) => name)
    const toolChoice = own.length === 0 ? null : choiceOf(choice, names)
    return { turns: turnsOf(system, list, names), tools: own, toolChoice, settings: request }
  })

function choiceOf(choice: number, [first = '']: readonly string[]): ToolChoice | null {
  if (choice === 1) return { kind: 'required', at: '' }
  if (choice === 2) return { kind: 'one', name: first, at: '' }
  return choice === 3 ? { kind: 'none', at: '' } : null
}

const reasoningBlocks = fc
  .record({ text: tightTexts, data: fc.base64String({ minLength: 4, maxLength: 60 }) })
  .map(({ text, data }): AnswerBlock => ({
    kind: 'reasoning',
    text,
    opaque: { vendor: 'anthropic', data, isRedacted: undefined } as never,
  }))

/** Answers of one choice that every wire can carry whole: reasoning, then text, then calls. */
export const answers: fc.Arbitrary<NeutralAnswer> = fc
  .record({
    reasoning: fc.option(reasoningBlocks, { nil: null }),
    text: fc.option(tightTexts, { nil: null }),
    calls: fc.array(fc.record({ name: fc.stringMatching(/^[a-z_]{3,12}$/), input: jsonObjects }), { maxLength: 3 }),
    isLong: fc.boolean(),
  })
  .map(({ reasoning, text, calls, isLong }) => {
    const blocks: AnswerBlock[] = reasoning === null ? [] : [reasoning]
    if (text !== null || calls.length === 0) blocks.push({ kind: 'text', text: text ?? 'Yes.' })
    calls.forEach(({ name, input }, i) => {
      blocks.push({ kind: 'tool_call', id: `call_${i}`, name, input: JSON.stringify(input), isCustom: false })
    })
    const reason = calls.length > 0 ? 'tool_calls' : isLong ? 'length' : 'end'
    return { choices: [{ blocks, stop: { reason, sequence: null } }] }
  })

/** What a stream of the answer looks like, in pieces of at most `size` characters. */
export function partsOf(answer: NeutralAnswer, size: number): StreamPart[] {
  const parts: StreamPart[] = []
  let block = 0
  answer.choices.forEach(({ blocks, stop }, choice) => {
    for (const each of blocks) {
      const of =
        each.kind === 'tool_call'
          ? { kind: each.kind, id: each.id, name: each.name, isCustom: each.isCustom }
          : { kind: each.kind }
      parts.push({ kind: 'begin', block, choice, of })
      const text = Array.from(each.kind === 'tool_call' ? each.input : each.text)
      for (let at = 0; at < text.length; at += size) {
        parts.push({ kind: 'delta', block, text: text.slice(at, at + size).join('') })
      }
      if (each.kind === 'reasoning' && each.opaque !== null) parts.push({ kind: 'opaque', block, opaque: each.opaque })
      parts.push({ kind: 'end', block })
      block += 1
    }
    parts.push({ kind: 'stop', choice, stop })
  })
  return parts
}

export const USAGE: TokenCounts = { ...NO_TOKENS, input: 90, cacheRead: 10, output: 40, reasoning: 5 }
