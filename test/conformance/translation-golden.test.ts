import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/core/faults.ts'
import { CHAT_WIRES, type ChatWire, HUB_WIRES, type HubWire } from '../../src/core/wire.ts'
import type { JsonObject } from '../../src/protocols/json/json-object.ts'
import { protocolOf } from '../../src/protocols/protocol-of.ts'
import { Translation } from '../../src/protocols/translation.ts'
import { fixturesOf, playStream } from './protocols-fixtures.ts'
import { MODELS, translatedHello } from './translation-by-hand.ts'

/**
 * What becomes of requests that real clients sent, and of streams as providers send them, to the byte. With
 * `TOLLGATE_WRITE_GOLDEN=1` the files are written anew, to be read before they are committed.
 */
const GOLDEN = new URL('../fixtures/translation/', import.meta.url)
const CLIENTS = new URL('../fixtures/clients/', import.meta.url)
const mayWrite = process.env['TOLLGATE_WRITE_GOLDEN'] === '1'

/** A client's request as recorded, see the README beside it. */
interface ClientFixture {
  readonly path: string
  readonly body: JsonObject
}

const clientFixtures = readdirSync(CLIENTS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const fixture = JSON.parse(readFileSync(new URL(file, CLIENTS), 'utf8')) as ClientFixture
    return { name: file.replace('.json', ''), ...fixture, wire: wireOf(fixture.path) }
  })

function wireOf(path: string): ChatWire {
  if (path.includes('/chat/completions')) return 'openai-chat'
  if (path.includes('/responses')) return 'openai-responses'
  return path.includes('/messages') ? 'anthropic-messages' : 'gemini'
}

function othersThan(wire: HubWire): HubWire[] {
  return HUB_WIRES.filter((other) => other !== wire)
}

function clientsOf(wire: HubWire): ChatWire[] {
  return CHAT_WIRES.filter((other) => other !== wire)
}

function translate(fixture: (typeof clientFixtures)[number], upstream: HubWire): object {
  const body = Buffer.from(JSON.stringify(fixture.body))
  const isStream = fixture.path.includes(':stream')
  const head = protocolOf(fixture.wire).readRequest(body, { fromPath: { model: 'm1', isStream } })
  const asked = { wire: fixture.wire, body, head, requestId: 'req_1', nowMs: 1_790_000_000_000 }
  try {
    const upstreamModel = { model: MODELS[upstream], maxOutputTokens: 64_000 }
    const translated = new Translation(asked).to(upstream, upstreamModel)
    return { dropped: translated.dropped, body: JSON.parse(translated.body.toString()) as unknown }
  } catch (error) {
    if (error instanceof Fault) return { refused: error.message }
    throw error
  }
}

function expectGolden(file: string, value: object): void {
  const url = new URL(file, GOLDEN)
  if (mayWrite) {
    mkdirSync(new URL('.', url), { recursive: true })
    writeFileSync(url, `${JSON.stringify(value, null, 2)}\n`)
  }
  expect(existsSync(url), `${file} is missing: write it with TOLLGATE_WRITE_GOLDEN=1`).toBe(true)
  expect(value).toEqual(JSON.parse(readFileSync(url, 'utf8')))
}

describe('requests of real clients', () => {
  test('there are some of every wire', () => {
    expect(new Set(clientFixtures.map(({ wire }) => wire))).toEqual(new Set(CHAT_WIRES))
  })

  test.for(clientFixtures)('$name is carried to every other wire', (fixture) => {
    for (const upstream of othersThan(fixture.wire)) expect(translate(fixture, upstream)).not.toHaveProperty('refused')
  })

  test.for(clientFixtures.filter(({ name }) => name.endsWith('-tool-result')))('$name', (fixture) => {
    const written = othersThan(fixture.wire).map((upstream) => [upstream, translate(fixture, upstream)] as const)
    expectGolden(`requests/${fixture.name}.json`, Object.fromEntries(written))
  })
})

const streams = HUB_WIRES.flatMap((wire) => fixturesOf(protocolOf(wire))).filter(
  ({ name, expected }) => expected.end === 'complete' && !name.includes('carriage') && !name.includes('two-'),
)

describe('streams of providers', () => {
  test.for(streams)('$name', ({ name, protocol, chunks }) => {
    const wire = protocol.wire as HubWire
    const written = clientsOf(wire).map((client) => {
      const reader = translatedHello(client, wire, true).openStream()
      const { end, sent, held } = playStream(reader, chunks)
      // Calls that came without an id get one by chance.
      const text = Buffer.from(sent + held, 'latin1')
        .toString()
        .replace(/call_[0-9a-f]{24}/g, 'call_by_chance')
      const events = text.split('\n\n').slice(0, -1)
      return [client, { end, events }] as const
    })
    expectGolden(`streams/${name}.json`, Object.fromEntries(written))
  })
})
