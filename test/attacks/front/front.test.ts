import { afterAll, describe, expect, test } from 'vitest'
import { Chance } from '../../faults/chance.ts'
import { readSettings } from '../settings.ts'
import { type ClientCase, compare, type Compared } from './compare.ts'
import { MANNERS, RecordedServer } from './recorded-server.ts'
import { clientBytes, inPieces, SMUGGLING } from './request-cases.ts'

const BATCH = 200
const TIMEOUT_MS = 3_600_000

const { fuzzCases, seed } = readSettings(process.env)
const servers = { node: new RecordedServer(false), front: new RecordedServer(true) }
afterAll(() => {
  servers.node.close()
  servers.front.close()
})

describe('the front and Node’s own server agree on what was asked, and answer alike', () => {
  test(`in ${fuzzCases} connections of chance`, { timeout: TIMEOUT_MS }, async () => {
    const all = { seen: 0, servedByFront: 0 }
    for (let first = 0; first < fuzzCases; first += BATCH) {
      const compared = await compare(
        Array.from({ length: BATCH }, (_, i) => caseOfChance(first + i)),
        servers,
      )
      expect(compared.differences.slice(0, 1), `seed ${seed}, from case ${first}`).toEqual([])
      all.seen += compared.seen
      all.servedByFront += compared.servedByFront
    }
    // Enough of it came through the front, or this would show nothing of it.
    expect(all.servedByFront).toBeGreaterThan(all.seen / 5)
    console.log(`${all.seen} requests reached a handler, ${all.servedByFront} of them through the front`)
  })

  test('in every known way to smuggle a request', { timeout: TIMEOUT_MS }, async () => {
    const cases = SMUGGLING.flatMap((text) => MANNERS.map((manner) => once(Buffer.from(text, 'latin1'), manner)))
    for (let first = 0; first < cases.length; first += BATCH) {
      const { differences } = await compare(cases.slice(first, first + BATCH), servers)
      expect(differences.slice(0, 1)).toEqual([])
    }
  })

  test('wherever two requests on one connection are cut', { timeout: TIMEOUT_MS }, async () => {
    const bytes = Buffer.from(TWO_REQUESTS)
    const cases = MANNERS.flatMap((manner) =>
      Array.from(bytes.keys()).flatMap((at) => [true, false].map((isSlow) => cut(bytes, at, { manner, isSlow }))),
    )
    const all: Compared[] = []
    for (let first = 0; first < cases.length; first += BATCH) {
      all.push(await compare(cases.slice(first, first + BATCH), servers))
    }
    expect(all.flatMap(({ differences }) => differences).slice(0, 1)).toEqual([])
  })
})

const TWO_REQUESTS = ['/v1/one', '/v1/two']
  .map((path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\nx-blank: \t b \r\n\r\n{"a":\r\n\r\n1}`)
  .join('')

function caseOfChance(number: number): ClientCase {
  const chance = new Chance(seed * 2_654_435_761 + number * 2_246_822_519)
  const manner = chance.pick(MANNERS)
  return { pieces: inPieces(chance, clientBytes(chance)), manner, isSlow: chance.isHit(70) }
}

function once(bytes: Buffer, manner: ClientCase['manner']): ClientCase {
  return { pieces: [bytes], manner, isSlow: true }
}

function cut(bytes: Buffer, at: number, how: Omit<ClientCase, 'pieces'>): ClientCase {
  return { ...how, pieces: [bytes.subarray(0, at), bytes.subarray(at)].filter((piece) => piece.length > 0) }
}
