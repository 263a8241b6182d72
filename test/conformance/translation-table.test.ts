import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import { CHAT_WIRES, type ChatWire, HUB_WIRES, type HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import { LEAVABLE_SETTINGS } from '../../src/protocols/hub/request-settings.ts'
import { SPOKES } from '../../src/protocols/translation.ts'
import { ANY_MODEL, bodyOf, MODELS, NOTHING_SAID, read, translationOf } from './translation-by-hand.ts'
import { type Feature, FEATURES } from './translation-features.ts'

/** `TOLLGATE_WRITE_DOCS=1` writes the tables into the page, to be read before it is committed. */
const PAGE = new URL('../../docs/translation.md', import.meta.url)
const page = readFileSync(PAGE, 'utf8')

const SHORT: Record<HubWire, string> = {
  'openai-chat': 'chat',
  'openai-responses': 'responses',
  'anthropic-messages': 'messages',
  gemini: 'gemini',
  'bedrock-converse': 'converse',
}

/** What becomes of a feature. `–`: the client's own wire has no such thing. */
type Fate = '–' | 'same' | 'carried' | 'dropped' | 'refused' | 'otherwise'

function fateOf(feature: Feature, client: ChatWire, upstream: HubWire): Fate {
  const asked = ownBody(feature, client)
  if (asked === null) return '–'
  if (client === upstream) return 'same'
  try {
    const translated = translationOf(client, asked).to(upstream, {
      model: MODELS[upstream],
      takesLike: ANY_MODEL,
      maxOutputTokens: null,
    })
    const got = read(upstream, JSON.parse(translated.body.toString()) as JsonObject)
    if (feature.has(got)) return 'carried'
    return translated.dropped.length > 0 ? 'dropped' : 'otherwise'
  } catch (error) {
    if (error instanceof Fault && error.code === 'request_invalid') return 'refused'
    throw error
  }
}

/** The feature as a client of the wire asks for it; null where it cannot. */
function ownBody(feature: Feature, wire: ChatWire): JsonObject | null {
  const asked = feature.asked?.[wire]
  if (asked !== undefined) return { ...bodyOf(wire, NOTHING_SAID), ...asked }
  try {
    const body = bodyOf(wire, feature.request)
    return feature.has(read(wire, body)) ? body : null
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

function table(upstream: HubWire): string {
  const head = `| feature | ${CHAT_WIRES.map((wire) => SHORT[wire]).join(' | ')} |\n|---|---|---|---|---|`
  const rows = FEATURES.map((feature) => {
    const cells = CHAT_WIRES.map((client) => fateOf(feature, client, upstream))
    return `| ${feature.name} | ${cells.join(' | ')} |`
  })
  return [head, ...rows].join('\n')
}

function hintList(wire: ChatWire): string {
  return Object.entries(SPOKES[wire].hints)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([path, why]) => `- \`${path}\`: ${why}`)
    .join('\n')
}

/** The page with what stands between two marks replaced. */
function withPart(text: string, mark: string, part: string): string {
  const [start, end] = [`<!-- ${mark} -->\n`, `\n<!-- end of ${mark} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`docs/translation.md lacks the mark "${mark}"`)
  return `${text.slice(0, from + start.length)}${part}${text.slice(to)}`
}

const PARTS = [
  ...HUB_WIRES.map((wire) => [`to ${SHORT[wire]}`, () => table(wire)] as const),
  ...CHAT_WIRES.map((wire) => [`hints of ${SHORT[wire]}`, () => hintList(wire)] as const),
]

test('the page tells what becomes of every feature between every two protocols, and every hint', () => {
  const written = PARTS.reduce((text, [mark, part]) => withPart(text, mark, part()), page)
  if (process.env['TOLLGATE_WRITE_DOCS'] === '1') writeFileSync(PAGE, written)
  else expect(page).toBe(written)
})

test('nothing is lost without a word: what is not carried is left out by name or refused', () => {
  const lost = HUB_WIRES.flatMap((upstream) =>
    CHAT_WIRES.flatMap((client) =>
      FEATURES.filter((feature) => fateOf(feature, client, upstream) === 'otherwise').map(
        ({ name }) => `${SHORT[client]} → ${SHORT[upstream]}: ${name}`,
      ),
    ),
  )
  expect(lost.filter((each) => !page.includes(`- ${each}`))).toEqual([])
})

test('settings that may be left out are the ones that the page names', () => {
  const onWires: Readonly<Record<string, string>> = { serviceClass: 'service_tier', cacheKey: 'prompt_cache_key' }
  for (const name of LEAVABLE_SETTINGS) expect(page).toContain(`\`${onWires[name] ?? name}\``)
})
