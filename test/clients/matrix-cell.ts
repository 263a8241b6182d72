/** One cell: a client, an upstream, and a plain answer or one with a tool round trip. */
import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MatrixClient } from './matrix-clients.ts'
import type { CellRecord, MatrixGateway, MatrixUpstream } from './matrix-gateway.ts'
import { modelName, UPSTREAM_PROTOCOLS } from './matrix-gateway.ts'
import { type ClientRun, runClient } from './run-client.ts'

export type CellKind = 'plain' | 'tool'

export interface Cell {
  readonly client: MatrixClient
  readonly upstream: MatrixUpstream
  readonly kind: CellKind
  /** Name of the key that only this cell uses. */
  readonly keyName: string
  readonly secret: string
}

export interface CellOutcome {
  readonly cell: Cell
  /** Empty: all is as it should be. */
  readonly problems: readonly string[]
  readonly tookMs: number
  /** What was printed and what arrived upstream, for whoever looks after a failure. */
  readonly evidence: {
    readonly run: ClientRun
    readonly records: readonly CellRecord[]
    readonly upstream: readonly string[]
  }
}

export interface CellSetting {
  readonly gateway: MatrixGateway
  readonly packages: string
  readonly deadEnd: string
  readonly folder: string
}

/** Every cell of one client's row. */
export function cellsOf(client: MatrixClient): Cell[] {
  return UPSTREAM_PROTOCOLS.flatMap((upstream) =>
    (['plain', 'tool'] as const).map((kind) => ({
      client,
      upstream,
      kind,
      keyName: `${client.id} ${upstream} ${kind}`,
      secret: `cell-${randomBytes(15).toString('hex')}`,
    })),
  )
}

/** Runs the client in a home of its own, then asks the books what it did. */
export async function runCell(cell: Cell, setting: CellSetting): Promise<CellOutcome> {
  const { client, upstream, kind, keyName, secret } = cell
  const home = await mkdtemp(join(setting.folder, 'home-'))
  const work = join(home, 'work')
  const word = `heron-${keyName.replaceAll(/[^a-z0-9]/g, '')}`
  const prompt =
    kind === 'plain' ? 'Say hello without tools.' : `Read the file ${work}/note.txt and tell me the code word.`
  const place = { origin: setting.gateway.origin, key: secret, model: modelName(client.modelPrefix, upstream), prompt }
  try {
    await prepare(work, { packages: setting.packages, note: `The code word is ${word}.\n` })
    for (const [path, text] of Object.entries(client.files(place))) {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await writeFile(join(home, path), text)
    }
    const startedAt = performance.now()
    const run = await runClient(client.script(place), { home, work, ...setting })
    const tookMs = Math.round(performance.now() - startedAt)
    const records = await setting.gateway.records(keyName)
    const arrived = arrivedUpstream(setting.gateway, records)
    const problems = [
      ...answerProblems(cell, run, word),
      ...bookProblems(cell, records),
      ...thoughtProblems(cell, arrived),
    ]
    return { cell, problems, tookMs, evidence: { run, records, upstream: arrived } }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

async function prepare(work: string, about: { packages: string; note: string }): Promise<void> {
  await mkdir(work)
  await writeFile(join(work, 'note.txt'), about.note)
  await symlink(about.packages, join(work, 'node_modules'))
  await cp(join(import.meta.dirname, 'programs'), join(work, 'programs'), { recursive: true })
}

const PLAIN_ANSWER = 'this is a plain answer'

/** Programs ask twice, so both answers have to be there. */
function answerProblems({ client, kind }: Cell, run: ClientRun, word: string): string[] {
  const isProgram = client.calls.plain === 2 && client.calls.tool === 4
  const times = isProgram ? 2 : 1
  const expected = kind === 'plain' ? PLAIN_ANSWER : word
  const problems = run.code === 0 ? [] : [`ended with ${run.code === null ? 'a signal: it took too long' : run.code}`]
  const seen = run.stdout.split(expected).length - 1
  if (seen < times) problems.push(`printed "${expected}" ${seen} times, not ${times}`)
  return problems
}

/** Each call once, at the upstream that was meant, whole, and with the usage that it reported. */
function bookProblems({ client, upstream, kind }: Cell, records: readonly CellRecord[]): string[] {
  const problems: string[] = []
  const expected = client.calls[kind]
  const { length } = records
  if (length < expected || length > expected + client.mayFollow) problems.push(`${length} calls, not ${expected}`)
  for (const { outcome, fault, detail, attempts, usage_source: source, cost } of records) {
    if (outcome !== 'completed' || fault !== null) problems.push(`${outcome} ${fault ?? ''}: ${detail ?? ''}`)
    else if (attempts.length !== 1) problems.push(`${attempts.length} attempts`)
    else if (attempts[0]?.upstream !== upstream) problems.push(`went to ${attempts[0]?.upstream ?? 'nobody'}`)
    else if (source !== 'reported') problems.push(`usage is ${source}`)
    else if (!(Number(cost) > 0)) problems.push('it cost nothing')
  }
  return [...new Set(problems)]
}

/** Google signs every call, and takes these words in place of a signature that was lost. */
const WAIVER = /skip_thought_signature_validator|context_engineering_is_the_way_to_go/

function thoughtProblems({ client, upstream, kind }: Cell, arrived: readonly string[]): string[] {
  if (!client.keepsThoughts || upstream !== 'gemini' || kind === 'plain') return []
  const waived = arrived.filter((request) => WAIVER.test(request))
  return waived.length === 0 ? [] : ['the signature of a thought was lost']
}

function arrivedUpstream(gateway: MatrixGateway, records: readonly CellRecord[]): string[] {
  const ids = new Set(records.map(({ id }) => id))
  return gateway.fake.requests
    .filter(({ requestId }) => ids.has(requestId))
    .map(({ method, path, body }) => `${method} ${path}\n${body.toString()}`)
}
