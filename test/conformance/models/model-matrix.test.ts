import { expect, test } from 'vitest'
import { Fault } from '../../../src/core/faults.ts'
import { CHAT_WIRES, type ChatWire, HUB_WIRES, type HubWire } from '../../../src/core/wire.ts'
import { FACT_NAMES, type ModelFacts, type ModelRules } from '../../../src/models/facts.ts'
import { ROWS } from '../../../src/models/rows.ts'
import { factsOf, rowOf } from '../../../src/models/table.ts'
import type { JsonObject } from '../../../src/protocols/json/json-object.ts'
import type { NeutralRequest } from '../../../src/protocols/hub/neutral-request.ts'
import { ANY_MODEL, bodyUnder, translationOf } from '../translation-by-hand.ts'
import { inSuite, someInSuite } from '../../support/run/suite.ts'
import { refusedFor } from './strict-provider.ts'
import { requestOf, WISHES } from './wishes.ts'

/** The wires on which a maker's own endpoint, or one that is compatible with it, is asked for its models. */
const WIRES_OF: Readonly<Record<string, readonly HubWire[]>> = {
  OpenAI: ['openai-responses', 'openai-chat', 'bedrock-converse'],
  Amazon: ['bedrock-converse'],
  Anthropic: ['anthropic-messages', 'openai-chat', 'bedrock-converse'],
  Google: ['gemini', 'openai-chat'],
}
const WIRES_OF_OTHERS: readonly HubWire[] = [
  'openai-chat',
  'anthropic-messages',
  'openai-responses',
  'bedrock-converse',
]

type Outcome = 'taken' | 'wrong' | 'refused here' | 'cannot be said' | 'not translated'

/** One cell: a client of the wire asks a model of the family for what the fact is about. */
function outcomeOf(
  client: ChatWire,
  upstream: HubWire,
  { model, wish, wrong }: { model: string; wish: NeutralRequest; wrong: string[] },
): Outcome {
  if (client === upstream) return 'not translated'
  const asked = askedIn(client, wish)
  if (asked === null) return 'cannot be said'
  const facts = factsOf({ name: model }, upstream)
  try {
    const translated = translationOf(client, asked, true).to(upstream, { model, maxOutputTokens: null })
    const body = JSON.parse(translated.body.toString()) as JsonObject
    const refused = refusedFor(body, facts, upstream)
    if (refused.length === 0) return 'taken'
    wrong.push(`${refused.join()}: ${client} → ${upstream}, ${model}: ${JSON.stringify(body)}`)
    return 'wrong'
  } catch (error) {
    if (error instanceof Fault && error.code === 'request_invalid') return 'refused here'
    throw error
  }
}

function askedIn(client: HubWire, wish: NeutralRequest, rules: ModelRules = {}): JsonObject | null {
  try {
    const body = bodyUnder(rules, { wire: client, request: wish, isStream: true })
    return client === 'gemini' || client === 'bedrock-converse' ? body : { ...body, model: 'a-model' }
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

/** Each family, on each wire that it is asked on, with each request that any fact is about. */
function cells() {
  const wishes = FACT_NAMES.flatMap((fact) => WISHES[fact].map(requestOf))
  return ROWS.flatMap((row) =>
    (WIRES_OF[row.maker] ?? WIRES_OF_OTHERS).flatMap((upstream) => wishes.map((wish) => ({ row, upstream, wish }))),
  )
}

test.for(CHAT_WIRES)('what a client of %s asks of any family is sent as its provider takes it', (client) => {
  const wrong: string[] = []
  const counts: Record<Outcome, number> = {
    taken: 0,
    wrong: 0,
    'refused here': 0,
    'cannot be said': 0,
    'not translated': 0,
  }
  for (const { row, upstream, wish } of someInSuite(cells(), 5)) {
    counts[outcomeOf(client, upstream, { model: row.examples[0], wish, wrong })]++
  }
  expect(wrong).toEqual([])
  expect(counts.taken).toBeGreaterThan(inSuite({ long: 1_000, short: 200 }))
  // Most wishes are left out and named, and the request goes on; content that cannot be had is refused.
  expect(counts['refused here']).toBeLessThan(counts.taken)
})

test.for(ROWS)('$family is known by its names', (row) => {
  for (const name of row.examples) expect(rowOf(name)?.family, name).toBe(row.family)
})

/** A value of each fact of which a provider refuses what the wishes ask for. */
const HARSH: Omit<ModelFacts, 'reasons_unasked' | 'streamed_tools'> = {
  reasoning: 'none',
  efforts: ['low'],
  budget_least: 100_000,
  budget_most: 10,
  reasoning_off: 'never',
  forced_call: 'refused',
  past_reasoning: 'with_tools',
  hidden_reasoning: false,
  signed_calls: 'required',
  media_in_results: false,
  temperature: 'refused',
  temperature_least: 0.5,
  temperature_most: 0.1,
  top_p: 'refused',
  top_p_least_while_reasoning: 0.99,
  temperature_with_top_p: false,
  top_k: 'refused',
  penalties: 'refused',
  seed: 'refused',
  logit_bias: 'refused',
  logprobs: 'refused',
  choices: false,
  stops: 0,
  blank_stops: false,
  chat_tools: 'refused',
  tools_with_format: false,
  format_while_reasoning: false,
  most_tools: 0,
  most_strict_tools: 0,
  strict_tools: false,
  parallel_tool_calls: false,
  tool_schema: ['properties', 'items', 'no_ref_siblings', 'no_type_beside_any_of', 'no_tuples', 'no_top_level_choice'],
  call_ids: 'nine',
  format: 'none',
  schema_bounds: false,
  open_objects: false,
  prefill: 'refused',
  system_role: 'user',
  system_messages: 'one',
  empty_content: false,
  image_types: [],
  limit_field: 'max_completion_tokens',
  most_output: 10,
  stream_options: false,
  encrypted_reasoning: false,
  service_tier: false,
  verbosity: false,
  user: false,
  cache_key: false,
  cache_points: 'none',
  extra_fields: 'none',
}
/** What a client may ask that knows of no limits. */
const ALL_TAKEN: ModelRules = {
  hidden_reasoning: true,
  signed_calls: 'no',
  service_tier: true,
  verbosity: true,
  cache_key: true,
  reasoning_off: 'thinking_disabled',
  cache_points: 'taken',
  extra_fields: 'anthropic',
  top_k: 'taken',
  strict_tools: true,
}
const HARSH_NAMES = Object.keys(HARSH) as readonly (keyof typeof HARSH)[]

test.for(HARSH_NAMES)('%s as a rule of an admin is kept to on every wire, and would be refused without it', (fact) => {
  const rules = { [fact]: HARSH[fact] }
  const wishes = HUB_WIRES.flatMap((upstream) => WISHES[fact].map((wish) => ({ upstream, wish: requestOf(wish) })))
  const isRefused = ({ upstream, wish }: (typeof wishes)[number]) => {
    const bare = askedIn(upstream, wish, ALL_TAKEN)
    return bare !== null && refusedUnder(rules, upstream, bare).includes(fact)
  }
  const refused = wishes.filter(isRefused).length
  const wrong = wishes.flatMap(({ upstream, wish }) =>
    CHAT_WIRES.filter((client) => client !== upstream).flatMap((client) => {
      const asked = askedIn(client, wish)
      const body = asked === null ? null : sentWith(rules, { client, upstream, asked })
      if (body === null) return []
      return refusedUnder(rules, upstream, body).map(
        (name) => `${name}: ${client} → ${upstream}: ${JSON.stringify(body)}`,
      )
    }),
  )
  expect(wrong).toEqual([])
  expect(refused).toBeGreaterThan(0)
})

function refusedUnder(rules: ModelRules, upstream: HubWire, body: JsonObject): readonly string[] {
  return refusedFor(body, { ...factsOf(ANY_MODEL, upstream), ...rules }, upstream)
}

/** What is sent to a model of no known family under these rules; null: it is refused here. */
function sentWith(
  rules: ModelRules,
  { client, upstream, asked }: { client: ChatWire; upstream: HubWire; asked: JsonObject },
): JsonObject | null {
  try {
    const takesLike = { ...ANY_MODEL, rules }
    const translated = translationOf(client, asked, true).to(upstream, { model: 'm', takesLike, maxOutputTokens: null })
    return JSON.parse(translated.body.toString()) as JsonObject
  } catch (error) {
    if (error instanceof Fault && error.code === 'request_invalid') return null
    throw error
  }
}
