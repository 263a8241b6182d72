import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FOR_STANDBYS } from '../support/postgres-server.ts'
import { type CrashableServer, crashableServer } from './crashable-server.ts'
import { type Manner, MANNERS, worldFor } from './database/manners.ts'
import { type Answer, servedNodes } from './database/served-nodes.ts'

// Every manner in which PostgreSQL goes away, under two gateways that are asked all the time: what requests get, how soon all is
// well again, and that the books are whole.

const PAGE = new URL('../../docs/operating.md', import.meta.url)
const START = '<!-- database faults -->\n'
const END = '\n<!-- end of database faults -->'
const HEALED_WITHIN_MS = 60_000
const IN_A_ROW = 20

let server: CrashableServer
const rows = new Map<string, string>()

beforeAll(async () => {
  server = await crashableServer({ settings: FOR_STANDBYS })
})
afterAll(() => server.stop())

test.for(MANNERS)(
  'a database that $name costs less than a minute once it is back, and no money',
  async (manner, context) => {
    const ends: (() => Promise<unknown>)[] = []
    context.onTestFinished(async () => {
      for (const end of ends.toReversed()) await end()
    })
    const onEnd = (end: () => Promise<unknown>): void => void ends.push(end)
    const { nodesUrl, ...world } = await worldFor(server, manner.pooler, onEnd)
    const nodes = await servedNodes(nodesUrl, { onEnd })
    await nodes.whenServed(IN_A_ROW)
    const begun = await manner.begin({ ...world, server, nodes, onEnd })
    await pause(manner.lastsMs)
    await begun?.end()
    const backAt = performance.now()
    await nodes.whenServed(IN_A_ROW)
    const tookMs = performance.now() - backAt
    expect(tookMs).toBeLessThan(HEALED_WITHIN_MS)
    const refused = nodes.answers.filter(({ status }) => status !== 200)
    expect(refused.filter((answer) => !isInWords(answer))).toEqual([])
    if (manner.refuses === 'none') expect(refused).toEqual([])
    expect(nodes.printed()).not.toMatch(/prepared statement/)
    rows.set(manner.name, rowOf(manner, refused, tookMs))
    await nodes.audit(begun?.booksUrl ?? world.adminUrl)
  },
)

test('the page says what comes of each', () => {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = [page.indexOf(START) + START.length, page.indexOf(END)]
  expect(to, `${PAGE.pathname} lacks the marks of the table`).toBeGreaterThan(from)
  const titles = ['the database', 'played by', 'requests are refused for', 'all is well after', 'the books']
  const lines = [titles, titles.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`)
  const written = [...lines, ...MANNERS.map(({ name }) => rows.get(name) ?? '')].join('\n')
  if (process.env['TOLLGATE_WRITE_DOCS'] === '1') writeFileSync(PAGE, page.slice(0, from) + written + page.slice(to))
  // How long it took differs from run to run; less than a minute is held above.
  else expect(withoutTimes(page.slice(from, to))).toBe(withoutTimes(written))
})

function isInWords({ status, fault }: Answer): boolean {
  return status === 503 && fault === 'store_unavailable'
}

function rowOf({ name, playedBy, refuses }: Manner, refused: readonly Answer[], tookMs: number): string {
  const times = refused.map(({ askedAt }) => askedAt)
  const refusedMs = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times)
  const cells = [name, playedBy, refuses === 'none' ? 'none is' : inSeconds(refusedMs), inSeconds(tookMs)]
  return `| ${[...cells, 'whole: nothing lost, nothing twice'].join(' | ')} |`
}

function inSeconds(ms: number): string {
  return `${Math.ceil(ms / 1_000)} s`
}

function withoutTimes(table: string): string {
  return table.replaceAll(/(?<=\| )\d+ s(?= \|)/g, '…')
}
