import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ChatWire } from '../../src/core/wire.ts'
import type { UsageRecord } from '../../src/metering/usage/usage-record.ts'
import { Candidate } from '../../src/routing/candidate.ts'
import { treatmentOf } from '../../src/routing/failure-class.ts'
import { TargetHealth } from '../../src/routing/target-health.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../support/gateway-under-test.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { inSuite, isLongSuite } from '../support/run/suite.ts'
import { putModelOf, type ServerTarget } from '../support/put-model.ts'
import { type Ailment, AILMENTS, WELL } from './matrix/ailments.ts'
import { ask, type Cell, cellsOf as allCellsOf, type Learned, sideOf } from './matrix/cells.ts'
import { faultShapes } from './matrix/error-shapes.ts'
import { type SickUpstream, startSickUpstream } from './matrix/sick-upstream.ts'
import { matrixTable, namesTable, type Tried } from './matrix/table.ts'

// Every way in which an upstream fails, for every client protocol: what each side got, noted, paid and learned. The short
// suite has every way for one protocol, and leaves the page alone.
const CLIENT: ChatWire = 'anthropic-messages'

function cellsOf(ailment: Ailment): readonly Cell[] {
  const all = allCellsOf(ailment)
  return inSuite({ long: all, short: all.filter(({ client }) => client === CLIENT) })
}

const PAGE = new URL('../../docs/upstream-faults.md', import.meta.url)
/** The longest that a sick upstream is waited for: a busy machine connects within it, or that would be another failure. */
const SHORT_MS = 1_000
/** The longest silence in the middle of an answer: no busy machine takes so long to carry one on. */
const IDLE_MS = 4_000
/** A port on which nothing listens. */
const NO_PORT = 1

let gateway: GatewayUnderTest
let upstream: SickUpstream
const rows: (readonly Tried[])[] = []

/** A key for each kind of client, of an account of its own, by which is known whose failure was noted. */
const secrets = new Map<string, { readonly secret: string; readonly accountId: string }>()

beforeAll(async () => {
  gateway = await gatewayUnderTest({ environment: { TOLLGATE_IDLE_TIMEOUT_MS: String(IDLE_MS) } })
  upstream = await startSickUpstream()
  for (const side of cellsOf(WELL).map(sideOf)) {
    const account = await gateway.account({ balance: '1000' })
    secrets.set(side, { secret: (await gateway.key(account)).secret, accountId: account.id })
  }
  await putUp()
  const learned = spyOnLearning()
  const row = (ailment: Ailment) => Promise.all(cellsOf(ailment).map((cell) => tried(cell, learned)))
  const [silent, others] = [
    AILMENTS.filter(({ silence }) => silence !== undefined),
    AILMENTS.filter(({ silence }) => silence === undefined),
  ]
  // Those that are waited for wait together.
  const silentRows = silent.map((ailment) => row(ailment))
  for (const ailment of others) rows.push(await row(ailment))
  rows.push(...(await Promise.all(silentRows)))
})
afterAll(async () => {
  vi.restoreAllMocks()
  upstream.close()
  await gateway.close()
})

/** Puts up two models for each ailment in each protocol: with the sick upstream alone, and with a well target behind it. */
async function putUp(): Promise<void> {
  const names: string[] = []
  for (const ailment of AILMENTS) {
    const byProtocol = new Map(cellsOf(ailment).map((cell) => [cell.protocol, cell]))
    for (const cell of byProtocol.values()) {
      const sick = targetOf(cell, ailment)
      await putModelOf(gateway.store, { name: cell.alone, targets: [{ ...sick, model: cell.alone }] })
      const spare = { ...targetOf(cell, WELL), priority: 1 }
      await putModelOf(gateway.store, { name: cell.withSpare, targets: [{ ...sick, model: cell.withSpare }, spare] })
      names.push(cell.withSpare)
    }
  }
  const [{ secret } = { secret: '' }] = secrets.values()
  const headers = { authorization: `Bearer ${secret}` }
  const isKnown = async () => (await fetch(`${gateway.origin}/v1/models/${names.at(-1)}`, { headers })).ok
  await vi.waitUntil(isKnown, { timeout: PATIENCE_MS })
}

function targetOf({ protocol }: Cell, ailment: Ailment): ServerTarget {
  const port = Number(new URL(upstream.url).port)
  const version = protocol === 'gemini' ? 'v1beta' : 'v1'
  const origin =
    ailment.act === undefined ? `http://127.0.0.1:${NO_PORT}` : `${upstream.url}/${AILMENTS.indexOf(ailment)}`
  return {
    port,
    protocol,
    settings: {
      baseUrl: `${origin}/${version}`,
      firstByteTimeoutMs: ailment.silence === 'from the start' ? SHORT_MS : null,
    },
  }
}

/** What a first failure would change, by model and account. It changes nothing here: each cell asks a target that is well so far. */
function spyOnLearning(): ReadonlyMap<string, Learned> {
  const learned = new Map<string, Learned>()
  vi.spyOn(Candidate.prototype, 'failed').mockImplementation(function note(this: Candidate, _times, about) {
    const { failure, restMs, callerId } = about
    const isHeld = treatmentOf(failure).concernsCredential
    const rests = isHeld || new TargetHealth(() => 0.5).failed(0, 0, about)
    learned.set(`${this.target.model} ${callerId}`, { failure, restMs, rests, isHeld })
  })
  return learned
}

async function tried(cell: Cell, learned: ReadonlyMap<string, Learned>): Promise<Tried> {
  const { secret, accountId } = secrets.get(sideOf(cell)) ?? { secret: '', accountId: '' }
  const at = { origin: gateway.origin, secret }
  const [received, withSpare] = await Promise.all([ask(at, cell, cell.alone), ask(at, cell, cell.withSpare)])
  const record = await recordOf(received.requestId)
  return { cell, outcome: { received, record, learned: learned.get(`${cell.alone} ${accountId}`) ?? null, withSpare } }
}

async function recordOf(requestId: string): Promise<UsageRecord> {
  const find = () => gateway.store.usage.record(requestId)
  return vi.waitUntil(find, { timeout: PATIENCE_MS })
}

if (isLongSuite)
  test('the page tells what comes of every failure of an upstream', () => {
    const page = readFileSync(PAGE, 'utf8')
    const parts = { matrix: matrixTable(rows), names: namesTable() }
    const written = Object.entries(parts).reduce((text, [mark, part]) => withPart(text, mark, part), page)
    if (process.env['TOLLGATE_WRITE_DOCS'] === '1') writeFileSync(PAGE, written)
    else expect(page).toBe(written)
  })

test('every fault has the shape and the names of its client’s protocol, whole or at the end of a stream', () => {
  const shapes = rows.flat().flatMap((each) => faultShapes(each) ?? [])
  expect(shapes.length).toBeGreaterThan(inSuite({ long: 400, short: 90 }))
  expect(shapes.map(({ got }) => got)).toEqual(shapes.map(({ should }) => should))
})

/** The page with what stands between two marks replaced. */
function withPart(text: string, mark: string, part: string): string {
  const [start, end] = [`<!-- ${mark} -->\n`, `\n<!-- end of ${mark} -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < 0) throw new Error(`docs/upstream-faults.md lacks the mark "${mark}"`)
  return `${text.slice(0, from + start.length)}${part}${text.slice(to)}`
}
