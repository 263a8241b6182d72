import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandLine } from '../../src/app/cli/command-line.ts'
import { parseDeclarativeFile } from '../../src/app/declarative/declarative-file.ts'
import { ConfigurationError } from '../../src/app/installation/environment.ts'
import { type Bound, BOUNDS, type FactorBound, type MoneyBound } from '../../src/core/bounds.ts'
import { formatMultiplier, formatUsd, nanoUsd, partsPerMillion } from '../../src/core/money.ts'
import { cliHostByHand } from '../support/cli-host-by-hand.ts'
import { type Asker, type ControlUnderTest, controlUnderTest } from '../support/control-under-test.ts'
import { someInSuite } from '../support/run/suite.ts'
import { boundProbes, type Probe, type Sample, type Sent } from './bound-probes.ts'

// A value has the same verdict in the API, the declarative file and on the command line: at the bound of each field it is
// taken, and one beyond it is refused.

type AnyBound = Bound | MoneyBound | FactorBound
type Verdict = 'taken' | 'refused'

const ROWS = Object.entries(BOUNDS).flatMap(([name, fields]) =>
  Object.entries(fields).map(([field, bound]): [string, string, AnyBound] => [name, field, bound]),
)

let control: ControlUnderTest
let admin: Asker
let probes: Readonly<Record<string, Readonly<Record<string, Probe>>>>
const directory = mkdtempSync(join(tmpdir(), 'bounds-'))

beforeAll(async () => {
  control = await controlUnderTest()
  const { account, ...asker } = await control.account({ role: 'admin', via: 'session' })
  admin = { ...asker, account }
  await control.group('g')
  await admin.ask('POST', '/api/groups', { name: 'dear', multiplier: '10000', models: [] })
  const { id: accountId } = (await control.account({ balance: '1' })).account
  await admin.ask('POST', '/api/plans', { name: 'p', groups: ['g'], days: 30, price: '1' })
  await admin.ask('POST', '/api/upstreams', { name: 'u', protocol: 'openai', base_url: 'https://u.example.test/v1' })
  const opened = await admin.ask('POST', `/api/accounts/${accountId}/subscriptions`, { plan: 'p' })
  expect(opened.status, opened.text).toBe(201)
  probes = boundProbes({ accountId, subscriptionId: opened.body.id })
})
afterAll(async () => {
  rmSync(directory, { recursive: true })
  await control.close()
})

test.each(someInSuite(ROWS, 2))('%s.%s has its bounds wherever it can be set', async (name, field, bound) => {
  const probe = probes[name]?.[field]
  if (probe === undefined) throw new Error(`no probe for ${name}.${field}`)
  const { at, beyond } = samplesOf(bound, probe.ofSize)
  for (const [expected, samples] of [
    ['taken', at],
    ['refused', beyond],
  ] as const) {
    for (const sample of samples) {
      const verdicts = await verdictsOn(sample, probe)
      const all = Object.fromEntries(Object.keys(verdicts).map((where) => [where, expected]))
      expect(verdicts, `${name}.${field} of ${JSON.stringify(sample).slice(0, 60)}`).toEqual(all)
    }
  }
})

async function verdictsOn(sample: Sample, { api, file, cli }: Probe): Promise<Readonly<Record<string, Verdict>>> {
  return {
    ...(api === undefined ? {} : { api: await verdictOfApi(api(sample)) }),
    ...(file === undefined ? {} : { file: verdictOfFile(file(sample)) }),
    ...(cli === undefined ? {} : { cli: await verdictOfCli(cli(sample)) }),
  }
}

async function verdictOfApi({ method, path, body }: Sent): Promise<Verdict> {
  const { status, text, body: answer } = await admin.ask(method, path, body)
  if (status < 300) return 'taken'
  if (status === 409) return 'taken'
  if (answer.code === 'field_invalid') return isAboutOthers(answer.detail) ? 'taken' : 'refused'
  throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`)
}

/** The value is within its bound, and refused because it names something that does not exist here. */
function isAboutOthers(detail: string): boolean {
  return /must name (?:a (?:group|model)|groups) that exist|the name of a (?:group|model) /.test(detail)
}

function verdictOfFile(declaration: object): Verdict {
  try {
    parseDeclarativeFile(JSON.stringify(declaration), { name: 'tollgate.yaml', environment: {} })
    return 'taken'
  } catch (error) {
    if (error instanceof ConfigurationError) return 'refused'
    throw error
  }
}

/** A command reads its flags before it opens the database. */
async function verdictOfCli({ args, stdin = '' }: { args: readonly string[]; stdin?: string }): Promise<Verdict> {
  const { host } = cliHostByHand({
    environment: { TOLLGATE_DATA_DIR: directory },
    randomBytes: (size) => Buffer.alloc(size, 7),
    input: (async function* () {
      yield stdin
    })(),
  })
  return (await runCommandLine([...args], host)) === 2 ? 'refused' : 'taken'
}

/** Values at the ends of a bound, and the next ones beyond them, as far as they can be written. */
function samplesOf(bound: AnyBound, ofSize?: Probe['ofSize']): { at: readonly Sample[]; beyond: readonly Sample[] } {
  switch (bound.unit) {
    case 'usd':
      return {
        at: [bound.least, bound.most].map(formatUsd),
        beyond: [nanoUsd(bound.least - 1n), nanoUsd(bound.most + 1n)].map(formatUsd),
      }
    case 'factor':
      return {
        at: [bound.least, bound.most].map(formatMultiplier),
        beyond: [partsPerMillion(bound.least - 1n), partsPerMillion(bound.most + 1n)].map(formatMultiplier),
      }
    case 'characters':
    case 'entries': {
      const make = ofSize ?? ((size: number) => 'x'.repeat(size))
      const sizes = [...(bound.least === 1 ? [0] : []), bound.most + 1]
      return { at: [bound.most].map(make), beyond: sizes.map(make) }
    }
    case 'count':
    case 'tokens':
    case 'ms':
    case 'seconds':
    case 'hours':
    case 'days':
      return { at: [bound.least, bound.most], beyond: [bound.least - 1, bound.most + 1] }
  }
}
